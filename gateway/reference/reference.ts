import { readFileSync } from 'node:fs';
import { compressSoon } from '../../db/runtime/compress.ts';
import { entityTag } from '../../db/runtime/entity-tag.ts';
import { memoizeAsync } from '../../db/runtime/memoize.ts';
import type { JsonSchema } from '../../db/schema/validation/described-as.ts';
import { PAGE_HEADERS } from '../http/answer.ts';
import { createFileAsset } from '../http/asset.ts';
import { type Content, type Html, html } from '../http/html.ts';
import {
  createForm,
  prepareRepresentations,
  type Representations,
  selectAnswer,
} from '../http/representations.ts';
import type { DescribedRoute } from '../openapi/description.ts';
import type { makeDocument } from '../openapi/document.ts';
import type {
  ApiOperation,
  Media,
  Parameter,
  Response,
  SchemaReference,
} from '../openapi/parts.ts';
import type { RestaurantContext, RestaurantRoute } from '../pipeline/route.ts';

/** Rows of cells under a caption; the first cell of a row is its heading. */
function table(caption: string, heads: readonly string[], rows: readonly (readonly Content[])[]) {
  if (rows.length === 0) return null;
  const head = heads.map((text) => html`<th scope="col">${text}</th>`);
  const body = rows.map(
    ([first, ...others]) =>
      html`<tr><th scope="row">${first ?? ''}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  );
  return html`<table><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

/** Contents with a text between them. */
function joined(parts: readonly Content[], between: string): Content {
  if (parts.length === 1) return parts[0] ?? null;
  return parts.flatMap((part, index) => (index === 0 ? [part] : [between, part]));
}

function code(value: unknown): Html {
  const isShownAsIs = typeof value === 'string' && value !== '';
  return html`<code>${isShownAsIs ? value : JSON.stringify(value)}</code>`;
}

/** A text of the document, whose words between backticks are code. */
function prose(text: string): Content {
  return text.split('`').map((part, index) => (index % 2 === 1 ? code(part) : part));
}

/** A range of numbers, lengths or entries; undefined when there is no bound. */
function range(least: unknown, most: unknown, unit: string): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  if (most === undefined) return `at least ${least}${unit}`;
  return least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`;
}

/** The values that a schema allows; null comes last. */
function alternatives(schema: JsonSchema): Content[] {
  const { $ref, anyOf, oneOf, enum: values, type = 'anything' } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.replace(/.*\//, '');
    return [html`<a href="#schema-${name}">${name}</a>`];
  }
  const some = anyOf ?? oneOf;
  if (some) return some.map((one) => (one.type === 'null' ? 'null' : schemaText(one)));
  if (Array.isArray(values)) return [['one of ', joined(values.map(code), ', ')]];
  if ('const' in schema) return [code(schema.const)];
  return [type].flat().map((one) => {
    if (one === 'array') return ['list of ', schemaText(schema.items ?? {})];
    if (one !== 'object') return String(one);
    const { properties = {}, additionalProperties: others } = schema;
    const names = Object.keys(properties);
    if (names.length > 0) return ['object of ', joined(names.map(code), ', ')];
    return typeof others === 'object' ? ['object of ', schemaText({ ...others })] : 'object';
  });
}

/** A schema in a few words: its type, its bounds and its default. */
function schemaText(schema: JsonSchema): Content {
  const { format, pattern, default: byDefault } = schema;
  const details: (Content | undefined)[] = [
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' entries'),
    format === undefined ? undefined : String(format),
    pattern === undefined ? undefined : ['pattern ', code(pattern)],
    byDefault === undefined ? undefined : ['default ', code(byDefault)],
  ];
  const types = alternatives(schema);
  const present = types.filter((type) => type !== 'null');
  const given = details.filter((detail) => detail !== undefined);
  const text = [joined(present, ' or '), ...given, ...(types.includes('null') ? ['or null'] : [])];
  return joined(text, ', ');
}

/** The properties of an object: their types, and what they mean. */
function propertyTable(caption: string, { properties, required }: JsonSchema): Html | null {
  const needed = required ?? [];
  const rows = Object.entries(properties ?? {}).map(([name, schema]) => [
    code(name),
    schemaText(schema),
    prose(`${needed.includes(name) ? 'Required. ' : ''}${schema.description ?? ''}`),
  ]);
  return table(caption, ['Property', 'Type', 'Meaning'], rows);
}

/** A schema of the document, closed until a reader opens it. */
function schemaSection(name: string, schema: JsonSchema): Html {
  const text = schema.properties ? propertyTable('Properties', schema) : schemaText(schema);
  return html`<details id="schema-${name}" class="operation">
<summary><h3>${name}</h3></summary>
${text}</details>`;
}

type ApiDocument = ReturnType<typeof makeDocument>;

/** The object that a reference in the document names, or the object itself. */
function resolve<T extends object>(one: T | SchemaReference, named: Record<string, T>) {
  return '$ref' in one ? named[String(one.$ref).replace(/.*\//, '')] : one;
}

const PLACES: Record<string, string> = {
  path: 'Part of the path',
  query: 'In the query',
  header: 'A header',
};

function parameters({ components }: ApiDocument, given: ApiOperation['parameters'] = []) {
  const named: Record<string, Parameter> = components.parameters;
  const found = given.flatMap((one) => resolve(one, named) ?? []);
  const rows = found.map((one) => [
    code(one.name),
    schemaText(one.schema),
    prose(`${PLACES[one.in] ?? one.in}. ${one.description}`),
  ]);
  return table('Parameters', ['Parameter', 'Type', 'Meaning'], rows);
}

function example(title: string, media: Media | undefined): Html | null {
  if (media?.example === undefined) return null;
  const text = JSON.stringify(media.example, null, 2);
  return html`<h4>${title}</h4><pre tabindex="0" aria-label="${title}"><code>${text}</code></pre>`;
}

const JSON_TYPE = 'application/json';

function body({ components }: ApiDocument, { requestBody }: ApiOperation): Content {
  const media = requestBody?.content[JSON_TYPE];
  const named: Record<string, JsonSchema> = components.schemas;
  const schema = media && resolve(media.schema, named);
  return [schema ? propertyTable('Body', schema) : null, example('Example of a body', media)];
}

function answers({ components }: ApiDocument, { responses }: ApiOperation): Content {
  const named: Record<string, Response> = components.responses;
  const found = Object.entries(responses).map(
    ([status, answer]) => [status, resolve(answer, named)] as const,
  );
  const rows = found.map(([status, answer]) => {
    const schema = answer?.content?.[JSON_TYPE]?.schema;
    return [status, schema ? schemaText(schema) : '', prose(answer?.description ?? '')];
  });
  const first = found.find(([status]) => status.startsWith('2'))?.[1]?.content?.[JSON_TYPE];
  return [
    table('Answers', ['Status', 'Body', 'Meaning'], rows),
    example('Example of an answer', first),
  ];
}

/** The operation of a method and path, closed until a reader opens it. */
function operationOf(document: ApiDocument, method: string, path: string, it: ApiOperation): Html {
  const scopes = it.security.flatMap(({ token = [] }) => token);
  return html`<details id="${it.operationId}" class="operation">
<summary><h3><code>${method.toUpperCase()} ${path}</code> <span>${it.summary}</span></h3></summary>
${it.description !== undefined && html`<p>${prose(it.description)}</p>`}
${scopes.length > 0 && html`<p>A token needs the scope <code>${scopes.join(' or ')}</code>.</p>`}
${parameters(document, it.parameters)}${body(document, it)}${answers(document, it)}
</details>`;
}

/** The operations of a tag under its heading. */
function tagSection(document: ApiDocument, tag: ApiDocument['tags'][number]): Html {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag.name))
      .map(([method, operation]) => operationOf(document, method, path, operation)),
  );
  return html`<section><h2>${tag.name}</h2><p>${prose(tag.description)}</p>${operations}</section>`;
}

const read = (name: string) => readFileSync(new URL(`./page/${name}`, import.meta.url));
const stylesheet = createFileAsset('text/css', read('reference.css'));
const script = createFileAsset('text/javascript', read('reference.js'));

const FORM = createForm('no-cache', {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  ...PAGE_HEADERS,
});

/** The reference of the API as a page, from the document that it publishes. */
function renderReference(document: ApiDocument): string {
  const paragraphs = document.info.description
    .split('\n\n')
    .map((text) => html`<p>${prose(text.replaceAll('**', ''))}</p>`);
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) =>
    schemaSection(name, schema),
  );
  return `<!doctype html>\n${
    html`<html lang="en"><head><meta charset="utf-8"><title>${document.info.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/${stylesheet.version}/reference.css">
<script src="/docs/${script.version}/reference.js" defer></script></head>
<body><header><h1>${document.info.title}</h1>
<p>The same as a document for programs: <a href="/api/v1/openapi.json">openapi.json</a></p>
</header>
<div class="search" role="search" hidden><label for="search">Search</label> <input id="search" type="search" placeholder="POST /admin/items">
<output for="search"></output></div>
<main><details><summary>About the API</summary>${paragraphs}</details>
${document.tags.map((tag) => tagSection(document, tag))}
<section><h2>Schemas</h2><p>What bodies and answers consist of.</p>${schemas}</section>
</main></body></html>`.text
  }\n`;
}

async function preparePage(routes: readonly DescribedRoute[]): Promise<Representations> {
  // Loaded when it is needed: most gateways are never asked, and all would start later.
  const { makeDocument } = await import('../openapi/document.ts');
  const text = renderReference(makeDocument(routes));
  const identity = Buffer.from(text);
  const gzip = await compressSoon(identity, 'gzip');
  const br = await compressSoon(identity, 'br');
  return prepareRepresentations({ identity, etag: entityTag('docs', text), gzip, br }, FORM);
}

const route = (path: string, call: RestaurantRoute['call']): RestaurantRoute => ({
  kind: 'restaurant',
  method: 'GET',
  path,
  call,
});

/** `/docs`: the reference of the API for people, on every restaurant's host. */
export function createReferenceRoutes(routes: readonly DescribedRoute[]): RestaurantRoute[] {
  const page = memoizeAsync(() => preparePage(routes));
  return [
    route('/docs', async (context) => selectAnswer(await page(), context)),
    ...[
      { name: 'reference.css', asset: stylesheet },
      { name: 'reference.js', asset: script },
    ].map(({ name, asset }) =>
      route(`/docs/:version/${name}`, (context: RestaurantContext) =>
        selectAnswer(asset.read(context.param), context),
      ),
    ),
  ];
}

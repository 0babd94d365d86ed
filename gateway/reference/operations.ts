import type { JsonSchema } from '../../db/schema/validation/described-as.ts';
import { type Content, type Html, html } from '../http/html.ts';
import type { makeDocument } from '../openapi/document.ts';
import type {
  ApiOperation,
  Media,
  Parameter,
  Response,
  SchemaReference,
} from '../openapi/parts.ts';
import { code, propertyTable, prose, schemaText, table } from './schemas.ts';

export type ApiDocument = ReturnType<typeof makeDocument>;

/** The object that a reference in the document names, or the object itself. */
function resolve<T extends object>(
  one: T | SchemaReference,
  named: Record<string, T>,
): T | undefined {
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
export function tagSection(document: ApiDocument, tag: ApiDocument['tags'][number]): Html {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag.name))
      .map(([method, operation]) => operationOf(document, method, path, operation)),
  );
  return html`<section><h2>${tag.name}</h2><p>${prose(tag.description)}</p>${operations}</section>`;
}

import { type Content, type Html, html } from '../http/html.ts';

/** What the page reads of the OpenAPI document. */
export interface ApiDocument {
  info: { title: string; description: string };
  tags: readonly { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter>; schemas: Record<string, Schema> };
}

interface Operation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  security: readonly { token?: readonly string[] }[];
  parameters?: readonly (Parameter | Ref)[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description?: string; content?: Record<string, Media> } | Ref>;
}

interface Ref {
  $ref: string;
}
interface Parameter {
  name: string;
  in: string;
  description?: string;
}
interface Media {
  schema?: Schema | Ref;
  example?: unknown;
}
interface Schema {
  properties?: Record<string, { description?: string }>;
  required?: readonly string[];
}

const nameOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

function table(caption: string, rows: readonly [string, Content][]): Html | null {
  if (rows.length === 0) return null;
  const cells = rows.map(
    ([name, text]) => html`<tr><th scope="row">${name}</th><td>${text}</td></tr>`,
  );
  return html`<table><caption>${caption}</caption><tbody>${cells}</tbody></table>`;
}

function parameters({ components }: ApiDocument, given: Operation['parameters'] = []) {
  const found = given.map((one) => ('$ref' in one ? components.parameters[nameOf(one.$ref)] : one));
  const rows = found.flatMap((one): [string, Content][] =>
    one ? [[one.name, `${one.in}. ${one.description ?? ''}`]] : [],
  );
  return table('Parameters', rows);
}

function example(title: string, content: Record<string, Media> | undefined): Html | null {
  const value = content?.['application/json']?.example;
  if (value === undefined) return null;
  const text = JSON.stringify(value, null, 2);
  return html`<h4>${title}</h4><pre tabindex="0" aria-label="${title}"><code>${text}</code></pre>`;
}

function body({ components }: ApiDocument, { requestBody }: Operation): Content {
  const schema = requestBody?.content['application/json']?.schema;
  const known = schema && '$ref' in schema ? components.schemas[nameOf(schema.$ref)] : schema;
  const rows = Object.entries(known?.properties ?? {}).map(
    ([name, { description = '' }]): [string, Content] => [
      name,
      `${known?.required?.includes(name) ? 'Required. ' : ''}${description}`,
    ],
  );
  return [table('Body', rows), example('Example of a body', requestBody?.content)];
}

function answers({ responses }: Operation): Content {
  const rows = Object.entries(responses).map(([status, answer]): [string, Content] => [
    status,
    '$ref' in answer ? nameOf(answer.$ref) : (answer.description ?? ''),
  ]);
  const first = Object.values(responses).find((one) => 'content' in one);
  const content = first && 'content' in first ? first.content : undefined;
  return [table('Answers', rows), example('Example of an answer', content)];
}

/** The operation of a method and path, closed until a reader opens it. */
function operationOf(document: ApiDocument, method: string, path: string, it: Operation): Html {
  const scopes = it.security.flatMap(({ token = [] }) => token);
  return html`<details id="${it.operationId}" class="operation">
<summary><h3><code>${method.toUpperCase()} ${path}</code> <span>${it.summary}</span></h3></summary>
${it.description !== undefined && html`<p>${it.description}</p>`}
${scopes.length > 0 && html`<p>A token needs the scope <code>${scopes.join(' or ')}</code>.</p>`}
${parameters(document, it.parameters)}${body(document, it)}${answers(it)}
</details>`;
}

/** The operations of a tag under its heading. */
export function sectionOf(document: ApiDocument, tag: ApiDocument['tags'][number]): Html {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags?.includes(tag.name))
      .map(([method, operation]) => operationOf(document, method, path, operation)),
  );
  return html`<section><h2>${tag.name}</h2><p>${tag.description}</p>${operations}</section>`;
}

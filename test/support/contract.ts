import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { makeDocument } from '../../gateway/openapi/document.ts';
import type { ApiOperation, Paths, Response } from '../../gateway/openapi/parts.ts';
import { routes } from '../../gateway/routes/routes.ts';
import type { Response as Answer } from './http.ts';

/** The document that answers are held against. */
export const document = makeDocument(routes);
const paths = document.paths as Paths;
const PREFIX = document.servers[0]?.url.replace('{scheme}://{host}', '') as string;

/** Headers of HTTP itself: about the connection, its length, its moment. */
const TRANSPORT = new Set([
  ...['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'],
  ...['content-type', 'uwebsockets'],
]);

type Json = Record<string, unknown>;

/** The same schema; its references name parts of the document as it is. */
function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) return { $ref: `open${value.$ref}` };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, open(inner)]));
}

/**
 * The same schema without tolerance: an object has the properties that it lists and no others. Its
 * references name parts of the document.
 */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) return { $ref: `document${value.$ref}` };
  const copy: Json = Object.fromEntries(
    // Each part of a whole says nothing of the others' properties.
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'allOf' ? open(inner) : closed(inner),
    ]),
  );
  const isOpen = 'properties' in copy && copy.type === 'object';
  return isOpen ? { additionalProperties: false, ...copy } : copy;
}

const ajv = new Ajv2020({
  ...{ allErrors: true, strict: true, strictTypes: false },
  // Each component is compiled once, not in every place that names it.
  inlineRefs: false,
  // Most of its code is run a few times: to make that faster would take longer.
  code: { optimize: false },
});
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
ajv.addVocabulary(['components', 'example']);
// Kept in one place, so that each component is compiled once.
const { schemas } = document.components;
ajv.addSchema({ $id: 'document', components: { schemas: closed(schemas) } });
ajv.addSchema({ $id: 'open', components: { schemas: open(schemas) } });
const validators = new Map<object, ValidateFunction>();

function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const validate = ajv.compile(closed(schema) as Json);
  validators.set(schema, validate);
  return validate;
}

/** Asserts that `value` is what a schema of the document says and nothing more. */
export function checkValue(schema: object, value: unknown, what: string): void {
  const validate = validatorOf(schema);
  if (validate(value)) return;
  assert.fail(`${what}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`);
}

/** Follows a reference within the document. */
export function resolveRef<T extends object>(value: T | { $ref: string }): T {
  if (!('$ref' in value)) return value;
  const steps = value.$ref.slice(2).split('/');
  const found = steps.reduce<unknown>((node, step) => (node as Json)[step], document);
  assert.ok(found, `${value.$ref} leads nowhere`);
  return found as T;
}

/** The path of the document that a request's path belongs to; literal segments win. */
export function pathOf(path: string): string | undefined {
  const [bare = ''] = path.split('?');
  if (!bare.startsWith(PREFIX)) return undefined;
  const given = bare
    .slice(PREFIX.length)
    .replace(/(?<=.)\/+$/, '')
    .split('/');
  const isMatch = (template: string) => {
    const wanted = template.split('/');
    return (
      wanted.length === given.length &&
      wanted.every((step, index) => step === given[index] || (step.startsWith('{') && given[index]))
    );
  };
  return Object.keys(paths)
    .filter(isMatch)
    .sort((a, b) => a.split('{').length - b.split('{').length)[0];
}

function decode(answer: Answer): string {
  const encoding = answer.headers['content-encoding'];
  if (encoding === 'br') return brotliDecompressSync(answer.body).toString();
  return encoding === 'gzip' ? gunzipSync(answer.body).toString() : answer.text;
}

function checkHeaders(response: Response, answer: Answer, what: string): void {
  const documented = new Set(Object.keys(response.headers).map((name) => name.toLowerCase()));
  for (const [name, given] of Object.entries(response.headers)) {
    const header = resolveRef(given);
    const text = answer.headers[name.toLowerCase()];
    if (text === undefined) {
      assert.ok(!header.required, `${what} lacks ${name}`);
      continue;
    }
    const value = header.schema.type === 'integer' ? Number(text) : text;
    checkValue(header.schema, value, `${what}, ${name}`);
  }
  const surplus = Object.keys(answer.headers).filter(
    (name) => !documented.has(name) && !TRANSPORT.has(name),
  );
  assert.deepEqual(surplus, [], `${what} has headers that the document does not name`);
}

function checkBody(response: Response, answer: Answer, isHead: boolean, what: string): void {
  if (isHead || !response.content) {
    assert.equal(answer.body.length, 0, `${what} has a body`);
    return;
  }
  const type = answer.headers['content-type'] ?? '';
  const media = response.content[type.split(';')[0] ?? ''];
  assert.ok(media, `${what} is of the type ${type}`);
  const text = decode(answer);
  const isJson = type.startsWith('application/json');
  checkValue(media.schema, isJson ? JSON.parse(text) : text, what);
}

/** Methods as `Allow` lists them. */
function allowOf(path: string): string[] {
  const methods = Object.keys(paths[path] ?? {}).map((method) => method.toUpperCase());
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
}

function checkAllow(path: string, answer: Answer, what: string): void {
  const allow = answer.headers.allow?.split(', ').sort();
  assert.deepEqual(allow, allowOf(path), `${what} allows other methods than the document`);
}

/** The answers that paths give which are not in the document. */
function ofUnknownPath(path: string, status: number): Response | undefined {
  const audience = path.startsWith(`${PREFIX}/admin`) ? 'Admin' : 'Public';
  const names: Record<number, string> = {
    400: 'BadRequest',
    404: 'NotFound',
    429: 'TooManyAttempts',
    503: 'Unavailable',
  };
  const name = names[status] && `${audience}${names[status]}`;
  return name ? document.components.responses[name] : undefined;
}

/** The operation that answers a method of a path; for methods that the path lacks any of its own. */
function operationOf(method: string, path: string, status: number): ApiOperation | undefined {
  const item = paths[path] ?? {};
  const own = item[(method === 'HEAD' ? 'get' : method.toLowerCase()) as keyof typeof item];
  // Refusals that come before the method is looked at are the same for all methods of a path.
  const isEarly = [404, 405, 429, 503].includes(status);
  return own ?? (isEarly ? Object.values(item)[0] : undefined);
}

/**
 * Asserts that an answer is one that the document promises: the status, every header and the whole
 * body, and nothing that it does not name.
 *
 * @param method upper case; HEAD, OPTIONS and methods that a path lacks are held against the text of
 *   the document's description
 * @param path the whole path of the request, below `/api/v1`, with its query or without
 */
export function checkAnswer(method: string, path: string, answer: Answer): void {
  const what = `${answer.status} of ${method} ${path}`;
  const template = pathOf(path);
  const isHead = method === 'HEAD';
  if (template === undefined) {
    const response = ofUnknownPath(path, answer.status);
    assert.ok(response, `${what}: the document knows neither path nor answer`);
    checkHeaders(response, answer, what);
    checkBody(response, answer, isHead, what);
    return;
  }
  if (method === 'OPTIONS' && answer.status === 204) {
    assert.equal(answer.body.length, 0, what);
    checkAllow(template, answer, what);
    return;
  }
  const operation = operationOf(method, template, answer.status);
  const given = operation?.responses[answer.status];
  assert.ok(given, `${what} is not in the document: ${answer.text.slice(0, 300)}`);
  const response = resolveRef<Response>(given);
  checkHeaders(response, answer, what);
  checkBody(response, answer, isHead, what);
  if (answer.status === 405) checkAllow(template, answer, what);
}

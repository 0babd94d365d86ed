import type { Header, SchemaReference } from './parts.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const TAG = '"Yb1xJ0cLw8Q2kVfTzr5nEg"';

const header = (description: string, schema: Header['schema']): Header => ({ description, schema });

const fixed = (description: string, value: string) =>
  header(description, { type: 'string', const: value });

/** Headers that some answers always have, by name. */
const HEADERS = {
  'X-RateLimit-Limit': header('Requests a minute that the tenant allows one client address.', {
    ...count,
    examples: [120],
  }),
  'X-RateLimit-Remaining': header('Requests that are left of them.', { ...count, examples: [119] }),
  'X-RateLimit-Reset': header('When the client may come again, in seconds since 1970.', {
    ...count,
    examples: [1_767_225_600],
  }),
  'Retry-After': header('Seconds to wait before the request is worth repeating.', {
    type: 'integer',
    minimum: 1,
    examples: [2],
  }),
  'X-Request-Id': header(
    'Names the request: as its client has named it in this header, or a new name. Logs have it.',
    { ...text, examples: ['h4Xq0bZr-2f'] },
  ),
  'Cache-Control': header(
    '`no-cache`: keep it, but ask each time whether it is still good. `no-store`: do not.',
    { type: 'string', enum: ['no-cache', 'no-store'] },
  ),
  ETag: header('Names these bytes: for `If-None-Match` of a read, `If-Match` of a write.', {
    type: 'string',
    pattern: '^"[!#-~]+"$',
    examples: [TAG],
  }),
  'Access-Control-Allow-Origin': fixed('Pages of any origin may read the answer.', '*'),
  'Access-Control-Expose-Headers': header('Which headers these pages may read.', text),
  Location: header('Path of the new record, or of the job that will have the result.', {
    type: 'string',
    pattern: '^/api/v1/admin/[a-z-]+/[0-9a-f-]+$',
    examples: ['/api/v1/admin/items/7'],
  }),
  'X-Job-State': header(
    '`finished`: the answer is the result of a write. `waiting`: the write is kept and will be done.',
    { type: 'string', enum: ['waiting', 'finished'] },
  ),
  'WWW-Authenticate': fixed('How to authenticate.', 'Bearer'),
  'X-Accel-Buffering': fixed('Asks proxies to pass on every piece at once.', 'no'),
  Allow: header('The methods that the path has.', { ...text, examples: ['GET, HEAD, OPTIONS'] }),
  Accept: fixed('What the endpoint reads.', 'application/json'),
} satisfies Record<string, Header>;

/** Headers that no kind of answer always has. */
const RARE_HEADERS = {
  Vary: header('Present where the answer is held in several encodings, or languages.', {
    type: 'string',
    enum: ['Accept-Encoding', 'Accept-Language'],
  }),
  'Content-Language': header('The language of the branded page.', text),
  'Content-Encoding': header('How the body is compressed; absent when it is not.', {
    type: 'string',
    enum: ['gzip', 'br'],
  }),
  'Preference-Applied': fixed('The client asked not to wait.', 'respond-async'),
  'Content-Disposition': header('The name under which a table is saved.', text),
  'Content-Security-Policy': header('What the branded page may load.', text),
  'Permissions-Policy': header('What the branded page may use of the browser.', text),
  'Cross-Origin-Opener-Policy': fixed('No other page holds the branded page.', 'same-origin'),
  'X-Content-Type-Options': fixed('The body is what it says it is.', 'nosniff'),
} satisfies Record<string, Header>;

export type HeaderName = keyof typeof HEADERS;
export type RareHeaderName = HeaderName | keyof typeof RARE_HEADERS;
export type Headers = Record<string, Header | SchemaReference>;

/** Headers that an answer always has. */
export function always(...names: readonly HeaderName[]): Headers {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers that it may lack. */
export function sometimes(...names: readonly RareHeaderName[]): Headers {
  const headers = { ...HEADERS, ...RARE_HEADERS };
  return Object.fromEntries(names.map((name) => [name, headers[name]]));
}

/** Everything below `#/components/headers`: what `always` refers to. */
export function makeHeaders(): Record<string, Header> {
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, header]) => [name, { ...header, required: true }]),
  );
}

import type { Header, SchemaReference } from './parts.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const TAG = '"Yb1xJ0cLw8Q2kVfTzr5nEg"';

/** Headers that some answers always have, by name. */
const HEADERS = {
  'X-RateLimit-Limit': {
    description: 'Requests a minute that the tenant allows one client address.',
    schema: { ...count, examples: [120] },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that are left of them.',
    schema: { ...count, examples: [119] },
  },
  'X-RateLimit-Reset': {
    description: 'When the client may come again, in seconds since 1970.',
    schema: { ...count, examples: [1_767_225_600] },
  },
  'Retry-After': {
    description: 'Seconds to wait before the request is worth repeating.',
    schema: { type: 'integer', minimum: 1, examples: [2] },
  },
  'X-Request-Id': {
    description:
      'Names the request: as its client has named it in this header, or a new name. Logs have it.',
    schema: { ...text, examples: ['h4Xq0bZr-2f'] },
  },
  'Cache-Control': {
    description:
      '`no-cache`: keep it, but ask each time whether it is still good. `no-store`: do not.',
    schema: { type: 'string', enum: ['no-cache', 'no-store'] },
  },
  ETag: {
    description: 'Names these bytes: for `If-None-Match` of a read, `If-Match` of a write.',
    schema: { type: 'string', pattern: '^"[!#-~]+"$', examples: [TAG] },
  },
  'Access-Control-Allow-Origin': {
    description: 'Pages of any origin may read the answer.',
    schema: { type: 'string', const: '*' },
  },
  'Access-Control-Expose-Headers': {
    description: 'Which headers these pages may read.',
    schema: text,
  },
  Location: {
    description: 'Path of the new record, or of the job that will have the result.',
    schema: {
      type: 'string',
      pattern: '^/api/v1/admin/[a-z-]+/[0-9a-f-]+$',
      examples: ['/api/v1/admin/items/7'],
    },
  },
  'X-Job-State': {
    description:
      '`finished`: the answer is the result of a write. `waiting`: the write is kept and will be done.',
    schema: { type: 'string', enum: ['waiting', 'finished'] },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    schema: { type: 'string', const: 'Bearer' },
  },
  'X-Accel-Buffering': {
    description: 'Asks proxies to pass on every piece at once.',
    schema: { type: 'string', const: 'no' },
  },
  Allow: {
    description: 'The methods that the path has.',
    schema: { ...text, examples: ['GET, HEAD, OPTIONS'] },
  },
  Accept: {
    description: 'What the endpoint reads.',
    schema: { type: 'string', const: 'application/json' },
  },
} satisfies Record<string, Header>;

/** Headers that no kind of answer always has. */
const RARE_HEADERS = {
  Vary: {
    description: 'Present where the answer is held in several encodings, or languages.',
    schema: { type: 'string', enum: ['Accept-Encoding', 'Accept-Language'] },
  },
  'Content-Language': {
    description: 'The language of the branded page.',
    schema: text,
  },
  'Content-Encoding': {
    description: 'How the body is compressed; absent when it is not.',
    schema: { type: 'string', enum: ['gzip', 'br'] },
  },
  'Preference-Applied': {
    description: 'The client asked not to wait.',
    schema: { type: 'string', const: 'respond-async' },
  },
  'Content-Disposition': {
    description: 'The name under which a table is saved.',
    schema: text,
  },
  'Content-Security-Policy': {
    description: 'What the branded page may load.',
    schema: text,
  },
  'Permissions-Policy': {
    description: 'What the branded page may use of the browser.',
    schema: text,
  },
  'Cross-Origin-Opener-Policy': {
    description: 'No other page holds the branded page.',
    schema: { type: 'string', const: 'same-origin' },
  },
  'X-Content-Type-Options': {
    description: 'The body is what it says it is.',
    schema: { type: 'string', const: 'nosniff' },
  },
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

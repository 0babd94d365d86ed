import assert from 'node:assert/strict';
import { request } from 'node:http';
import { wayThroughJudge } from './judged-traffic.ts';

/** More of a text says little to who reads of a failure. */
const SHOWN = 2_000;

export interface Response {
  status: number;
  /** By lower-case name; what came twice is joined by a comma. */
  headers: Record<string, string>;
  body: Buffer;
  text: string;
  /** The body as JSON, read anew at each use. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on what they find in it.
  json: any;
  /** Asserts that it has this status; returns it. */
  expect(status: number): Response;
  /** Asserts that it is a 422 that names these fields, in this order, and no others; returns it. */
  refuses(...fields: string[]): Response;
  /** Asserts that its text has each of these parts; returns it. */
  shows(...parts: (RegExp | string)[]): Response;
  /** Asserts that its text has none of these parts; returns it. */
  hides(...parts: (RegExp | string)[]): Response;
}

/** A part of a text as a pattern; the signs of a string mean themselves. */
function patternOf(part: RegExp | string): RegExp {
  return new RegExp(typeof part === 'string' ? part.replace(/[^\w\s]/gu, '\\$&') : part);
}

/** An answer of these parts. */
export function asResponse(
  status: number,
  headers: Record<string, string>,
  body: Buffer,
): Response {
  const text = body.toString();
  const answer: Response = {
    ...{ status, headers, body, text },
    get json() {
      return JSON.parse(text);
    },
    expect: (wanted) => {
      assert.equal(status, wanted, text.slice(0, SHOWN));
      return answer;
    },
    refuses: (...fields) => {
      assert.deepEqual(Object.keys(answer.expect(422).json.errors), fields, text.slice(0, SHOWN));
      return answer;
    },
    shows: (...parts) => {
      for (const part of parts) assert.match(text, patternOf(part));
      return answer;
    },
    hides: (...parts) => {
      for (const part of parts) assert.doesNotMatch(text, patternOf(part));
      return answer;
    },
  };
  return answer;
}

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface Client {
  /** Asks for a path below `/api/v1`. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Sends any request; `path` is the whole path. */
  send(path: string, options?: RequestOptions): Promise<Response>;
  /** Tells of one event or many; a text is sent as it is. */
  sendEvents(events: unknown, headers?: Record<string, string>): Promise<Response>;
}

/** Speaks HTTP to a port of this machine under another host's name, which Node does not resolve. */
export function createClient(port: number, host: string): Client {
  const send: Client['send'] = (path, options = {}) =>
    new Promise((resolve, reject) => {
      const { method = 'GET', headers = {}, body } = options;
      const way = wayThroughJudge(port, path, options);
      const outgoing = request(
        {
          host: '127.0.0.1',
          port: way?.port ?? port,
          path,
          method,
          headers: {
            Host: host,
            ...way?.headers,
            // For some methods Node would send a body without saying how long it is.
            ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
            ...headers,
          },
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const headers = Object.entries(incoming.headersDistinct).map(([name, values]) => [
              name,
              values?.join(', ') ?? '',
            ]);
            const { statusCode = 0 } = incoming;
            resolve(asResponse(statusCode, Object.fromEntries(headers), Buffer.concat(chunks)));
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  return {
    send,
    get: (path, headers = {}) => send(`/api/v1${path}`, { headers }),
    sendEvents: (events, headers = {}) =>
      send('/api/v1/analytics/events', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: typeof events === 'string' ? events : JSON.stringify(events),
      }),
  };
}

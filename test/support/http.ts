import { request } from 'node:http';
import { wayThroughJudge } from './judged-traffic.ts';

export interface Response {
  status: number;
  /** By lower-case name; what came twice is joined by a comma. */
  headers: Record<string, string>;
  body: Buffer;
  text: string;
  /** The body as JSON, read anew at each use. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on what they find in it.
  json: any;
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
            const bytes = Buffer.concat(chunks);
            resolve({
              status: incoming.statusCode ?? 0,
              headers: Object.fromEntries(
                Object.entries(incoming.headersDistinct).map(([name, values]) => [
                  name,
                  values?.join(', ') ?? '',
                ]),
              ),
              body: bytes,
              text: bytes.toString(),
              get json() {
                return JSON.parse(bytes.toString());
              },
            });
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

import { Agent, type ClientRequest, request } from 'node:http';

export interface Call {
  method?: string;
  /** Below `/api/v1`. */
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** In ms. */
  took: number;
}

/** Speaks HTTP to whoever listens on a port, as a well-behaved program does. */
export interface Client {
  /** Rejects when no answer came on a connection that was not old. */
  call(call: Call): Promise<Answer>;
  /** Requests that were sent again. */
  repeated(): number;
  close(): void;
}

/** Connections that are idle for longer are given up, before the gateway does it after 10 s. */
const IDLE_MS = 4_000;
/** Nobody waits longer than this for an answer. */
const PATIENCE_MS = 30_000;

/**
 * A server may close an idle connection at the moment when the next request is sent on it: then the
 * client makes a new one and repeats the request (RFC 9112, 9.3.1). What Node calls reused says so.
 */
function isClosedIdle(outgoing: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** @param host of the tenant, as the Host header names it */
export function createClient(port: number, host: string, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, timeout: IDLE_MS });
  let repeated = 0;

  const attempt = ({ method = 'GET', path, headers = {}, body }: Call): Promise<Answer | null> =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const text = body === undefined ? undefined : JSON.stringify(body);
      const content = text !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(text)),
      };
      const outgoing = request(
        {
          ...{ agent, host: '127.0.0.1', port, path: `/api/v1${path}`, method },
          headers: { Host: host, ...content, ...headers },
          signal: AbortSignal.timeout(PATIENCE_MS),
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () =>
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text: Buffer.concat(chunks).toString(),
              took: performance.now() - startedAt,
            }),
          );
        },
      );
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        if (isClosedIdle(outgoing, error)) resolve(null);
        else reject(error);
      });
      outgoing.end(text);
    });

  return {
    call: async (call) => {
      for (;;) {
        const answer = await attempt(call);
        if (answer) return answer;
        repeated += 1;
      }
    },
    repeated: () => repeated,
    close: () => agent.destroy(),
  };
}

import { type Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Call {
  method?: string;
  /** Below `base`. */
  path: string;
  /** By default `/api/v1`. */
  base?: string;
  headers?: Record<string, string>;
  /** Sent as JSON; a string is JSON already, and a Buffer is sent as it is. */
  body?: unknown;
}

export interface Reply {
  status: number;
  /** The words behind it in the status line. */
  reason: string;
  headers: IncomingHttpHeaders;
  /** Names and values in the order and spelling of the server. */
  rawHeaders: readonly string[];
  body: Buffer;
  readonly text: string;
  /** From the first byte sent to the last one received, in ms. */
  took: number;
}

/** The gateway and the connections of a call; without an agent it has one of its own. */
interface Way {
  agent: Agent | false;
  port: number;
  /** The host of the tenant, for the Host header. */
  host: string;
  /** Aborts the call. */
  signal?: AbortSignal;
}

/** The connection broke before the whole reply had arrived. */
export class BrokenExchangeError extends Error {
  readonly code: string | undefined;
  /** Whether the connection had carried another call before. */
  readonly isReused: boolean;

  constructor(cause: NodeJS.ErrnoException, isReused: boolean) {
    super(cause.message, { cause });
    this.code = cause.code;
    this.isReused = isReused;
  }
}

/**
 * Sends one request to a gateway of this machine.
 *
 * @throws BrokenExchangeError
 */
export function exchange(way: Way, call: Call): Promise<Reply> {
  const { host, ...route } = way;
  const { method = 'GET', path, base = '/api/v1', headers = {}, body } = call;
  // JSON.stringify(undefined) is undefined: no body.
  const isReady = typeof body === 'string' || Buffer.isBuffer(body);
  const sent = isReady ? body : JSON.stringify(body);
  const content = sent !== undefined && {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(sent)),
  };
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const outgoing = request(
      {
        ...{ ...route, host: '127.0.0.1', path: `${base}${path}`, method },
        headers: { Host: host, ...content, ...headers },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', broken);
        incoming.on('end', () => {
          const { statusCode: status = 0, statusMessage: reason = '' } = incoming;
          const { headers, rawHeaders } = incoming;
          const took = performance.now() - startedAt;
          const bytes = Buffer.concat(chunks);
          resolve({
            ...{ status, reason, headers, rawHeaders, body: bytes, took },
            get text() {
              return bytes.toString();
            },
          });
        });
      },
    );
    const broken = (error: NodeJS.ErrnoException) =>
      reject(new BrokenExchangeError(error, outgoing.reusedSocket));
    outgoing.on('error', broken);
    outgoing.end(sent);
  });
}

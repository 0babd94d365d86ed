import { type Agent, request } from 'node:http';

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
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** From the first byte sent to the last one received, in ms. */
  took: number;
}

/** The gateway and the connections of a call. */
interface Way {
  agent: Agent;
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
    const broken = (error: NodeJS.ErrnoException) =>
      reject(new BrokenExchangeError(error, outgoing.reusedSocket));
    outgoing.on('error', broken);
    outgoing.end(sent);
  });
}

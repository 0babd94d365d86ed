import { Agent, request } from 'node:http';

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** From the first byte sent to the last one received, in ms. */
  took: number;
}

export interface Call {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Speaks HTTP to one gateway under the name of any tenant. */
export interface Client {
  call(slug: string, call: Call): Promise<Reply>;
  close(): void;
}

export function createClient(port: number): Client {
  // Idle connections are given up before the gateway closes them, which takes it ten seconds.
  const agent = new Agent({ keepAlive: true, timeout: 4_000 });
  return {
    call: (slug, { method = 'GET', path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const started = performance.now();
        const text = body === undefined ? undefined : JSON.stringify(body);
        const outgoing = request(
          {
            agent,
            host: '127.0.0.1',
            port,
            path: `/api/v1${path}`,
            method,
            headers: {
              Host: `${slug}.localhost`,
              ...(text !== undefined && {
                'Content-Type': 'application/json',
                'Content-Length': Buffer.byteLength(text),
              }),
              ...headers,
            },
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
                took: performance.now() - started,
              }),
            );
          },
        );
        outgoing.on('error', reject);
        outgoing.end(text);
      }),
    close: () => agent.destroy(),
  };
}

import { Agent, request } from 'node:http';

export interface Answer {
  status: number;
  text: string;
}

/** Speaks HTTP to gateways of this machine; a connection that breaks rejects. */
export function createClient(host: string, maxSockets = 64) {
  const agent = new Agent({ keepAlive: true, maxSockets });
  const send = (
    port: number,
    method: string,
    path: string,
    options: { body?: string; token?: string } = {},
  ) =>
    new Promise<Answer>((resolve, reject) => {
      const { body, token } = options;
      const outgoing = request(
        {
          ...{ agent, host: '127.0.0.1', port, method, path: `/api/v1${path}` },
          headers: {
            Host: host,
            ...(body !== undefined && {
              'Content-Type': 'application/json',
              'Content-Length': String(Buffer.byteLength(body)),
            }),
            ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          },
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  return { send, close: () => agent.destroy() };
}
export type Client = ReturnType<typeof createClient>;

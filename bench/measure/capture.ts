import { request } from 'node:http';

/** One answer with its exact bytes and header names. */
export interface Captured {
  /** Code and reason of the status line. */
  status: string;
  /** In the order and spelling of the server. */
  headers: [name: string, value: string][];
  body: Buffer;
}

function pairs(rawHeaders: readonly string[]): [string, string][] {
  return rawHeaders.flatMap((name, i): [string, string][] =>
    i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? '']] : [],
  );
}

/** Sends one request to this machine's server at `port` and returns the whole answer. */
export function capture(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<Captured> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, headers, agent: false });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('error', reject);
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () =>
        resolve({
          status: `${incoming.statusCode} ${incoming.statusMessage}`,
          headers: pairs(incoming.rawHeaders),
          body: Buffer.concat(chunks),
        }),
      );
    });
    outgoing.end();
  });
}

/** The value of a header, or the empty string. */
export function headerOf({ headers }: Captured, name: string): string {
  const found = headers.find(([given]) => given.toLowerCase() === name.toLowerCase());
  return found?.[1] ?? '';
}

/** Headers that each server writes without being told. */
const OWN = new Set(['content-length', 'connection', 'date', 'keep-alive', 'uwebsockets']);

/** The header lines that a peer must be told to send. */
export function headersToCopy(captured: Captured): [name: string, value: string][] {
  return captured.headers.filter(([name]) => !OWN.has(name.toLowerCase()));
}

import { exchange } from '../load/http-call.ts';

/** One answer with its exact bytes and header names. */
export interface Captured {
  /** Code and reason of the status line. */
  status: string;
  /** In the order and spelling of the server. */
  headers: [name: string, value: string][];
  /** Empty where there is none. */
  etag: string;
  body: Buffer;
}

function pairs(rawHeaders: readonly string[]): [string, string][] {
  return rawHeaders.flatMap((name, i): [string, string][] =>
    i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? '']] : [],
  );
}

/** Sends one request to this machine's server at `port` and returns the whole answer. */
export async function capture(
  port: number,
  path: string,
  headers: Record<string, string>,
): Promise<Captured> {
  const host = headers.Host ?? 'localhost';
  const reply = await exchange({ agent: false, port, host }, { base: '', path, headers });
  return {
    status: `${reply.status} ${reply.reason}`,
    headers: pairs(reply.rawHeaders),
    etag: reply.headers.etag ?? '',
    body: reply.body,
  };
}

/** Headers that each server writes without being told. */
const OWN = new Set(['content-length', 'connection', 'date', 'keep-alive', 'uwebsockets']);

/** The header lines that a peer must be told to send. */
export function headersToCopy(captured: Captured): [name: string, value: string][] {
  return captured.headers.filter(([name]) => !OWN.has(name.toLowerCase()));
}

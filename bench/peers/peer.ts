import { type Captured, headersToCopy } from '../measure/capture.ts';
import { nodeCommand, startChild } from '../processes/child.ts';
import { pinRunning } from '../processes/cores.ts';
import { freePort } from '../processes/free-port.ts';

/** A server that the load is sent to. */
export interface Server {
  name: string;
  port: number;
  /** The processes whose CPU time is counted. */
  pids: number[];
  stop(): Promise<void>;
}

/** The message that a peer's process is sent first. */
export interface PeerSettings {
  port: number;
  status: string;
  headers: [name: string, value: string][];
  /** Null where the status allows none. */
  body: Uint8Array | null;
  databaseUrl: string;
  slug: string;
}

export interface PeerPlace {
  /** By default a free one. */
  port?: number;
  /** False lets it run on any core. */
  isPinned?: boolean;
}

async function startPeer(
  name: string,
  file: 'bare' | 'fastify-memory' | 'fastify-query',
  captured: Captured,
  place: PeerPlace = {},
  database: { databaseUrl: string; slug: string } = { databaseUrl: '', slug: '' },
): Promise<Server> {
  const { port = await freePort(), isPinned = true } = place;
  const { status, body } = captured;
  const child = await startChild(nodeCommand(`bench/peers/${file}.ts`), { channel: true });
  const ready = child.message();
  child.send({
    ...{ port, status, headers: headersToCopy(captured), ...database },
    body: body.length === 0 ? null : body,
  } satisfies PeerSettings);
  await ready;
  if (isPinned) pinRunning('server', child.pid);
  return { name, port, pids: [child.pid], stop: child.stop };
}

export const BARE = 'bare uWebSockets.js that reads the request';

/** The ceiling: the same HTTP library, which reads the request and sends one finished answer. */
export function startBare(captured: Captured, place: PeerPlace = {}): Promise<Server> {
  return startPeer(BARE, 'bare', captured, place);
}

/** Fastify with the body in memory and an If-None-Match check. */
export function startFastifyMemory(captured: Captured): Promise<Server> {
  return startPeer('Fastify from memory', 'fastify-memory', captured);
}

/** The usual service: Fastify that asks Postgres for each request. */
export function startFastifyQuery(
  captured: Captured,
  databaseUrl: string,
  slug: string,
): Promise<Server> {
  const name = 'Fastify with a query per request';
  return startPeer(name, 'fastify-query', captured, {}, { databaseUrl, slug });
}

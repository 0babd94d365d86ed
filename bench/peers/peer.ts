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

/** What a peer in a process of its own is told to do. */
export interface PeerOrder {
  port: number;
  /** How to say it: one header a call, or all of them in one, be it without or after a look. */
  style: 'joined' | 'looking' | 'plain';
  status: string;
  headers: [name: string, value: string][];
  /** Null where the status allows none. */
  body: Uint8Array | null;
  databaseUrl: string;
  slug: string;
}

type PeerFile = 'bare' | 'fastify-memory' | 'fastify-query';

export interface PeerPlace {
  /** One that is free by default. */
  port?: number;
  /** False for a peer that may run on any core. */
  isPinned?: boolean;
}

async function startPeer(
  name: string,
  file: PeerFile,
  order: Omit<PeerOrder, 'port'>,
  place: PeerPlace = {},
): Promise<Server> {
  const { port = await freePort(), isPinned = true } = place;
  const child = await startChild(nodeCommand(`bench/peers/${file}.ts`), { channel: true });
  const ready = child.message();
  child.send({ ...order, port } satisfies PeerOrder);
  await ready;
  if (isPinned) pinRunning('server', child.pid);
  return { name, port, pids: [child.pid], stop: child.stop };
}

function orderFor(captured: Captured): Omit<PeerOrder, 'port'> {
  const { status, body } = captured;
  return {
    style: 'joined',
    status,
    headers: headersToCopy(captured),
    body: body.length === 0 ? null : body,
    databaseUrl: '',
    slug: '',
  };
}

/** The ceiling: the same HTTP library with nothing around it, and the fewest calls into it. */
export function startBare(captured: Captured, place: PeerPlace = {}): Promise<Server> {
  return startPeer('bare uWebSockets.js', 'bare', orderFor(captured), place);
}

/** The same, asking what no answer of Lavagna can do without: client, tenant, form and copy. */
export function startBareLooking(captured: Captured): Promise<Server> {
  const order = { ...orderFor(captured), style: 'looking' as const };
  return startPeer('bare uWebSockets.js, after a look at the request', 'bare', order);
}

/** The same library as its examples use it: one call a header. */
export function startBarePlain(captured: Captured): Promise<Server> {
  const order = { ...orderFor(captured), style: 'plain' as const };
  return startPeer('bare uWebSockets.js, header by header', 'bare', order);
}

/** Fastify with the body in memory and an If-None-Match check. */
export function startFastifyMemory(captured: Captured): Promise<Server> {
  return startPeer('Fastify from memory', 'fastify-memory', orderFor(captured));
}

/** What one would build without a menu service: Fastify that asks Postgres for each request. */
export function startFastifyQuery(
  captured: Captured,
  databaseUrl: string,
  slug: string,
): Promise<Server> {
  const order = { ...orderFor(captured), databaseUrl, slug };
  return startPeer('Fastify with a query per request', 'fastify-query', order);
}

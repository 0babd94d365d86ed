import { type Captured, headersToCopy } from '../measure/capture.ts';
import { nodeCommand, startChild } from '../processes/child.ts';
import { pinRunning } from '../processes/cores.ts';
import { freePort } from '../processes/free-port.ts';
import { type Running, running } from '../processes/running.ts';

/** A server that the load is sent to. */
export interface Server extends Running {
  name: string;
  port: number;
  /** The processes whose CPU time is counted. */
  pids: number[];
}

/** The one answer of a peer. */
export interface PeerAnswer {
  status: string;
  headers: [name: string, value: string][];
  /** Null where the status allows none. */
  body: Uint8Array | null;
}

/** The message that a peer's process is sent first. */
export interface PeerSettings extends PeerAnswer {
  port: number;
  /** Answers by Host header, where it has more than one. */
  answers: ReadonlyMap<string, PeerAnswer>;
  databaseUrl: string;
  slug: string;
}

interface PeerPlace {
  /** By default a free one. */
  port?: number;
  /** False lets it run on any core. */
  isPinned?: boolean;
}

const answerOf = (captured: Captured): PeerAnswer => ({
  status: captured.status,
  headers: headersToCopy(captured),
  body: captured.body.length === 0 ? null : captured.body,
});

interface PeerContent extends Partial<Pick<PeerSettings, 'databaseUrl' | 'slug'>> {
  /** Answers by Host header. */
  menus?: ReadonlyMap<string, Captured>;
}

async function startPeer(
  name: string,
  file: 'bare' | 'fastify-memory' | 'fastify-query',
  captured: Captured,
  place: PeerPlace = {},
  { menus = new Map(), databaseUrl = '', slug = '' }: PeerContent = {},
): Promise<Server> {
  const { port = await freePort(), isPinned = true } = place;
  const child = await startChild(nodeCommand(`bench/peers/${file}.ts`), { channel: true });
  await child.ask({
    ...{ port, ...answerOf(captured), databaseUrl, slug },
    answers: new Map([...menus].map(([host, menu]) => [host, answerOf(menu)])),
  } satisfies PeerSettings);
  if (isPinned) pinRunning('server', child.pid);
  return running({ name, port, pids: [child.pid], stop: child.stop });
}

export const BARE = 'bare uWebSockets.js that reads the request';

/** The ceiling: the same HTTP library, which reads the request and sends one finished answer. */
export function startBare(captured: Captured, place: PeerPlace = {}): Promise<Server> {
  return startPeer(BARE, 'bare', captured, place);
}

/** The ceiling with many menus: their answers in a Map by host. */
export function startBareOfMany(menus: ReadonlyMap<string, Captured>): Promise<Server> {
  const [first] = menus.values();
  if (!first) throw new Error('a server of many menus needs one');
  const name = `bare uWebSockets.js with ${menus.size} menus by host`;
  return startPeer(name, 'bare', first, {}, { menus });
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

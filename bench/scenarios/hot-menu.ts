import type { Stage } from '../environment.ts';
import { cannon } from '../load/job.ts';
import { type Captured, capture, headerOf } from '../measure/capture.ts';
import type { Contestant, Row } from '../measure/comparison.ts';
import { hasNginx, startNginx } from '../peers/nginx.ts';
import {
  type Server,
  startBare,
  startBareLooking,
  startBarePlain,
  startFastifyMemory,
  startFastifyQuery,
} from '../peers/peer.ts';
import { costRatio } from '../report.ts';
import type { Finding, Goal, Scenario } from '../scenario.ts';

const PATH = '/api/v1/menu';
/** The size of a usual menu, in bytes. */
const USUAL_BYTES = 14_000;
/** Tenants among which one with a usual menu is looked for. */
const CANDIDATES = 60;

type Headers = Record<string, string>;
type StartPeer = (captured: Captured) => Promise<Server>;

const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} KB`;

/** The same content, whatever was built when; the peers' answers must not be cheaper. */
function assertSameContent(lavagna: Captured, peer: Captured, name: string): void {
  if (peer.status.slice(0, 3) !== lavagna.status.slice(0, 3)) {
    throw new Error(`${name} answers ${peer.status}`);
  }
  if (peer.body.equals(lavagna.body)) return;
  const data = ({ body }: Captured) => {
    const { data } = JSON.parse(body.toString()) as { data: { sections: object[] } };
    return JSON.stringify(data, (_, value: unknown) =>
      value !== null && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    );
  };
  if (data(peer) !== data(lavagna)) throw new Error(`${name} answers with another menu`);
}

/** Lavagna and the peers under one kind of request. */
async function race(
  stage: Stage,
  headers: Headers,
  peers: readonly StartPeer[],
): Promise<{ captured: Captured; rows: Row[] }> {
  const { gateway } = stage.lavagna;
  const captured = await capture(gateway.port, PATH, headers);
  const servers: Server[] = [];
  try {
    const started = await Promise.allSettled(peers.map((start) => start(captured)));
    for (const one of started) if (one.status === 'fulfilled') servers.push(one.value);
    for (const one of started) if (one.status === 'rejected') throw one.reason;
    const contestants: Contestant[] = [];
    for (const server of [gateway, ...servers]) {
      const own = { ...headers };
      // nginx has a tag of its own making.
      if (own['If-None-Match'] !== undefined && server !== gateway) {
        const { 'If-None-Match': _, ...unconditional } = headers;
        const etag = headerOf(await capture(server.port, PATH, unconditional), 'ETag');
        own['If-None-Match'] = etag;
      }
      assertSameContent(captured, await capture(server.port, PATH, own), server.name);
      const expected = Number(captured.status.slice(0, 3));
      const requests = [{ path: PATH, headers: own }];
      const job = cannon(server.port, requests, stage.size.seconds, expected);
      contestants.push({ name: server.name, server, job });
    }
    return { captured, rows: await stage.compare(contestants) };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

function goalsAgainst(rows: readonly Row[], wanted: Record<string, number>): Goal[] {
  const [lavagna] = rows;
  return Object.entries(wanted).flatMap(([name, atLeast]) => {
    const row = rows.find((candidate) => candidate.name === name);
    if (!row || !lavagna) return [];
    return [
      { text: `CPU of ${name} ÷ CPU of Lavagna`, measured: costRatio(row, lavagna), atLeast },
    ];
  });
}

/** The tenant whose menu is nearest to the usual size. */
async function usualTenant({ lavagna, slugs, host }: Stage): Promise<string> {
  let best = { slug: '', distance: Infinity };
  for (const slug of slugs.slice(0, CANDIDATES)) {
    const { body } = await capture(lavagna.gateway.port, PATH, { Host: host(slug) });
    const distance = Math.abs(body.length - USUAL_BYTES);
    if (distance < best.distance) best = { slug, distance };
  }
  return best.slug;
}

const nginx = hasNginx ? [startNginx] : [];
const GOALS = {
  'bare uWebSockets.js': 0.85,
  'nginx with limit_req': 1.3,
  'Fastify from memory': 3,
  'Fastify with a query per request': 30,
};

async function whole(
  stage: Stage,
  slug: string,
  encoding: 'identity' | 'br' | 'gzip',
  peers: readonly StartPeer[],
): Promise<Finding> {
  const headers = { Host: stage.host(slug), 'Accept-Encoding': encoding };
  const { captured, rows } = await race(stage, headers, peers);
  const form = encoding === 'identity' ? 'not compressed' : encoding;
  const title = `Hot /menu, ${kilobytes(captured.body.length)}, ${form}`;
  return { title, rows, goals: goalsAgainst(rows, GOALS) };
}

async function unchanged(stage: Stage, slug: string): Promise<Finding> {
  const headers = { Host: stage.host(slug), 'Accept-Encoding': 'br' };
  const full = await capture(stage.lavagna.gateway.port, PATH, headers);
  const conditional = { ...headers, 'If-None-Match': headerOf(full, 'ETag') };
  // A peer that checks the tag needs the body, too.
  const knowing = [...nginx, startFastifyMemory].map((start) => () => start(full));
  const plain = stage.size.isThorough ? [startBarePlain] : [];
  const peers = [startBare, startBareLooking, ...plain, ...knowing];
  const { rows } = await race(stage, conditional, peers);
  const goals = goalsAgainst(rows, { 'bare uWebSockets.js': 0.8 });
  return { title: 'Hot /menu, 304 to If-None-Match', rows, goals };
}

/** The same menu again and again: what a display asks for. */
export const hotMenu: Scenario = {
  name: 'hot-menu',
  run: async (stage) => {
    const slug = await usualTenant(stage);
    const query = (captured: Captured) =>
      startFastifyQuery(captured, stage.lavagna.databaseUrl, slug);
    const fromMemory = [startBare, startBareLooking, ...nginx, startFastifyMemory];
    const findings = [
      await whole(stage, slug, 'identity', [startBarePlain, ...fromMemory, query]),
      await whole(stage, slug, 'br', stage.size.isThorough ? fromMemory : [startBare, ...nginx]),
      await unchanged(stage, slug),
    ];
    if (!stage.size.isThorough) return findings;
    return [
      ...findings,
      await whole(stage, slug, 'gzip', [startBare]),
      await whole(stage, 'trattoria', 'identity', [startBare, ...nginx]),
    ];
  },
};

import type { Environment } from '../environment.ts';
import { timedLoad } from '../load/job.ts';
import { type Captured, capture } from '../measure/capture.ts';
import type { Candidate } from '../measure/comparison.ts';
import { hasNginx, startNginx } from '../peers/nginx.ts';
import {
  BARE,
  type Server,
  startBare,
  startFastifyMemory,
  startFastifyQuery,
} from '../peers/peer.ts';
import { group } from '../processes/running.ts';
import { atLeast, costRatio, type Finding, type Goal, type Row } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const PATH = '/api/v1/menu';
/** The size of a usual menu, in bytes. */
const USUAL_BYTES = 14_000;
/** Answers are of the same size from this share of the bytes up. */
const SAME_SIZE = 0.98;
/** Tenants among which the one with the most usual menu is chosen. */
const CANDIDATES = 60;

type Headers = Record<string, string>;
type StartPeer = (captured: Captured) => Promise<Server>;

const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} KB`;

/** The ids of all dishes in the order of the menu. */
function dishIds({ body }: Captured): string {
  const { data } = JSON.parse(body.toString()) as {
    data: { sections: { items: { id: number }[] }[] };
  };
  return data.sections.flatMap(({ items }) => items.map(({ id }) => id)).join();
}

/** Checks that the peer sends the same dishes; returns a sentence when it sends fewer bytes. */
function checkAnswer(lavagna: Captured, peer: Captured, name: string): string[] {
  if (peer.status.slice(0, 3) !== lavagna.status.slice(0, 3)) {
    throw new Error(`${name} answers ${peer.status}`);
  }
  if (peer.body.equals(lavagna.body)) return [];
  if (dishIds(peer) !== dishIds(lavagna)) throw new Error(`${name} answers with other dishes`);
  const share = peer.body.length / lavagna.body.length;
  if (share >= SAME_SIZE) return [];
  return [`${name} lacks newer fields and sends ${(share * 100).toFixed(0)} % of the bytes.`];
}

/** Measures Lavagna and the peers under one kind of request. */
async function comparePeers(
  environment: Environment,
  headers: Headers,
  peers: readonly StartPeer[],
): Promise<{ captured: Captured; rows: Row[]; note?: string }> {
  const { gateway } = environment.lavagna;
  const captured = await capture(gateway.port, PATH, headers);
  await using servers = group<Server>();
  const notes = hasNginx ? [] : ['nginx is not installed, so it is not compared.'];
  const started = await Promise.allSettled(peers.map((start) => start(captured)));
  for (const one of started) if (one.status === 'fulfilled') servers.push(one.value);
  for (const one of started) if (one.status === 'rejected') throw one.reason;
  const candidates: Candidate[] = [];
  for (const server of [gateway, ...servers]) {
    const own = { ...headers };
    // nginx makes its own ETag.
    if (own['If-None-Match'] !== undefined && server !== gateway) {
      const { 'If-None-Match': _, ...unconditional } = headers;
      const etag = (await capture(server.port, PATH, unconditional)).etag;
      own['If-None-Match'] = etag;
    }
    notes.push(...checkAnswer(captured, await capture(server.port, PATH, own), server.name));
    const expected = Number(captured.status.slice(0, 3));
    const requests = [{ path: PATH, headers: own }];
    const job = timedLoad(server.port, requests, environment.size.seconds, expected);
    candidates.push({ name: server.name, server, job });
  }
  const rows = await environment.compare(candidates);
  return { captured, rows, ...(notes.length > 0 && { note: notes.join(' ') }) };
}

function goalsOf(what: string, rows: readonly Row[], least: Record<string, number>): Goal[] {
  const [lavagna] = rows;
  return Object.entries(least).flatMap(([name, bound]) => {
    const row = rows.find((candidate) => candidate.name === name);
    if (!row || !lavagna) return [];
    return [atLeast(`${what}: CPU of ${name} ÷ CPU of Lavagna`, costRatio(row, lavagna), bound)];
  });
}

/** The tenant whose menu is nearest to the usual size. */
async function usualTenant({ lavagna, slugs, host }: Environment): Promise<string> {
  let best = { slug: '', distance: Infinity };
  for (const slug of slugs.slice(0, CANDIDATES)) {
    const { body } = await capture(lavagna.gateway.port, PATH, { Host: host(slug) });
    const distance = Math.abs(body.length - USUAL_BYTES);
    if (distance < best.distance) best = { slug, distance };
  }
  return best.slug;
}

const nginx = hasNginx ? [startNginx] : [];
const GOALS = { [BARE]: 0.86, 'Fastify with a query per request': 30 };
/** Most displays ask for this one. */
const GOALS_BR = { ...GOALS, 'nginx with limit_req': 0.98 };

async function compareFull(
  environment: Environment,
  slug: string,
  encoding: 'identity' | 'br' | 'gzip',
  peers: readonly StartPeer[],
): Promise<Finding> {
  const headers = { Host: environment.host(slug), 'Accept-Encoding': encoding };
  const { captured, ...compared } = await comparePeers(environment, headers, peers);
  const form = encoding === 'identity' ? 'not compressed' : encoding;
  const title = `Hot /menu, ${kilobytes(captured.body.length)}, ${form}`;
  const least = encoding === 'br' ? GOALS_BR : GOALS;
  const goals = goalsOf(`${kilobytes(captured.body.length)} ${form}`, compared.rows, least);
  return { title, ...compared, goals };
}

async function compareUnchanged(environment: Environment, slug: string): Promise<Finding> {
  const headers = { Host: environment.host(slug), 'Accept-Encoding': 'br' };
  const full = await capture(environment.lavagna.gateway.port, PATH, headers);
  const conditional = { ...headers, 'If-None-Match': full.etag };
  // Peers that check the ETag need the body, too.
  const checking = [...nginx, startFastifyMemory].map((start) => () => start(full));
  const peers = [startBare, ...checking];
  const { rows, ...noted } = await comparePeers(environment, conditional, peers);
  const goals = goalsOf('304', rows, { [BARE]: 0.8 });
  return { title: 'Hot /menu, 304 to If-None-Match', rows, goals, ...noted };
}

/** The same menu again and again, as displays ask for it. */
export const hotMenu: Scenario = {
  name: 'hot-menu',
  run: async (environment) => {
    const slug = await usualTenant(environment);
    const query = (captured: Captured) =>
      startFastifyQuery(captured, environment.lavagna.databaseUrl, slug);
    const fromMemory = [startBare, ...nginx, startFastifyMemory];
    const findings = [
      await compareFull(environment, slug, 'identity', [...fromMemory, query]),
      await compareFull(
        environment,
        slug,
        'br',
        environment.size.isThorough ? fromMemory : [startBare, ...nginx],
      ),
      await compareUnchanged(environment, slug),
    ];
    if (!environment.size.isThorough) return findings;
    return [
      ...findings,
      await compareFull(environment, slug, 'gzip', [startBare, ...nginx]),
      await compareFull(environment, 'trattoria', 'identity', [startBare, ...nginx]),
    ];
  },
};

import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../environment.ts';
import { addressOf, TRUSTED } from '../load/addresses.ts';
import { createClient } from '../load/client.ts';
import { createEvents } from '../load/events.ts';
import { timedLoad } from '../load/job.ts';
import { type PanelHeaders, readPage, signIn } from '../load/panel-client.ts';
import { openRestaurant, type Restaurant } from '../load/restaurant.ts';
import { issueToken } from '../processes/cli.ts';
import { startGateway } from '../processes/lavagna.ts';
import { tapPostgres } from '../processes/postgres-tap.ts';
import { atMost, type Figure, type Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const SEED = 1;
/** Events may be two days old. */
const PERIOD_MS = 47 * 3_600_000;
const EVENTS = 5_000;
const EVENTS_PER_REQUEST = 500;
/** Requests for a page whose statements are counted; the least is the page's own. */
const COUNTED = 10;
/** Owners who look at pages at once; the gateway reads for pages over two connections to Postgres. */
const OWNERS = 8;
/** Addresses that they ask from: a gateway bounds what one of them may cost in a minute. */
const ADDRESSES = 500;
const MOST_STATEMENTS = 13;

interface Page {
  name: string;
  path: string;
}

function pagesOf({ sectionId, dishId }: Restaurant): Page[] {
  return [
    { name: 'dishes of a section', path: `/admin/menu?section=${sectionId}` },
    { name: 'all dishes', path: '/admin/menu?q=' },
    { name: 'form of a dish', path: `/admin/menu/items/${dishId}` },
    { name: 'statistics', path: '/admin/statistics' },
    { name: 'import', path: '/admin/import' },
  ];
}

/** Sends what guests did in two days, and waits until it is counted. */
async function plantEvents({ lavagna, dataDir }: Environment, restaurant: Restaurant) {
  const { slug, dishId, sectionId } = restaurant;
  using client = createClient(lavagna.gateway.port);
  const token = await issueToken({ DATA_DIR: dataDir }, slug, 'analytics:read');
  const headers = { Authorization: `Bearer ${token}` };
  const counted = async (): Promise<number> => {
    const { text } = await client.expect(200, slug, { path: '/admin/analytics/overview', headers });
    return JSON.parse(text).data.totals.events;
  };
  const { text } = await client.expect(200, slug, { path: '/items?per_page=100' });
  const items: number[] = JSON.parse(text).data.map(({ id }: { id: number }) => id);
  const times = { from: Date.now() - PERIOD_MS, to: Date.now() };
  const world = { items: [...items, dishId], sections: [sectionId], visitors: 300, ...times };
  const next = createEvents(SEED, world);
  for (let sent = 0; sent < EVENTS; sent += EVENTS_PER_REQUEST) {
    const body = Array.from({ length: EVENTS_PER_REQUEST }, next);
    await client.expect(202, slug, { method: 'POST', path: '/analytics/events', body });
  }
  while ((await counted()) < EVENTS) await sleep(100);
}

/** How many statements a gateway sends for each page, transactions' begin and end among them. */
async function countStatements(
  { lavagna }: Environment,
  pages: readonly Page[],
  headers: PanelHeaders,
): Promise<Figure[]> {
  let statements = 0;
  await using tap = await tapPostgres(lavagna.databaseUrl, (type) => {
    // A statement with parameters is parsed once and executed each time.
    if (type === 'E' || type === 'Q') statements += 1;
  });
  await using gateway = await startGateway('gateway behind a tap', tap.url, { isPinned: false });
  const figures: Figure[] = [];
  for (const { name, path } of pages) {
    const counts: number[] = [];
    for (let read = 0; read < COUNTED; read += 1) {
      const before = statements;
      await readPage(gateway.port, path, headers);
      counts.push(statements - before);
    }
    // The gateway has other work, too, which can only add to the page's own statements.
    figures.push({ name, unit: 'statements', median: Math.min(...counts) });
  }
  return figures;
}

/** The panel's pages, of the demo restaurant with 109 dishes in five languages. */
export const panel: Scenario = {
  name: 'panel',
  run: async (environment): Promise<Finding[]> => {
    const { lavagna, dataDir, slugs, size, compare, progress } = environment;
    const { gateway } = lavagna;
    const env = { DATA_DIR: dataDir };
    using client = createClient(gateway.port);
    const restaurant = await openRestaurant(client, slugs[0] ?? '');
    progress(`counting ${EVENTS} events`);
    await plantEvents(environment, restaurant);
    const headers = await signIn(gateway.port, env, restaurant.slug);
    const pages = pagesOf(restaurant);
    const figures = await countStatements(environment, pages, headers);
    for (const { name, path } of pages) {
      const bytes = Buffer.byteLength(await readPage(gateway.port, path, headers));
      figures.push({ name: `${name}: HTML`, unit: 'KB', median: bytes / 1_000 });
    }
    const server = await startGateway('Lavagna', lavagna.databaseUrl, { env: TRUSTED });
    const requestsOf = (path: string) =>
      Array.from({ length: ADDRESSES }, (_, at) => {
        return { path, headers: { ...headers, 'X-Forwarded-For': addressOf(at) } };
      });
    const rows = await compare(
      pages.map(({ name, path }) => ({
        ...{ name, server },
        job: {
          ...timedLoad(server.port, requestsOf(path), size.seconds),
          connections: OWNERS,
        },
      })),
    ).finally(server.stop);
    const most = Math.max(...figures.slice(0, pages.length).map(({ median }) => median));
    return [
      {
        title: 'Pages of the panel',
        note: `${OWNERS} connections ask for the same page; statistics are of ${EVENTS.toLocaleString('en-GB')} events. The CPU time is the gateway's, without Postgres.`,
        rows,
        figures,
        goals: [atMost('statements of the page with the most', most, MOST_STATEMENTS)],
      },
    ];
  },
};

// The dearest requests of each kind of client, and the p99 of a guest's reads beside each of them.
// node --import tsx test/run.ts test/dearest/main.ts
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { issueToken } from '../support/admin.ts';
import type { Client, Response } from '../support/http.ts';
import { createVisitor, signedIn } from '../support/panel.ts';
import { startPanelService } from '../support/panel-service.ts';

/** How long each kind is asked for, in ms, and by how many at once. */
const SPAN = 2_000;
const AT_ONCE = 8;

interface Kind {
  client: 'stranger' | 'guest' | 'user' | 'token';
  name: string;
  /** The limit or bound that covers it. */
  bound: string;
  ask: (n: number) => Promise<Response>;
}

const service = await startPanelService([trattoria], {
  // Only a request that is done shows its cost.
  maxPanelCost: Number.MAX_SAFE_INTEGER,
  limitLeakDivisor: 1,
});
const { client } = service;
const token = await issueToken(service.db, service.tenantId);
const owner = await signedIn(client);
const dish = (await client.get('/items')).json.data[0].id;

const get =
  (path: (n: number) => string, headers: Record<string, string> = {}, by: Client = client) =>
  (n: number) =>
    by.send(path(n), { headers });
const form =
  (path: string, body: string, headers: Record<string, string> = {}) =>
  () =>
    client.send(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body,
    });
/** A browser that was given the sign-in page, and sends it back with a form that is to be kept. */
const stranger = createVisitor(client);
await stranger.get('/admin/sign-in');
const kept = Buffer.from('&'.repeat(131_072)).toString('base64url');
const names = Array.from({ length: 70_000 }, (_, at) => `a${at.toString(36)}=`).join('&');
const own = { Origin: 'http://trattoria.localhost' };
const session = { Cookie: owner.cookie };
const bearer = { Authorization: `Bearer ${token}` };

const PANEL = 'maxPanelCost';
const kinds: Kind[] = [
  ...(
    [
      [
        '/ in made-up ports and languages',
        (n: number) => `/?lang=${['it', 'en', 'de'][n % 3]}&n=${n}`,
      ],
      ['/docs', () => '/docs'],
      ['a path that does not exist', (n: number) => `/${n}`],
    ] as const
  ).map(([name, path]): Kind => ({ client: 'stranger', name, bound: 'made once', ask: get(path) })),
  {
    ...{ client: 'stranger', name: 'a form that is kept, 128 KB', bound: PANEL },
    ask: () => stranger.post('/admin/sign-in', { kept_path: '/admin/restaurant', kept }, own),
  },
  {
    ...{ client: 'stranger', name: 'a form of 70,000 names', bound: `${PANEL}, maxFormFields` },
    ask: form('/admin/sign-in', names, own),
  },
  {
    ...{ client: 'stranger', name: 'the page to sign in', bound: PANEL },
    ask: get(() => '/admin/sign-in'),
  },
  {
    ...{ client: 'guest', name: '/items, a new search', bound: 'LIMIT_PUBLIC' },
    ask: get((n) => `/api/v1/items?search=a${n}&per_page=100`),
  },
  {
    ...{ client: 'guest', name: '/items, 100 dishes, br', bound: 'LIMIT_PUBLIC' },
    ask: get((n) => `/api/v1/items?per_page=${1 + (n % 100)}`, { 'Accept-Encoding': 'br' }),
  },
  ...(['/admin/statistics', '/admin/import/export', '/admin/qr.png', '/admin/menu'] as const).map(
    (path): Kind => ({ client: 'user', name: path, bound: PANEL, ask: get(() => path, session) }),
  ),
  {
    ...{ client: 'user', name: 'the preview of a dish', bound: PANEL },
    ask: form(`/admin/menu/items/${dish}/preview`, 'name.it=Gricia&price=12', {
      ...own,
      ...session,
    }),
  },
  ...(['/export', '/versions?after=0', '/analytics/overview', '/items?per_page=100'] as const).map(
    (path): Kind => ({
      ...{ client: 'token', name: `/admin${path}`, bound: 'LIMIT_ADMIN' },
      ask: get(() => `/api/v1/admin${path}`, bearer),
    }),
  ),
];

/** A guest's reads while something goes on; their p99 in ms. */
async function readBeside(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver) {
    const begun = performance.now();
    await client.get('/menu');
    times.push(performance.now() - begun);
    await nextTurn();
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

const quiet = await readBeside(new Promise((resolve) => setTimeout(resolve, SPAN)));
console.log(`p99 of a guest's read with nothing beside it: ${quiet.toFixed(1)} ms\n`);
console.log('| client | request | status | CPU ms | bytes | p99 of others, ms | covered by |');
console.log('| --- | --- | --- | --- | --- | --- | --- |');
for (const { client: by, name, bound, ask } of kinds) {
  let count = 0;
  let last: Response | undefined;
  const began = process.cpuUsage();
  const until = performance.now() + SPAN;
  const one = async () => {
    while (performance.now() < until) {
      count += 1;
      last = await ask(count);
    }
  };
  const p99 = await readBeside(Promise.all(Array.from({ length: AT_ONCE }, one)));
  const { user, system } = process.cpuUsage(began);
  const cpu = ((user + system) / 1_000 / count).toFixed(2);
  const cells = [by, name, last?.status, cpu, last?.body.length, p99.toFixed(1), bound];
  console.log(`| ${cells.join(' | ')} |`);
}
await service.stop();

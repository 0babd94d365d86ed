// The dearest requests of each kind of client: their cost beside a hot read, and the p99 of a guest's
// reads beside them, without the bounds of anonymous requests and with those of an installation.
// node --import tsx test/run.ts test/dearest/main.ts; ROWS=screen,upload asks for some rows alone
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuTime } from '../../bench/processes/usage.ts';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { constants } from '../../db/runtime/constants.ts';
import { issueToken } from '../support/admin.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { type Client, createClient, type Response } from '../support/http.ts';
import { createVisitor, signedIn } from '../support/panel.ts';
import { startPanelService } from '../support/panel-service.ts';

/** How long each kind is asked for, in ms, and by how many at once. */
const SPAN = 3_000;
const AT_ONCE = 8;
/** Requests of a kind before it is measured. */
const WARM_UP = 100;
/** Pause between two reads of the guest, in ms. */
const READ_PAUSE = 5;
const NO_BOUND = 1_000_000_000;

interface Kind {
  client: 'stranger' | 'guest' | 'user' | 'token';
  name: string;
  /** The limit or bound that covers it. */
  bound: string;
  ask: (n: number, client: Client) => Promise<Response>;
}

const service = await startPanelService([trattoria]);
const token = await issueToken(service.db, service.tenantId);
const owner = await signedIn(service.client);
const dish = (await service.client.get('/items')).json.data[0].id;
const limits = { LIMIT_ADMIN: '1000000' };
/** Only a request that is done shows its cost. */
const open = await startGatewayProcess(service.databaseUrl, limits, {
  maxPanelCost: NO_BOUND,
  maxUncountedRequests: NO_BOUND,
  maxScreenCodes: NO_BOUND,
  limitLeakDivisor: 1,
});
const bounded = await startGatewayProcess(
  service.databaseUrl,
  { ...limits, LIMIT_PUBLIC: '120', TRUSTED_PROXIES: '127.0.0.0/8' },
  constants,
);

/** A path in which `{n}` is the number of the request, and `{digest}` the same in 64 digits. */
type Path = string | ((n: number) => string);
const digest = (n: number) => n.toString(16).padStart(64, '0');
const numbered = (path: Path, n: number) =>
  typeof path === 'string'
    ? path.replaceAll('{n}', String(n)).replaceAll('{digest}', digest(n))
    : path(n);
const at = (gateway: Client, path: string, headers: Record<string, string> = {}) =>
  gateway.send(path, { headers });
const get =
  (path: Path, headers: Record<string, string> = {}): Kind['ask'] =>
  (n, client) =>
    at(client, numbered(path, n), headers);
/** A read at a host that is made up. */
const atHost =
  (host: Path): Kind['ask'] =>
  (n, client) =>
    at(client, '/api/v1/menu', { Host: numbered(host, n) });
const post =
  (path: string, type: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  (_: number, client: Client) =>
    client.send(path, { method: 'POST', headers: { 'Content-Type': type, ...headers }, body });
const form = (path: string, body: string, headers: Record<string, string> = {}) =>
  post(path, 'application/x-www-form-urlencoded', body, headers);

/** A browser that was given the sign-in page, and sends it back with a form that is to be kept. */
const stranger = createVisitor(service.client);
const page = (await stranger.get('/admin/sign-in')).text;
const formToken = /name="form_token" value="([^"]*)"/.exec(page)?.[1] ?? '';
const kept = (bytes: number) =>
  new URLSearchParams({
    ...{ form_token: formToken, kept_path: '/admin/restaurant' },
    kept: Buffer.from('&'.repeat(bytes)).toString('base64url'),
  }).toString();
const names = (count: number) =>
  Array.from({ length: count }, (_, n) => `a${n.toString(36)}=`).join('&');
const own = { Origin: 'http://trattoria.localhost' };
const begun = { ...own, Cookie: stranger.cookie };
const session = { Cookie: owner.cookie };
const bearer = { Authorization: `Bearer ${token}` };

/** A form of many parts, as short as parts can be. */
const parts = (count: number) =>
  Buffer.from(
    `${'--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n'.repeat(count)}--x--\r\n`,
  );
const MULTIPART = 'multipart/form-data; boundary=x';

const PANEL = 'maxPanelCost';
const UNCOUNTED = 'maxUncountedRequests';
const stray = (name: string, bound: string, ask: Kind['ask']): Kind => ({
  ...{ client: 'stranger', name, bound, ask },
});
const kinds: Kind[] = [
  stray('/ in made-up languages', 'made once', (n, client) =>
    at(client, `/?lang=${['it', 'en', 'de'][n % 3]}&n=${n}`),
  ),
  stray('/docs', UNCOUNTED, get('/docs')),
  stray('a path that does not exist', 'LIMIT_PUBLIC', get('/{n}')),
  stray('/screen, a new browser', UNCOUNTED, get('/screen')),
  stray('/screen, a made-up cookie', UNCOUNTED, (n, client) =>
    at(client, '/screen', { Cookie: `lavagna-screen=${digest(n).slice(0, 43)}` }),
  ),
  stray('/media, a photo that does not exist', UNCOUNTED, get('/media/{digest}-320.webp')),
  stray('/preview, a made-up link', UNCOUNTED, get('/preview/{digest}')),
  stray('/admin/link, a made-up link', `${PANEL}, ${UNCOUNTED}`, get('/admin/link/{digest}')),
  stray('/sitemap.xml', UNCOUNTED, get('/sitemap.xml')),
  stray('/display/…/icon-512.png', UNCOUNTED, get('/display/{n}/icon-512.png')),
  stray('/display/…/preview.png', UNCOUNTED, get('/display/{n}/preview.png')),
  stray('/manifest.webmanifest', UNCOUNTED, get('/manifest.webmanifest')),
  stray('a restaurant that does not exist', UNCOUNTED, atHost('nowhere-{n}.localhost')),
  stray('a host that does not exist', UNCOUNTED, atHost('n{n}.example')),
  stray('a form that is kept, 43 KB', PANEL, form('/admin/sign-in', kept(36_000), begun)),
  stray(
    'a form that is kept, 128 KB',
    `${PANEL}, 64 KB`,
    form('/admin/sign-in', kept(131_000), begun),
  ),
  stray('a form of 4,000 names', PANEL, form('/admin/menu/items/1', names(4_000), begun)),
  stray(
    'a form of 70,000 names',
    `${PANEL}, 64 KB`,
    form('/admin/menu/items/1', names(70_000), begun),
  ),
  stray('an upload of 1,000 parts', PANEL, post('/admin/import', MULTIPART, parts(1_000), begun)),
  stray(
    'an upload of 18,000 parts',
    `${PANEL}, 64 KB`,
    post('/admin/import', MULTIPART, parts(18_000), begun),
  ),
  stray('the page to sign in', PANEL, get('/admin/sign-in')),
  {
    ...{ client: 'guest', name: '/items, a new search', bound: 'LIMIT_PUBLIC' },
    ask: get('/api/v1/items?search=a{n}&per_page=100'),
  },
  {
    ...{ client: 'guest', name: '/items, 100 dishes, br', bound: 'LIMIT_PUBLIC' },
    ask: get((n) => `/api/v1/items?per_page=${1 + (n % 100)}`, { 'Accept-Encoding': 'br' }),
  },
  ...(['/admin/statistics', '/admin/import/export', '/admin/qr.png', '/admin/menu'] as const).map(
    (path): Kind => ({ client: 'user', name: path, bound: PANEL, ask: get(path, session) }),
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
      ask: get(`/api/v1/admin${path}`, bearer),
    }),
  ),
];
/** CPU of a gateway and of the sessions of Postgres that serve it, in µs. */
async function cpuOf(pid: number): Promise<number> {
  const backends = await service.sql(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return cpuTime([pid, ...backends.map((row) => row.pid as number)]);
}

/** A guest's reads, each a little after the one before, while something goes on; their p99 in ms. */
async function readBeside(client: Client, work: Promise<unknown>): Promise<number> {
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  let n = 0;
  while (!isOver) {
    const started = performance.now();
    n += 1;
    // The guest is one of many, so that no limit is reached.
    await client.get('/menu', { 'X-Forwarded-For': `198.51.${n % 200}.7` });
    times.push(performance.now() - started);
    await sleep(READ_PAUSE);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

/** Requests that are sent for `SPAN` by some at once. */
async function flood(ask: (n: number) => Promise<Response>) {
  const answers = new Map<number, number>();
  let count = 0;
  const until = performance.now() + SPAN;
  const one = async () => {
    while (performance.now() < until) {
      count += 1;
      // Refused bodies end their connection.
      const status = await ask(count).then(
        (answer) => answer.status,
        () => 0,
      );
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  const [usual] = [...answers].sort(([, a], [, b]) => b - a);
  return { count, status: usual?.[0] ?? 0 };
}

const clientOf = ({ port }: { port: number }, from?: string): Client => {
  const client = createClient(port, 'trattoria.localhost');
  if (from === undefined) return client;
  return {
    ...client,
    send: (path, options = {}) =>
      client.send(path, { ...options, headers: { 'X-Forwarded-For': from, ...options.headers } }),
  };
};

async function measure(ask: Kind['ask'], address: number) {
  const [free, limited] = [clientOf(open), clientOf(bounded, `192.0.2.${address}`)];
  // The first requests show what is made once, and code that nothing has compiled yet.
  for (let n = 0; n < WARM_UP; n += 1) await ask(NO_BOUND + n, free).catch(() => undefined);
  const before = await cpuOf(open.pid);
  const alone = await flood((n) => ask(n, free));
  const cpu = ((await cpuOf(open.pid)) - before) / alone.count;
  let offset = alone.count;
  const beside = async (gateway: typeof open, client: Client) => {
    const work = flood((n) => ask(offset + n, client));
    const p99 = await readBeside(clientOf(gateway), work);
    offset += (await work).count;
    return { p99, ...(await work) };
  };
  const unbounded = await beside(open, free);
  return { cpu, ...alone, unbounded, bounded: await beside(bounded, limited) };
}

await clientOf(open).get('/menu');
await clientOf(bounded).get('/menu');
const read: Kind['ask'] = (_, client) => client.get('/menu');
await measure(read, 249);
const hot = await measure(read, 250);
const quiet = await readBeside(clientOf(open), sleep(SPAN));
console.log(`A hot read takes ${hot.cpu.toFixed(0)} µs of CPU, of the gateway and of Postgres.`);
console.log(`p99 of a guest's read with nothing beside it: ${quiet.toFixed(1)} ms;`);
console.log(`beside ${AT_ONCE} clients that read hot: ${hot.unbounded.p99.toFixed(1)} ms\n`);
console.log(
  '| client | request | status | hot reads | a second | p99 of others, ms | with the bounds, a second | p99, ms | covered by |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
const wanted = (process.env.ROWS ?? '').split(',').filter(Boolean);
for (const [index, { client: by, name, bound, ask }] of kinds.entries()) {
  if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
  const found = await measure(ask, index);
  const rate = ({ count }: { count: number }) => Math.round((count * 1_000) / SPAN);
  const cells = [
    ...[by, name, found.status, (found.cpu / hot.cpu).toFixed(1)],
    ...[rate(found.unbounded), found.unbounded.p99.toFixed(1)],
    ...[`${rate(found.bounded)} (${found.bounded.status})`, found.bounded.p99.toFixed(1), bound],
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
await open.stop();
await bounded.stop();
await service.stop();

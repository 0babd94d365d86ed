// `node --import tsx test/faults/hosts/main.ts`, as root: Lavagna runs on three hosts. One host after the
// other is cut off from the network and comes back.
import { setTimeout as sleep } from 'node:timers/promises';
import { withFolder } from '../../../bench/processes/temporary-folder.ts';
import { type Ask, type Cluster, type Reply, startCluster } from './cluster.ts';
import { layNetwork, type Network } from './network.ts';
import { describeWatched, priceAt, until, type Watched, watch } from './watch.ts';

const HOSTS = ['database', 'a', 'b'] as const;
type Host = (typeof HOSTS)[number];

/** Who is cut off, for how many seconds, and which gateways are asked meanwhile. */
const CUTS: { host: Host; seconds: number; lost: Host[]; rest: Host[] }[] = [
  { host: 'b', seconds: 5, lost: ['b'], rest: ['a'] },
  { host: 'b', seconds: 40, lost: ['b'], rest: ['a'] },
  { host: 'a', seconds: 20, lost: ['a'], rest: ['b'] },
  { host: 'database', seconds: 20, lost: ['a', 'b'], rest: ['database'] },
];
const RETURN_BOUND_MS = 120_000;
const DISH = 1;
let price = 10;

function write(ask: Ask) {
  price += 1;
  return ask('trattoria', `/admin/items/${DISH}`, { method: 'PATCH', body: { price } });
}

/** Everything that is asked of one gateway during a cut. */
async function watchGateway(ask: Ask, unread: string, isOver: () => boolean) {
  const [hot, unknown, writes] = await Promise.all([
    watch(() => ask('trattoria', '/menu'), 100, isOver),
    watch(() => ask(unread, '/menu'), 200, isOver),
    watch(() => write(ask), 500, isOver),
  ]);
  return { 'menus in memory': hot, 'menus not in memory': unknown, writes };
}

/** Seconds until a request is answered 200. */
const untilAnswered = (send: () => Promise<Reply>) =>
  until(async () => (await send()).status === 200, RETURN_BOUND_MS);

async function cutOff(network: Network, { ask, unread }: Cluster, cut: (typeof CUTS)[number]) {
  const { host, seconds, lost, rest } = cut;
  const slug = unread.shift() ?? 'pizzeria';
  for (const name of HOSTS) await ask[name]('trattoria', '/menu');
  console.log(`\n${host} is cut off for ${seconds} s`);
  network.cut(host);
  const end = Date.now() + seconds * 1_000;
  const isOver = () => Date.now() > end;
  const watched = await Promise.all(
    [...lost, ...rest].map(async (name) => {
      return { name, kinds: await watchGateway(ask[name], slug, isOver) };
    }),
  );
  network.join(host);
  for (const { name, kinds } of watched) {
    console.log(`  gateway ${name}${lost.includes(name) ? ', without Postgres' : ''}`);
    for (const [what, seen] of Object.entries(kinds)) console.log(describeWatched(what, seen));
  }
  const back = await Promise.all(
    lost.map(async (name) => {
      const served = await untilAnswered(() => ask[name](slug, '/menu'));
      return `${name} reads from Postgres after ${served.toFixed(1)} s`;
    }),
  );
  const written = await untilAnswered(() => write(ask[rest[0] ?? 'a']));
  const wanted = price;
  const stale = await until(async () => {
    const prices = await Promise.all(HOSTS.map((name) => priceAt(ask[name], DISH)));
    return prices.every((shown) => shown === wanted);
  }, RETURN_BOUND_MS);
  const through = await untilAnswered(() => write(ask[lost[0] ?? 'b']));
  console.log(`  back: ${back.join(', ')};`);
  console.log(`    a write through ${rest} is done after ${written.toFixed(1)} s more,`);
  console.log(`    shown by every gateway after ${stale.toFixed(1)} s more;`);
  console.log(`    one through ${lost[0]} is done after ${through.toFixed(1)} s more`);
  const isKept = (seen: Watched) => [...seen.statuses.keys()].every((status) => status === 200);
  const isBack = [written, stale, through].every(Number.isFinite);
  return isBack && watched.every(({ kinds }) => isKept(kinds['menus in memory']));
}

await withFolder('hosts', async (dataDir) => {
  const network = layNetwork(HOSTS);
  try {
    const cluster = await startCluster(network, dataDir);
    try {
      for (const cut of CUTS) {
        if (!(await cutOff(network, cluster, cut))) process.exitCode = 1;
        await sleep(2_000);
      }
    } finally {
      await cluster.stop();
    }
  } finally {
    network.remove();
  }
});

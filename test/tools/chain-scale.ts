// `node --import tsx test/run.ts test/tools/chain-scale.ts`: a chain of 200 branches with 300 dishes in
// five languages. It times publications of one price and of the whole menu until the last branch serves
// it, with the writes and reads of another restaurant beside them. `BRANCHES=20` takes fewer branches,
// and `WORKERS=2` takes more workers.
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../bench/processes/free-port.ts';
import { followMaster } from '../../db/actions/chains.ts';
import { createRestaurant } from '../../db/actions/restaurants.ts';
import type { Database } from '../../db/postgres/connection.ts';
import { type AdminClient, createAdminClient, issueToken } from '../support/admin.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Client, createClient } from '../support/http.ts';
import { dishOf, openDatabase, plant, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { startService } from '../support/service-process.ts';
import { runSql } from '../support/sql.ts';

const BRANCHES = Number(process.env.BRANCHES ?? 200);
const WORKERS = Number(process.env.WORKERS ?? 1);
const DISHES = 300;
const LOCALES = ['it', 'en', 'de', 'fr', 'es'] as const;

const inAll = (text: string) =>
  Object.fromEntries(LOCALES.map((locale) => [locale, `${text} (${locale})`])) as { it: string };

/** A menu of 20 sections. */
function menu(slug: string) {
  const dishes = (section: number) =>
    Array.from({ length: DISHES / 20 }, (_, at) => ({
      ...dishOf(`Piatto ${section}/${at}`, { price: 10, allergens: ['latte'] }),
      name: inAll(`Piatto ${section}/${at}`),
      description: inAll('Con burro, salvia e un po’ di pazienza'),
    }));
  const sections = Array.from({ length: 20 }, (_, at) => sectionOf(`Sezione ${at}`, dishes(at)));
  return restaurantOf(slug, sections);
}

/** The `share` of times that none of so many exceeds. */
function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Writes to and reads from another restaurant until they are stopped. */
function startOthers(admin: AdminClient, client: Client, id: number) {
  const [writes, reads]: [number[], number[]] = [[], []];
  let goesOn = true;
  const loop = async (times: number[], ask: () => Promise<unknown>) => {
    while (goesOn) {
      const began = performance.now();
      await ask();
      times.push(performance.now() - began);
      await sleep(20);
    }
  };
  let price = 1;
  const change = () => {
    price += 1;
    return admin.call('PUT', `/items/${id}`, { price });
  };
  const done = Promise.all([loop(writes, change), loop(reads, () => client.get('/menu'))]);
  return async () => {
    goesOn = false;
    await done;
    return { writes, reads };
  };
}

const say = (text: string) => console.log(text);

function describe(what: string, { writes, reads }: { writes: number[]; reads: number[] }): void {
  const p = (times: number[]) =>
    `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;
  say(`  beside ${what}: ${writes.length} writes ${p(writes)}; ${reads.length} reads ${p(reads)}`);
}

async function openChain(db: Database): Promise<{ token: string; other: number }> {
  const masterId = await plant(db, menu('casa'));
  const other = await plant(db, menu('altra'));
  for (let at = 0; at < BRANCHES; at += 1) {
    const slug = `filiale-${at}`;
    await createRestaurant(db, { slug, name: slug, locale: 'it' });
    await followMaster(db, slug, { master: 'casa', match: 'external_id', dry_run: false });
  }
  return { token: await issueToken(db, masterId), other };
}

const database = await createTestDatabase();
const db = await openDatabase(database.url);
const { token, other } = await openChain(db);
const port = await freePort();
const limits = { LIMIT_PUBLIC: '1000000', LIMIT_ADMIN: '1000000' };
const gateway = await startService('gateway/main.ts', database.url, {
  PORT: String(port),
  ...limits,
});
const workers = await Promise.all(
  Array.from({ length: WORKERS }, () => startService('workers/main.ts', database.url)),
);
const cpuOfAll = async () => {
  const times = await Promise.all(workers.map(({ program }) => cpuOf(program.pid)));
  return times.reduce((sum, time) => sum + time, 0);
};
const master = createAdminClient(createClient(port, 'casa.localhost'), token);
const otherClient = createClient(port, 'altra.localhost');
const otherAdmin = createAdminClient(otherClient, await issueToken(db, other));
const [otherDish] = (await otherAdmin.get('/items?per_page=1')).json.data;

/** The time of cores that a process has used, in ms: Linux counts it in hundredths of a second. */
async function cpuOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Publishes, and waits until each branch has it and serves it. */
async function publish(what: string): Promise<void> {
  const cpuBefore = await cpuOfAll();
  const stop = startOthers(otherAdmin, otherClient, otherDish.id);
  const began = performance.now();
  const answer = await master.call('POST', '/chain/publish', {});
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  for (;;) {
    const [row] = await runSql(
      database.url,
      `select count(*)::int as count from chain_branches b join tenants t on t.id = b.master_id
       where b.taken_version is distinct from t.version`,
    );
    if (row.count === 0) break;
    await sleep(50);
  }
  const taken = performance.now() - began;
  const served = await createClient(port, `filiale-${BRANCHES - 1}.localhost`).get('/menu');
  if (served.status !== 200) throw new Error(served.text);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  say(
    `${what}: ${(taken / 1_000).toFixed(1)} s until ${BRANCHES} branches have it, ${seconds} s until the last serves it`,
  );
  const cpu = (await cpuOfAll()) - cpuBefore;
  say(`  ${WORKERS} workers used ${(cpu / BRANCHES).toFixed(0)} ms of a core for each branch`);
  describe(what, await stop());
}

try {
  const idle = startOthers(otherAdmin, otherClient, otherDish.id);
  await sleep(5_000);
  describe('nothing', await idle());
  await publish('the whole menu, new in each branch');
  const [dish] = (await master.get('/items?per_page=1')).json.data;
  await master.call('PUT', `/items/${dish.id}`, { price: 11.5 });
  await publish('one price');
  const operations: object[] = [];
  for (let page = 1; page <= DISHES / 100; page += 1) {
    const { data } = (await master.get(`/items?per_page=100&page=${page}`)).json;
    for (const { id } of data) {
      const texts = { description: inAll(`Un’altra descrizione ${id}`), price: 13 };
      operations.push({ resource: 'items', action: 'update', id, data: texts });
    }
  }
  await master.call('POST', '/bulk', { operations });
  await publish('the whole menu, changed');
} finally {
  await gateway.program.stop();
  await Promise.all(workers.map(({ program }) => program.stop()));
  await db.end();
  await database.drop();
}

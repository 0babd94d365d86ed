// `node --import tsx test/faults/kills/main.ts [ROUNDS] [SEED] [DOORS]`: writers go through all doors,
// or those that are named with commas between them, while both gateways, both workers and Postgres
// are killed in each round. Prints what was lost or doubled, also where a page said that it is saved.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../../bench/load/random.ts';
import { freePort } from '../../../bench/processes/free-port.ts';
import { migrate } from '../../../db/operator/database/migrate.ts';
import { startEmbedded } from '../../../db/operator/database/start-embedded.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { plantWithToken } from '../../support/admin.ts';
import { createClient } from '../../support/http.ts';
import { assertJournal } from '../../support/judge-journal.ts';
import { addUser } from '../../support/panel.ts';
import { dishOf, openDatabase, restaurantOf, sectionOf } from '../../support/restaurant.ts';
import { type ServiceProcess, startService } from '../../support/service-process.ts';
import { runSql } from '../../support/sql.ts';
import { until } from '../../support/until.ts';
import { holdPostgres } from '../outages/postgres.ts';
import { type Door, doors, type Place } from './doors.ts';

const SLUGS = ['alba', 'bora', 'costa'];
/** Two gateways, two workers and Postgres. */
const KILLS_A_ROUND = 5;
/** The longest pause between two kills, in ms. */
const PAUSE_MS = 1_500;
/** One address asks more of them than guests and owners do. */
const LIMITS = { LIMIT_PUBLIC: '1000000' };
const CHANGED = { ...constants, maxPanelCost: 1_000_000 };

const rounds = Number(process.argv[2] ?? 24);
const seed = Number(process.argv[3] ?? 1);
const named = process.argv[4]?.split(',') ?? Object.keys(doors);
const { next: random } = createRandom(seed);

const folder = await mkdtemp(join(tmpdir(), 'lavagna-kills-'));
await chmod(folder, 0o755);

/** A restaurant's promises. */
interface Ledger {
  place: Place;
  made: string[];
  gone: string[];
  unknown: string[];
  /** How many pages said that a change is saved. */
  saved: number;
  byDoor: Map<string, number>;
}

/** Goes through one door after the other until the kills are over. */
async function write(ledger: Ledger, name: string, door: Door, goesOn: () => boolean) {
  for (let count = 0; goesOn(); count += 1) {
    const label = `${name} ${ledger.place.slug} ${count}`;
    const { made, gone, unknown = [], saved = 0 } = await door(ledger.place, label);
    ledger.unknown.push(...unknown);
    ledger.saved += saved;
    ledger.made.push(...made);
    ledger.gone.push(...gone);
    ledger.byDoor.set(name, (ledger.byDoor.get(name) ?? 0) + 1);
  }
}

const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);

/** The names of a restaurant's dishes. */
async function readDishes({ databaseUrl, slug }: Place): Promise<string[]> {
  const rows = await runSql(
    databaseUrl,
    `select d.name->>'it' as name from dishes d join tenants t on t.id = d.tenant_id
     where t.slug = $1 and d.deleted_at is null`,
    [slug],
  );
  return rows.map(({ name }) => name);
}

/** Promised dishes that are missing or doubled, and dishes that should not be there. */
async function compare({ place, made, gone, unknown }: Ledger): Promise<string[]> {
  const counts = new Map<string, number>();
  for (const name of await readDishes(place)) counts.set(name, (counts.get(name) ?? 0) + 1);
  counts.delete('D');
  const wrong = [
    ...made.filter((name) => !counts.has(name)).map((name) => `lost: ${name}`),
    ...gone.filter((name) => counts.has(name)).map((name) => `there again: ${name}`),
  ];
  const promised = new Set([...made, ...gone, ...unknown]);
  for (const [name, count] of counts) {
    if (count > 1) wrong.push(`doubled: ${name}`);
    if (!promised.has(name)) wrong.push(`never promised: ${name}`);
  }
  return wrong;
}

/** Whether journal, export and both gateways tell of the same menu. */
async function compareViews({ place }: Ledger, ports: readonly number[]): Promise<string[]> {
  const text = 'select version from tenants where slug = $1';
  const [row] = await runSql(place.databaseUrl, text, [place.slug]);
  const clients = ports.map((port) => createClient(port, `${place.slug}.localhost`));
  const namesOf = (text: string): string[] =>
    JSON.parse(text).data.sections.flatMap(({ items }: { items: { name: string }[] }) =>
      items.map(({ name }) => name),
    );
  const expected = new Set(await readDishes(place));
  /** The dishes that a guest's menu lacks, or has without a promise. */
  const differences = (text: string) => {
    const names = new Set(namesOf(text));
    return [...expected].filter((name) => !names.has(name)).length + names.size - expected.size;
  };
  let menus: string[] = [];
  // The differences are told below.
  await until('a gateway does not come to the last version', async () => {
    const replies = await Promise.all(clients.map((client) => client.get('/menu')));
    menus = replies.map(({ text }) => text);
    return menus.every((text) => differences(text) === 0);
  }).catch(() => undefined);
  const headers = { Authorization: `Bearer ${place.token}` };
  const [client] = clients;
  const kept = await client?.get(`/admin/versions/${row.version}/menu`, headers);
  const whole = await client?.get('/admin/export', headers);
  const wrong = menus.flatMap((text, at) => {
    const count = differences(text);
    return count === 0 ? [] : [`gateway ${at} of ${place.slug}: ${count} dishes differ`];
  });
  if (new Set(menus).size !== 1) wrong.push('the gateways differ');
  if (JSON.stringify(kept?.json.data) !== JSON.stringify(whole?.json.data)) {
    wrong.push(`${place.slug}: the journal differs from the export`);
  }
  return wrong;
}

/** Writes that were given up, and errors in the logs of processes. */
async function readTroubles(url: string, services: readonly ServiceProcess[]): Promise<string[]> {
  const text = 'select id, error from writes where finished_at is not null and error is not null';
  const given = await runSql(url, text);
  const logs = services.flatMap(({ program }) => program.stdout().split('\n'));
  return [
    ...given.map(({ id, error }) => `given up: ${id} ${error}`),
    ...logs.filter((line) => /"level":[56]0/.test(line)),
  ];
}

const dataDir = join(folder, 'data');
const embedded = await startEmbedded({ dataDir, role: 'call' });
/** Rounds that are over. */
let done = 0;
const wrong: string[] = [];
const ledgers: Ledger[] = [];
const sum = (of: (one: Ledger) => number) => ledgers.reduce((all, one) => all + of(one), 0);
try {
  await migrate(embedded.url);
  const postgres = holdPostgres(embedded.url, join(dataDir, 'postgres'));
  const db = await openDatabase(embedded.url);
  const ports = [await freePort(), await freePort()];
  for (const [at, slug] of SLUGS.entries()) {
    const restaurant = restaurantOf(slug, [sectionOf('Primi', [dishOf('D')])]);
    const { tenantId, ...planted } = await plantWithToken(embedded.url, restaurant);
    await addUser(db, tenantId);
    const place = { slug, ...planted, databaseUrl: embedded.url, folder };
    ledgers.push({
      ...{ made: [], gone: [], unknown: [], saved: 0, byDoor: new Map() },
      place: { ...place, port: ports[at % 2] as number },
    });
  }
  await db.end();

  const started: ServiceProcess[] = [];
  /** Starts a process again and again, as a supervisor does while Postgres is away. */
  const launch = async (...args: Parameters<typeof startService>): Promise<ServiceProcess> => {
    const service = await startService(...args).catch(() => null);
    if (!service) return launch(...args);
    started.push(service);
    return service;
  };
  const start = {
    gateway: (port: number) =>
      launch('gateway/main.ts', embedded.url, { PORT: String(port), ...LIMITS }, CHANGED),
    worker: () => launch('workers/main.ts', embedded.url, {}, constants),
  };
  const gateways = await Promise.all(ports.map(start.gateway));
  const workers = await Promise.all([start.worker(), start.worker()]);
  const kills = [
    ...[0, 1].map((at) => async () => {
      await gateways[at]?.program.kill();
      gateways[at] = await start.gateway(ports[at] as number);
    }),
    ...[0, 1].map((at) => async () => {
      await workers[at]?.program.kill();
      workers[at] = await start.worker();
    }),
    async () => {
      await postgres.suffer('kill');
      await postgres.recover('kill');
    },
  ];

  let goesOn = true;
  const writing = Promise.all(
    ledgers.flatMap((ledger) =>
      named.map((name) =>
        write(ledger, name, doors[name] as Door, () => goesOn).catch((error: Error) => {
          wrong.push(`${name} of ${ledger.place.slug} has stopped: ${error.message}`);
        }),
      ),
    ),
  );
  for (let round = 1; round <= rounds && wrong.length === 0; round += 1) {
    for (const kill of shuffled(kills)) {
      await sleep(random() * PAUSE_MS);
      await kill();
    }
    const count = sum(({ made, gone }) => made.length + gone.length);
    done = round;
    console.log(`round ${round} of ${rounds}: ${count} dishes promised`);
  }
  goesOn = false;
  await writing;
  for (const ledger of ledgers) {
    wrong.push(...(await compare(ledger)), ...(await compareViews(ledger, ports)));
  }
  await assertJournal(embedded.url).catch((error: Error) => wrong.push(error.message));
  if (wrong.length > 0) wrong.push(...(await readTroubles(embedded.url, started)));
  await Promise.all([...gateways, ...workers].map(({ program }) => program.stop()));
} finally {
  await embedded.stop();
  await rm(folder, { recursive: true, force: true });
}
for (const name of named) {
  console.log(`${name}: ${sum(({ byDoor }) => byDoor.get(name) ?? 0)} changes`);
}
const [made, gone] = [sum((one) => one.made.length), sum((one) => one.gone.length)];
const unknown = sum((one) => one.unknown.length);
console.log(`seed ${seed}, ${done * KILLS_A_ROUND} kills`);
console.log(`${made} dishes made, ${gone} made and taken away, ${unknown} without a word`);
console.log(`${sum((one) => one.saved)} pages said that a change is saved`);
console.log(wrong.length === 0 ? '0 lost, 0 doubled, 0 differences' : wrong.join('\n'));
process.exitCode = wrong.length === 0 ? 0 : 1;

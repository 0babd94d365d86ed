// Releases over kills of the workers around their moments, and the menu after any mix of releases and
// ordinary writes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '../../bench/load/random.ts';
import { createAdminClient, issueToken } from '../support/admin.ts';
import { createClient, type Response } from '../support/http.ts';
import { ownDatabase } from '../support/own-database.ts';
import { dishOf, plant, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { seed } from '../support/seed.ts';
import { fileService } from '../support/service-process.ts';
import { often } from '../support/thorough.ts';
import { until } from '../support/until.ts';

/** Rounds of kills, and steps of the mix; a long run has 50 and 1,000. */
const KILLS = Number(process.env.KILLS ?? often(2, 3));
const STEPS = Number(process.env.STEPS ?? 60);
const HOST = 'osteria.localhost';
const WORKER = 'workers/main.ts';
/** A moment that no run reaches. */
const LATER = '2198-12-24T18:00:00Z';

type Row = Record<string, unknown>;

const database = await ownDatabase();
const { db } = database;
const random = createRandom(seed);
const { below, pick } = random;

const planted = Array.from({ length: 6 }, (_, index) => dishOf(`Piatto ${index}`));
const tenantId = await plant(db, restaurantOf('osteria', [sectionOf('S', planted)]));
const gateway = await fileService('gateway/main.ts', database.url);
const startWorker = () => fileService(WORKER, database.url);
const workers = await Promise.all([0, 1].map(startWorker));
const admin = createAdminClient(createClient(gateway.port, HOST), await issueToken(db, tenantId));
const sectionId = (await admin.get('/categories')).json.data[0].id;

async function done(status: number, sent: Promise<Response>) {
  const reply = (await sent).expect(status);
  return status === 204 ? null : reply.json.data;
}
const makeRelease = (body: Row) => done(201, admin.call('POST', '/releases', body));
const release = (id: unknown, action: string) =>
  done(200, admin.call('POST', `/releases/${id}/${action}`));
/** A restaurant has room for so many, and those that are over count. */
const forget = (id: unknown) => done(204, admin.call('DELETE', `/releases/${id}`));
const dishes = async (): Promise<Row[]> => (await admin.get('/items?per_page=100')).json.data;
const create = (name: string, price: number) => ({
  ...{ resource: 'items', action: 'create' },
  data: { category_id: sectionId, name: { it: name }, price },
});
const nameOf = ({ name }: Row) => String((name as Row).it ?? name);
const stateOf = async (id: unknown) => (await admin.get(`/releases/${id}`)).json.data.state;
const update = (id: unknown, data: Row) => ({ resource: 'items', action: 'update', id, data });

/** The fields that the mix changes. */
interface Dish extends Row {
  price: number;
  is_recommended: boolean;
}

/** A live release as the rules see it. */
interface Live {
  id: number;
  changed: { id: number; field: string; before: unknown; after: unknown }[];
  created: Map<number, Dish>;
}

/** The menu and its live releases, as the rules say that they are. */
const menu = new Map<number, Dish>();
const live: Live[] = [];

const someFields = (): Partial<Dish> => ({
  ...(below(2) === 0 && { is_recommended: below(2) === 0 }),
  price: 1 + below(4),
});

async function changeDish(): Promise<void> {
  const [id, data] = [pick([...menu.keys()]), someFields()];
  await done(200, admin.call('PATCH', `/items/${id}`, data));
  Object.assign(menu.get(id) as Dish, data);
}

async function deleteDish(): Promise<void> {
  const id = pick([...menu.keys()]);
  await done(204, admin.call('DELETE', `/items/${id}`));
  menu.delete(id);
}

async function publish(step: number): Promise<void> {
  const ids = new Set([pick([...menu.keys()]), pick([...menu.keys()])]);
  const changes = [...ids].map((id) => ({ id, data: someFields() }));
  const name = `Nuovo ${step}`;
  const operations = [create(name, 2), ...changes.map(({ id, data }) => update(id, data))];
  const { id } = await makeRelease({ name, operations });
  await release(id, 'publish');
  const changed = changes.flatMap((change) => {
    const dish = menu.get(change.id) as Dish;
    const fields = Object.entries(change.data).filter(([field, value]) => dish[field] !== value);
    return fields.map(([field, value]) => {
      const net = { id: change.id, field, before: dish[field], after: value };
      Object.assign(dish, { [field]: value });
      return net;
    });
  });
  const made = (await dishes()).find((dish) => nameOf(dish) === name);
  const row = { price: 2, is_recommended: false };
  menu.set(Number(made?.id), { ...row });
  live.push({ id, changed, created: new Map([[Number(made?.id), row]]) });
}

async function endOne(): Promise<void> {
  const [one] = live.splice(below(live.length), 1) as [Live];
  await release(one.id, 'end');
  await forget(one.id);
  for (const { id, field, before, after } of one.changed) {
    const dish = menu.get(id);
    if (dish?.[field] === after) Object.assign(dish as Dish, { [field]: before });
  }
  for (const [id, row] of one.created) {
    const dish = menu.get(id);
    if (dish?.price === row.price && dish.is_recommended === row.is_recommended) menu.delete(id);
  }
}

test('after any mix of releases and writes the menu is as the rules say', async (t) => {
  for (const { id, price, is_recommended } of await dishes()) {
    menu.set(Number(id), { price, is_recommended } as Dish);
  }
  let ends = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const kind = below(10);
    if (live.length > 0 && (kind < 3 || live.length > 8)) {
      await endOne();
      ends += 1;
    } else if (kind < 6) await publish(step);
    else if (kind === 9 && menu.size > 6) await deleteDish();
    else await changeDish();
    const found = (await dishes()).map(({ id, price, is_recommended }) => [
      id,
      { price, is_recommended },
    ]);
    assert.deepEqual(new Map(found as [number, Dish][]), menu, `step ${step}`);
  }
  t.diagnostic(`${STEPS} steps, ${ends} ends of releases`);
});

test('releases begin and end once, when workers are killed at their moments', async (t) => {
  const dish = (await dishes())[0]?.id;
  await done(200, admin.call('PATCH', `/items/${dish}`, { price: 1 }));
  const newest = async () => (await admin.get('/versions?limit=1')).json.data[0].version;
  const began = await newest();
  const late: number[] = [];
  let former: unknown = null;
  for (let round = 0; round < KILLS; round += 1) {
    // One ends at the moment at which the next one begins.
    const operations = [create(`Natale ${round}`, 20), update(dish, { price: 10 + round })];
    const { id } = await makeRelease({ name: `Natale ${round}`, operations, starts_at: LATER });
    if (former) await done(200, admin.call('PUT', `/releases/${former}`, { ends_at: LATER }));
    const [{ moment }] = await database.sql(
      `with soon as (select date_trunc('second', now()) + interval '2 seconds' as moment)
       update releases r set starts_at = case r.id when $1 then moment else starts_at end,
         ends_at = case r.id when $2 then moment end
       from soon, (select id from tenants for update) t
       where t.id = r.tenant_id and r.id in ($1, $2) returning moment`,
      [id, former],
    );
    await delay(moment.getTime() - Date.now() - 150 + random.below(600));
    // One worker in one round, both in the next one.
    const killed = workers.splice(0, 1 + (round % 2));
    await Promise.all(killed.map(({ program }) => program.kill()));
    workers.push(...(await Promise.all(killed.map(startWorker))));
    const restarted = Date.now();
    await until(`release ${round} is not live`, async () => (await stateOf(id)) === 'live');
    late.push(Date.now() - Math.max(restarted, moment.getTime()));
    if (former) {
      assert.equal(await stateOf(former), 'ended');
      await forget(former);
    }
    const added = (await dishes()).filter((one) => nameOf(one).startsWith('Natale'));
    assert.deepEqual(added.map(nameOf), [`Natale ${round}`]);
    former = id;
  }
  await release(former, 'end');
  const [last] = await dishes();
  assert.deepEqual([last?.id, last?.price, menu.size], [dish, 1, (await dishes()).length]);
  const entries = await database.sql`
    select origin, actor_kind from versions where version > ${began} and origin <> 'api'`;
  const byClock = entries.filter(({ actor_kind }) => actor_kind === 'clock');
  assert.deepEqual([byClock.length, entries.length], [2 * KILLS - 1, 2 * KILLS]);
  t.diagnostic(`${KILLS} rounds; live at most ${Math.max(...late)} ms after moment and restart`);
});

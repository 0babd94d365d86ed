// Random writes of all kinds over random menus: the journal knows the menu of every version.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../bench/load/random.ts';
import { adminService } from '../support/admin.ts';
import { seed } from '../support/seed.ts';
import { until } from '../support/until.ts';

/** Menus that are tried, and writes to each. */
const MENUS = Number(process.env.MENUS ?? 1);
const WRITES = Number(process.env.WRITES ?? 20);
console.log(`journal-model: SEED=${seed}`);

// biome-ignore lint/suspicious/noExplicitAny: tests assert on what they find in it.
type Json = Record<string, any>;

const service = await adminService();

const COLLECTIONS = ['categories', 'types', 'wineries', 'items'] as const;
type Collection = (typeof COLLECTIONS)[number];

const { below: pick, pick: among } = createRandom(seed);
const { call } = service.admin;

async function readMenu(): Promise<Json> {
  return (await service.admin.get('/export')).json.data;
}

async function readVersion(): Promise<number> {
  return (await service.admin.get('/versions?limit=1')).json.data[0].version;
}

/** The exports of all versions, by version. */
const exports = new Map<number, Json>();
const counts = new Map<string, number>();

const name = () => ({ it: `Nome ${pick(1_000)}`, ...(pick(2) && { en: `Name ${pick(1_000)}` }) });
const DATA: Record<Collection, (menu: Json) => Json> = {
  categories: (menu) => ({
    name: name(),
    display_order: pick(9),
    parent_id: pick(3) ? null : (among<Json>(menu.categories)?.id ?? null),
  }),
  types: (menu) => ({ name: name(), category_id: among<Json>(menu.categories)?.id }),
  wineries: () => ({ name: `Cantina ${pick(100)}`, region: among(['', 'Carso']) }),
  items: (menu) => ({
    name: name(),
    category_id: among<Json>(menu.categories)?.id,
    price: pick(400) / 10,
    winery_id: pick(2) ? (among<Json>(menu.wineries)?.id ?? null) : null,
    allergens: among([null, [], ['latte'], ['latte', 'uova']]),
    external_id: pick(3) ? null : `piatto-${pick(20)}`,
  }),
};

/** Some fields of a record. */
function part(data: Json): Json {
  const entries = Object.entries(data).filter(() => pick(2) === 0);
  return Object.fromEntries(entries);
}

async function operation(menu: Json): Promise<Json> {
  const resource = among(COLLECTIONS);
  const target = among<Json>(menu[resource]);
  const action = target ? among(['create', 'update', 'update', 'delete']) : 'create';
  const data = DATA[resource](menu);
  if (action === 'create') return { resource, action, data };
  return { resource, action, id: target.id, ...(action === 'update' && { data: part(data) }) };
}

const deleted: { collection: Collection; id: number }[] = [];

/** Writes of each kind; some are refused and change nothing. */
const writes: Record<string, (menu: Json) => Promise<unknown>> = {
  create: async (menu) => {
    const collection = among(COLLECTIONS);
    await call('POST', `/${collection}`, DATA[collection](menu));
  },
  change: async (menu) => {
    const collection = among(COLLECTIONS);
    const target = among<Json>(menu[collection]);
    if (target) await call('PATCH', `/${collection}/${target.id}`, part(DATA[collection](menu)));
  },
  remove: async (menu) => {
    const collection = among(COLLECTIONS);
    const target = among<Json>(menu[collection]);
    if (!target) return;
    await call('DELETE', `/${collection}/${target.id}`);
    deleted.push({ collection, id: target.id });
  },
  restoreRecord: async () => {
    const one = among(deleted);
    if (one) await call('POST', `/${one.collection}/${one.id}/restore`);
  },
  settings: () => call('PATCH', '/settings', { phone: `040 ${pick(99)}`, is_active: true }),
  theme: () => call('PATCH', '/theme', { footer_text: `Grazie ${pick(99)}` }),
  bulk: async (menu) => {
    const operations = await Promise.all(Array.from({ length: 8 }, () => operation(menu)));
    await call('POST', '/bulk', { operations, on_error: 'skip_failed' });
  },
  together: async (menu) => {
    await Promise.all(
      Array.from({ length: 4 }, () => among([writes.create, writes.change])?.(menu)),
    );
  },
  import: async () => {
    const document = among([...exports.values()]);
    await call('PUT', `/import${pick(2) ? '?delete_missing=all' : ''}`, document);
  },
  undo: () =>
    call('POST', `/versions/${among([...exports.keys()])}/undo`, { skip_conflicts: true }),
  restore: () =>
    call('POST', `/versions/${among([...exports.keys()])}/restore`, { skip_conflicts: true }),
  clock: async (menu) => {
    const dish = among<Json>(menu.items);
    if (!dish) return;
    const before = await readVersion();
    for (let wait = 2_000; ; wait *= 2) {
      const soon = new Date(Date.now() + wait).toISOString().replace(/\.\d+Z$/, 'Z');
      const reply = await call('PATCH', `/items/${dish.id}`, { sold_out_until: soon });
      if (reply.status === 200) break;
      // A slow machine refuses a moment that has passed on its way.
      assert.ok(reply.status === 422 && wait < 60_000, reply.text);
    }
    await keep('');
    // One version of the dish that is sold out, and one of its end, which may be there already.
    await until('the clock has not come', async () => (await readVersion()) >= before + 2);
  },
};

/** Keeps the menu of the present version; those that it skips were of writes that came together. */
async function keep(kind: string): Promise<void> {
  const version = await readVersion();
  if (exports.has(version)) return;
  const menu = await readMenu();
  // The clock may have come in between.
  if ((await readVersion()) !== version) return keep(kind);
  exports.set(version, menu);
  if (kind !== '') counts.set(kind, (counts.get(kind) ?? 0) + 1);
}

async function plantMenu(): Promise<void> {
  const sections = Array.from({ length: 1 + pick(4) }, (_, at) => ({
    external_id: `s${at}`,
    name: name(),
  }));
  const items = Array.from({ length: pick(12) }, (_, at) => ({
    external_id: `d${at}`,
    name: name(),
    category_external_id: `s${pick(sections.length)}`,
    price: pick(300) / 10,
  }));
  const body = { format: 'lavagna-menu/1', categories: sections, types: [], wineries: [], items };
  (await call('PUT', '/import?delete_missing=all', body)).expect(200);
}

/** Whether the clock is going to change a menu: a way back may bring moments that are over. */
function isUnsettled({ items }: Json): boolean {
  return items.some(({ sold_out_until: until }: Json) => until && until !== 'indefinitely');
}

/** Waits until the clock has nothing to do, and keeps the menu of each version until then. */
async function settle(): Promise<void> {
  await until('the clock has more to do', async () => {
    await keep('clock');
    return !isUnsettled(await readMenu());
  });
}

/** An undo of the last version gives the menu before it. */
async function undoLast(): Promise<void> {
  const version = await readVersion();
  const earlier = exports.get(version - 1);
  if (!earlier || isUnsettled(earlier)) return;
  const reply = await call('POST', `/versions/${version}/undo`, {});
  assert.equal(reply.status, 200, `SEED=${seed}, version ${version}: ${reply.text}`);
  assert.deepEqual(await readMenu(), earlier, `SEED=${seed}: undo of version ${version}`);
  await keep('undo of the last');
}

/** An undo of a version that nothing touched later gives the menu without it. */
async function undoUntouched(): Promise<void> {
  await settle();
  const menu = await readMenu();
  const [first, second] = [menu.items[0], menu.items[1]];
  if (!second) return;
  const price = (dish: Json) => ({ price: (Math.round(dish.price * 10) + 7) / 10 });
  await call('PATCH', `/items/${first.id}`, price(first));
  const version = await readVersion();
  await keep('');
  await call('PATCH', `/items/${second.id}`, price(second));
  await keep('');
  (await call('POST', `/versions/${version}/undo`, {})).expect(200);
  const others = menu.items.map((dish: Json) =>
    dish.id === second.id ? { ...dish, ...price(second) } : dish,
  );
  assert.deepEqual(await readMenu(), { ...menu, items: others }, `SEED=${seed}: ${version}`);
  await keep('undo of an earlier one');
}

/** The menu that the journal knows of each version is the export that was taken then. */
async function compareAll(): Promise<void> {
  for (const [version, menu] of exports) {
    const reply = await service.admin.get(`/versions/${version}/menu`);
    assert.equal(reply.status, 200, `version ${version}: ${reply.text}`);
    assert.deepEqual(reply.json.data, menu, `SEED=${seed}: the menu of version ${version}`);
  }
}

for (let menu = 1; menu <= MENUS; menu += 1) {
  test(`the journal rebuilds the menu of every version, menu ${menu}`, async () => {
    exports.clear();
    await plantMenu();
    await keep('import');
    for (let done = 0; done < WRITES; done += 1) {
      const kind = among(Object.keys(writes));
      await writes[kind]?.(await readMenu());
      await keep(kind);
      await settle();
      if (pick(4) === 0) await undoLast();
      if (pick(8) === 0) await undoUntouched();
    }
    await compareAll();
    const kinds = JSON.stringify(Object.fromEntries(counts));
    console.log(`journal-model: ${exports.size} versions of menu ${menu}; writes ${kinds}`);
  });
}

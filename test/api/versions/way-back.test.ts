// Ways back: POST /admin/versions/{version}/undo and /restore.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { loadMenu } from '../../../db/sql/menus.ts';
import { lockTenant } from '../../../db/sql/tenants.ts';
import { planTakingBack } from '../../../db/way-back/apply-way-back.ts';
import { purgeMenus } from '../../../workers/housekeeping/purge.ts';
import {
  type AdminClient,
  adminService,
  createAdminClient,
  issueToken,
} from '../../support/admin.ts';
import { create } from '../../support/bulk-operations.ts';
import { each } from '../../support/each.ts';
import { until } from '../../support/until.ts';

const service = await adminService();

const { call } = service.admin;
const get = async (path: string) => (await service.admin.get(path)).json;
const latest = async () => (await get('/versions?limit=1')).meta.latest as number;
const exported = async () => (await get('/export')).data;
const undo = (version: number, options: object = {}) =>
  call('POST', `/versions/${version}/undo`, options);
const restore = (version: number, options: object = {}) =>
  call('POST', `/versions/${version}/restore`, options);

/** Does a write and returns its version. */
async function write(method: string, path: string, body?: unknown): Promise<number> {
  const answer = await call(method, path, body);
  assert.ok(answer.status < 300, answer.text);
  return latest();
}

describe('undo', () => {
  test('gives each changed field its value before, and says so', async () => {
    const first = await exported();
    const version = await write('PATCH', '/items/1', { price: 5, name: { it: 'Olive nere' } });
    const dry = (await undo(version, { dry_run: true })).expect(200);
    assert.deepEqual(dry.json.data.results[0].changes.price, [5, first.items[0].price]);
    assert.notDeepEqual(await exported(), first);
    const done = (await undo(version)).expect(200);
    const { applied, counts, version: next } = done.json.data;
    assert.deepEqual([applied, counts.updated, next], [true, 1, version + 1]);
    assert.deepEqual(await exported(), first);
    const [entry] = (await get('/versions?limit=1')).data;
    assert.deepEqual([entry.origin, entry.actor.kind], ['undo', 'token']);
    // It can be undone as well.
    assert.equal((await undo(version + 1)).status, 200);
    assert.equal((await exported()).items[0].price, 5);
    assert.equal((await undo(version + 2)).status, 200);
    assert.deepEqual(await exported(), first);
  });

  test('refuses only what somebody has changed since, and does the rest when asked to', async () => {
    const operations = [1, 2, 3].map((id) => ({
      ...{ resource: 'items', action: 'update', id, data: { price: 20 + id } },
    }));
    const first = await exported();
    const version = await write('POST', '/bulk', { operations });
    const later = await write('PATCH', '/items/2', { price: 30 });
    const refused = (await undo(version)).expect(409);
    const { at, actor } = refused.json.conflicts[0];
    const conflict = { resource: 'items', id: 2, field: 'price', version: later, at, actor };
    assert.deepEqual(refused.json.conflicts, [conflict]);
    assert.equal(actor.name, 'test');
    assert.equal(await latest(), later);
    const done = (await undo(version, { skip_conflicts: true })).expect(200);
    assert.deepEqual(done.json.data.conflicts, [conflict]);
    const now = await exported();
    const prices = (items: { id: number; price: number }[]) =>
      Object.fromEntries(items.map(({ id, price }) => [id, price]));
    assert.deepEqual(prices(now.items), { ...prices(first.items), 2: 30 });
    assert.equal((await restore(version - 1)).status, 200);
    assert.deepEqual(await exported(), first);
  });

  test('brings deleted records back with ids and references, after a purge too', async () => {
    const first = await exported();
    const age = ['sections', 'types', 'wineries', 'dishes']
      .map((table) => `update ${table} set deleted_at = deleted_at - interval '31 days'`)
      .join('; ');
    for (const collection of ['categories', 'types', 'wineries']) {
      const version = await write('DELETE', `/${collection}/1`);
      await service.sql(age);
      await purgeMenus(service.db, 400, () => true);
      (await undo(version)).expect(200);
      assert.deepEqual(await exported(), first, collection);
      const counts = (await get(`/versions/${version + 1}`)).data.counts;
      assert.equal(counts.created, 0);
      assert.ok(counts.restored > 0);
    }
  });

  test('a dish comes back with the section that it needs', async () => {
    const before = await exported();
    const dish = before.items.find((one: { category_id: number }) => one.category_id !== 1);
    const version = await write('DELETE', `/items/${dish.id}`);
    await write('DELETE', `/categories/${dish.category_id}`);
    (await undo(version)).expect(200);
    const now = await exported();
    assert.ok(now.categories.some((one: { id: number }) => one.id === dish.category_id));
    const back = now.items.find((one: { id: number }) => one.id === dish.id);
    assert.deepEqual(back, dish);
    assert.equal((await restore(version - 1)).status, 200);
    assert.deepEqual(await exported(), before);
  });

  test('what a version created stays while others need it', async () => {
    const version = await write('POST', '/categories', { name: { it: 'Dolci' } });
    const { data } = await get(`/versions/${version}`);
    const { id } = data.changes[0];
    const dish = await write('POST', '/items', { category_id: id, name: { it: 'Tiramisù' } });
    const refused = (await undo(version)).expect(409);
    const [conflict, ...others] = refused.json.conflicts;
    const { resource, field, version: since } = conflict;
    assert.deepEqual([resource, field, since, others], ['items', 'category_id', dish, []]);
    assert.equal((await undo(dish)).status, 200);
    assert.equal((await undo(version)).status, 200);
    assert.equal((await service.admin.get(`/categories/${id}`)).status, 404);
  });

  test('names what was changed since, and none of what stays with it', async () => {
    const before = await latest();
    const operations = [
      create('categories', 'bevande', { name: { it: 'B' } }),
      ...['acqua', 'vino'].map((key) =>
        create('items', key, { category_external_id: 'bevande', name: { it: key }, price: 2 }),
      ),
    ];
    const version = await write('POST', '/bulk', { operations });
    const later = await write('PATCH', '/items/ext:vino', { is_recommended: true });
    const { id } = (await get('/items/ext:vino')).data;
    const { at, actor } = (await get(`/versions/${later}`)).data;
    const refused = (await undo(version)).expect(409);
    const conflict = { resource: 'items', id, field: 'is_recommended', version: later, at, actor };
    // Its section stays with it.
    assert.deepEqual(refused.json.conflicts, [conflict]);
    const done = await undo(version, { skip_conflicts: true });
    assert.equal(done.json.data.counts.deleted, 1, done.text);
    assert.equal((await service.admin.get('/items/ext:acqua')).status, 404);
    assert.equal((await service.admin.get('/items/ext:vino')).status, 200);
    assert.equal((await restore(before)).status, 200);
  });

  test('of a write names the author of one that shares its version and came later', async () => {
    const { db, tenantId } = service;
    const first = await latest();
    const token = await issueToken(db, tenantId, ['menu:write']);
    const other = createAdminClient(service.client, token);
    const reprice = ({ call }: AdminClient, price: number) =>
      call('PATCH', '/items/2', { price }, { Prefer: 'respond-async' });
    // Both wait for the restaurant, and are done in one turn.
    await db.transaction(async (tx) => {
      await lockTenant(tx, tenantId, 'wait');
      for (const one of [reprice(service.admin, 71), reprice(other, 72)]) {
        assert.equal((await one).status, 202);
      }
    });
    await until('the second price is not there', async () => {
      return (await service.admin.get('/items/2')).json.data.price === 72;
    });
    const { data: parts } = await get(`/versions?after=${first}`);
    assert.deepEqual(each(parts, 'version'), [first + 1, first + 1]);
    assert.deepEqual(each(parts, 'part'), [0, 1]);
    const undone = await db.moment(async (tx) => {
      const asked = { version: first + 1, part: 0 };
      return planTakingBack(tx, tenantId, await loadMenu(tx, tenantId), asked);
    });
    const named = undone?.conflicts.map(({ field, version, actor }) => [field, version, actor.id]);
    assert.deepEqual(named, [['price', first + 1, parts[1].actor.id]]);
    assert.notEqual(parts[0].actor.id, parts[1].actor.id);
    assert.equal((await restore(first)).status, 200);
  });

  test('an external id that another record has by now is a conflict', async () => {
    await write('PATCH', '/items/1', { external_id: 'olive' });
    const version = await write('DELETE', '/items/1');
    await write('PATCH', '/items/2', { external_id: 'olive' });
    const refused = (await undo(version)).expect(409);
    const [{ field, id }] = refused.json.conflicts;
    assert.deepEqual([field, id], ['external_id', 2]);
    assert.equal((await undo(version, { skip_conflicts: true })).status, 200);
    assert.equal((await exported()).items[0].external_id, null);
  });

  test('takes an external id away from a record that had none, and a restore does, too', async () => {
    await write('PATCH', '/items/1', { external_id: null });
    const first = await exported();
    const given = await write('PATCH', '/items/1', { external_id: 'olive-nere', price: 6 });
    const undone = await undo(given);
    assert.equal(undone.json.data.results[0].changes.external_id[1], null, undone.text);
    assert.deepEqual(await exported(), first);
    await write('PATCH', '/items/1', { external_id: 'olive-nere', price: 6 });
    assert.equal((await restore(given - 1)).status, 200);
    assert.deepEqual(await exported(), first);
  });

  test('refuses what is no version, and what is too old', async () => {
    const next = (await latest()) + 1;
    assert.equal((await undo(next)).status, 404);
    assert.equal((await restore(next)).status, 404);
    assert.equal((await call('POST', '/versions/x/undo', {})).status, 404);
    for (const body of ['[]', '{', { dry_run: 'perhaps' }]) {
      assert.equal((await call('POST', `/versions/${next - 1}/undo`, body)).status, 422);
    }
    assert.equal((await call('POST', `/versions/${next - 1}/undo`)).status, 200, 'without a body');
  });
});

describe('restore', () => {
  test('makes the menu what it was, whatever happened since', async () => {
    const version = await latest();
    const first = await exported();
    await write('PATCH', '/settings', { allergen_info: 'Altro', supported_locales: ['it', 'de'] });
    await write('PATCH', '/theme', { primary_color: '#123456' });
    await write('DELETE', '/categories/1');
    await write('POST', '/categories', { name: { it: 'Nuova' }, external_id: 'nuova' });
    await write('DELETE', '/wineries/1');
    const dry = (await restore(version, { dry_run: true })).expect(200);
    const now = await exported();
    const gone = ['categories', 'types', 'items', 'wineries'].flatMap((list) => {
      const kept = new Set(each(now[list], 'id'));
      return first[list].filter((one: { id: number }) => !kept.has(one.id));
    });
    assert.equal(dry.json.data.counts.restored, gone.length);
    (await restore(version)).expect(200);
    assert.deepEqual(await exported(), first);
    const [entry] = (await get('/versions?limit=1')).data;
    assert.equal(entry.origin, 'restore');
    // To where it was before that.
    assert.equal((await undo(entry.version)).status, 200);
    const back = await exported();
    assert.equal(back.theme.primary_color, '#123456');
    assert.ok(each(back.categories, 'external_id').includes('nuova'));
  });

  test('of the present version changes nothing', async () => {
    const version = await latest();
    const { applied, results } = (await restore(version)).json.data;
    assert.deepEqual([applied, results], [true, []]);
    assert.equal(await latest(), version);
  });
});

describe('availability', () => {
  let [one, other] = [0, 0];
  before(async () => {
    [one, other] = each((await exported()).items, 'id');
  });
  const soldOut = async (id: number) => (await get(`/items/${id}`)).data.is_sold_out;
  const change = (id: number, fields: object) => write('PATCH', `/items/${id}`, fields);

  test('restore leaves what is sold out as it is, and counts what stays the same', async () => {
    const version = await latest();
    const { price } = (await get(`/items/${one}`)).data;
    await change(one, { sold_out_until: 'indefinitely' });
    await change(other, { price: 44, sold_out_until: 'indefinitely' });
    const first = await exported();
    const records = ['categories', 'types', 'wineries', 'modifier_groups', 'photos', 'items'];
    const all = records.reduce((sum, list) => sum + (first[list]?.length ?? 0), 2);
    const dry = await restore(version, { dry_run: true });
    assert.equal(dry.json.data.counts.updated, 1, dry.text);
    assert.equal(dry.json.data.counts.unchanged, all - 1);
    assert.equal((await restore(version)).status, 200);
    assert.deepEqual([await soldOut(one), await soldOut(other)], [true, true]);
    assert.equal((await get(`/items/${one}`)).data.price, price);
    for (const id of [one, other]) await change(id, { sold_out_until: null });
  });

  test('undo of an older version leaves it, and undo of a version about it alone does not', async () => {
    const both = await change(one, { price: 45, sold_out_until: 'indefinitely' });
    const alone = await change(other, { sold_out_until: 'indefinitely' });
    const undone = (await undo(both)).expect(200);
    assert.deepEqual(Object.keys(undone.json.data.results[0].changes), ['price']);
    assert.equal(await soldOut(one), true);
    assert.equal((await undo(alone)).status, 200);
    assert.equal(await soldOut(other), false);
    await change(one, { sold_out_until: null });
  });

  test('undo of the latest version takes all of it back', async () => {
    const version = await change(one, { price: 46, sold_out_until: 'indefinitely' });
    assert.equal((await undo(version)).status, 200);
    assert.equal(await soldOut(one), false);
  });

  test('a size stays sold out when the sizes of its dish go back', async () => {
    const size = (label: string, price: number, more = {}) => ({
      ...{ label: { it: label }, price, ...more },
    });
    await change(one, { variants: [size('Mezza', 5), size('Intera', 8)] });
    const dearer = await change(one, { variants: [size('Mezza', 6), size('Intera', 9)] });
    const gone = { is_sold_out: true };
    await change(one, { variants: [size('Mezza', 6), size('Intera', 9, gone)] });
    assert.equal((await undo(dearer)).status, 200);
    const { variants } = (await get(`/items/${one}`)).data;
    assert.deepEqual(each(variants, 'price'), [5, 8]);
    assert.deepEqual(each(variants, 'is_sold_out'), [undefined, true]);
    await change(one, { variants: [] });
  });

  test('an option stays sold out when the options of its group go back', async () => {
    const option = (label: string, price: number, is_sold_out = false) => ({
      ...{ label: { it: label }, price, allergens: [], is_sold_out },
    });
    const options = [option('Patate', 0), option('Insalata', 1)];
    await write('POST', '/modifier-groups', {
      ...{ external_id: 'contorni', name: { it: 'Contorni' }, options },
    });
    const path = '/modifier-groups/ext:contorni';
    const [patate, insalata] = [option('Patate', 2), option('Insalata', 1, true)];
    const dearer = await write('PATCH', path, { options: [patate, option('Insalata', 1)] });
    await write('PATCH', path, { options: [insalata, patate] });
    (await undo(dearer, { skip_conflicts: true })).expect(200);
    assert.equal((await restore(dearer - 1)).status, 200);
    const now = (await get(path)).data.options;
    assert.deepEqual(each(now, 'label'), ['Patate', 'Insalata']);
    assert.deepEqual(each(now, 'price'), [0, 1]);
    assert.deepEqual(each(now, 'is_sold_out'), [false, true]);
    await write('DELETE', path);
  });
});

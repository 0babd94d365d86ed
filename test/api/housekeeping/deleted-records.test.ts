import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants } from '../../../db/runtime/constants.ts';
import { purgeMenus } from '../../../workers/housekeeping/purge.ts';
import { adminService } from '../../support/admin.ts';

const service = await adminService();

const { sql } = service;

async function create(resource: string, body: object): Promise<number> {
  return (await service.admin.call('POST', `/${resource}`, body)).expect(201).json.data.id;
}

/** Makes everything that is deleted look as if it had been so for some days longer. */
async function age(days: number): Promise<void> {
  for (const table of ['dishes', 'types', 'wineries', 'sections']) {
    await sql(`update ${table} set deleted_at = deleted_at - make_interval(days => $1)`, [days]);
  }
}

const keep = () => purgeMenus(service.db, 400, () => true);

test('what was deleted a month ago is gone for good, and nothing before', async () => {
  const top = await create('categories', { name: { it: 'Su' } });
  const below = await create('categories', { name: { it: 'Giù' }, parent_id: top });
  const type = await create('types', { category_id: below, name: { it: 'T' } });
  await create('items', { category_id: below, type_id: type, name: { it: 'D' } });
  await service.admin.call('DELETE', `/categories/${top}`);
  await age(constants.purgeDays - 1);
  await keep();
  assert.equal((await service.admin.call('POST', `/categories/${top}/restore`)).status, 200);
  await service.admin.call('DELETE', `/categories/${top}`);
  await age(constants.purgeDays + 1);
  // A part of it may be purged already.
  (await service.admin.call('POST', `/categories/${top}/restore`)).expect(404);
  const restorable = (await service.admin.get('/categories?deleted=1')).json;
  assert.deepEqual([restorable.data, restorable.meta.total], [[], 0], 'nor is it offered');
  await keep();
  const left = await sql(
    `select id from sections where id in ($1, $2) union all select id from types where id = $3
     union all select id from dishes where category_id = $2`,
    [top, below, type],
  );
  assert.deepEqual(left, []);
});

test('a section stays as long as anything of it does', async () => {
  for (const [table, resource, field] of [
    ['sections', 'categories', 'parent_id'],
    ['types', 'types', 'category_id'],
    ['dishes', 'items', 'category_id'],
  ] as const) {
    const section = await create('categories', { name: { it: 'S' } });
    const part = await create(resource, { [field]: section, name: { it: 'P' } });
    const isLeft = async () =>
      (await sql('select from sections where id = $1', [section])).length === 1;
    await service.admin.call('DELETE', `/categories/${section}`);
    await age(constants.purgeDays + 1);
    await sql(`update ${table} set deleted_at = now() where id = $1`, [part]);
    await keep();
    assert.equal(await isLeft(), true, table);
    await age(constants.purgeDays + 1);
    await keep();
    assert.equal(await isLeft(), false, table);
  }
});

test('a dish stays when the type and the winery that it had are purged', async () => {
  const section = await create('categories', { name: { it: 'S' } });
  const type = await create('types', { category_id: section, name: { it: 'T' } });
  const winery = await create('wineries', { name: 'W' });
  const parts = { category_id: section, type_id: type, winery_id: winery };
  const dish = await create('items', { ...parts, name: { it: 'D' } });
  await service.admin.call('DELETE', `/types/${type}`);
  await service.admin.call('DELETE', `/wineries/${winery}`);
  await age(constants.purgeDays + 1);
  await keep();
  const shown = (await service.admin.get(`/items/${dish}`)).json.data;
  assert.deepEqual([shown.type_id, shown.winery_id], [null, null]);
  (await service.admin.call('PUT', `/items/${dish}`, { price: 3 })).expect(200);
});

test('results are kept for a day, faults for a month, waiting writes for ever', async () => {
  await sql('delete from writes');
  const insert = (kind: string | null, hours: number) =>
    sql(
      `insert into writes (tenant_id, id, token_id, resource, action, input, request_hash, outcome,
         finished_at)
       values ($1, gen_random_uuid(), 1, 'theme', 'change', '{}', '',
         case when $2::text is not null then json_build_object('kind', $2) end,
         case when $2::text is not null then now() - make_interval(hours => $3) end)
       returning id`,
      [service.tenantId, kind, hours],
    );
  const { resultHours, faultHours } = constants;
  for (const hours of [resultHours - 1, resultHours + 1]) await insert('deleted', hours);
  for (const hours of [resultHours + 1, faultHours + 1]) await insert('failed', hours);
  const [{ id: waiting }] = await insert(null, faultHours + 1);
  await keep();
  const left = await sql(`select id, outcome->>'kind' as kind from writes order by kind`);
  const kinds = left.flatMap(({ id, kind }) => (id === waiting ? [] : kind));
  assert.deepEqual(kinds, ['deleted', 'failed']);
  // The worker may have done it meanwhile.
  assert.ok(left.some(({ id }) => id === waiting));
});

test('more than one batch is removed in one round', async () => {
  await sql(
    `insert into writes (tenant_id, id, token_id, resource, action, input, request_hash, status,
       finished_at)
     select $1, gen_random_uuid(), 1, 'theme', 'change', '{}', '', 200, now() - interval '9 days'
     from generate_series(1, $2)`,
    [service.tenantId, constants.removalBatch * 2 + 1],
  );
  const count = async () =>
    (await sql(`select count(*)::int as count from writes where status = 200`))[0].count;
  const before = await count();
  await purgeMenus(service.db, 400, () => false);
  assert.equal(await count(), before, 'not even one when the worker stops');
  await keep();
  assert.equal(await count(), 0);
});

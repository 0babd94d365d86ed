import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { each } from '../../support/each.ts';

const service = await adminService();

const { json } = await service.client.get('/items?search=gnocchi');
const dishId: number = json.data[0].id;

const { call } = service.admin;
const shown = async (id: number) => (await service.client.get(`/items/${id}`)).json.data;
const hiddenBy = async (allergens: string) => {
  const { json } = await service.client.get(`/items?exclude_allergens=${allergens}`);
  return { ids: each(json.data, 'id'), undeclared: json.meta.undeclared };
};

const sides = {
  name: { it: 'Contorno', en: 'Side dish' },
  min: 1,
  max: 1,
  options: [
    { label: { it: 'Patate' }, price: 0, allergens: [] },
    { label: 'Crema di sedano', price: 1.5, allergens: ['sedano'] },
  ],
};

test('a group of options is created, named by dishes, and shown whole to guests', async () => {
  const made = await call('POST', '/modifier-groups', { external_id: 'sides', ...sides });
  assert.equal(made.status, 201, made.text);
  const { id } = made.json.data;
  assert.equal(made.json.data.options[1].label, 'Crema di sedano');
  assert.deepEqual(made.json.data.options[1].label_translations, { it: 'Crema di sedano' });
  const named = await call('PATCH', `/items/${dishId}`, { modifier_group_external_ids: ['sides'] });
  assert.equal(named.status, 200, named.text);
  assert.deepEqual(named.json.data.modifier_group_ids, [id]);
  const { modifier_groups: groups, modifier_group_ids: ids } = await shown(dishId);
  assert.deepEqual(ids, [id]);
  assert.equal(groups[0].name, 'Contorno');
  assert.deepEqual([groups[0].min, groups[0].max], [1, 1]);
  const { options } = groups[0];
  assert.deepEqual(each(options, 'price'), [0, 1.5]);
  assert.deepEqual(each(options, 'allergens'), [[], ['sedano']]);
  assert.equal((await service.admin.get('/modifier-groups?external_id=sides')).json.meta.total, 1);
});

test('a dish is left out when no choice is without an allergen, and counted when that is unknown', async () => {
  const { json } = await service.admin.get('/modifier-groups?external_id=sides');
  const { id } = json.data[0];
  const change = (options: unknown[], more = {}) =>
    call('PATCH', `/modifier-groups/${id}`, { options, ...more });
  const [potatoes, celery] = sides.options;
  assert.ok((await hiddenBy('sedano')).ids.includes(dishId), 'potatoes are left');
  await change([{ ...potatoes, is_sold_out: true }, celery]);
  assert.ok(!(await hiddenBy('sedano')).ids.includes(dishId), 'potatoes are sold out');
  await change([{ ...potatoes, allergens: null, is_sold_out: false }, celery]);
  const unknown = await hiddenBy('sedano');
  assert.ok(!unknown.ids.includes(dishId));
  assert.equal(unknown.undeclared, 1, 'the potatoes declare nothing');
  await change([celery], { min: 0 });
  assert.ok((await hiddenBy('sedano')).ids.includes(dishId), 'a guest can go without it');
  await change(sides.options, { min: 1 });
});

test('a body of a group is refused with the rule that it breaks', async () => {
  const many = Array.from({ length: 61 }, () => ({ label: 'A' }));
  const wrong: [object, string][] = [
    [{ name: { it: 'A' } }, 'options'],
    [{ ...sides, options: [] }, 'options'],
    [{ ...sides, options: many }, 'options'],
    [{ ...sides, options: [{ price: 1 }] }, 'options.0.label'],
    [{ ...sides, options: [{ label: 'A', price: -1 }] }, 'options.0.price'],
    [{ ...sides, options: [{ label: 'A', allergens: ['aria'] }] }, 'options.0.allergens.0'],
    [{ ...sides, min: 3, max: 4 }, 'min'],
    [{ ...sides, min: 2, max: 1 }, 'max'],
    [{ ...sides, name: {} }, 'name.it'],
  ];
  for (const [body, field] of wrong) (await call('POST', '/modifier-groups', body)).refuses(field);
  for (const [body, field] of [
    [{ modifier_group_ids: [999] }, 'modifier_group_ids'],
    [{ modifier_group_ids: [1, 1] }, 'modifier_group_ids'],
    [{ modifier_group_ids: Array.from({ length: 9 }, (_, at) => at + 1) }, 'modifier_group_ids'],
    [{ modifier_group_ids: 'uno' }, 'modifier_group_ids'],
    [{ modifier_group_external_ids: ['none'] }, 'modifier_group_external_ids'],
    [{ modifier_group_external_ids: [5] }, 'modifier_group_external_ids.0'],
  ] as [object, string][]) {
    (await call('PATCH', `/items/${dishId}`, body)).refuses(field);
  }
});

test('dishes show a deleted group no more, and again when it is restored or undone', async () => {
  const { json } = await service.admin.get('/modifier-groups?external_id=sides');
  const { id } = json.data[0];
  (await call('DELETE', `/modifier-groups/${id}`)).expect(204);
  assert.deepEqual((await shown(dishId)).modifier_groups, []);
  assert.deepEqual((await service.admin.get(`/items/${dishId}`)).json.data.modifier_group_ids, []);
  assert.equal((await call('POST', `/modifier-groups/${id}/restore`)).status, 200);
  assert.deepEqual((await shown(dishId)).modifier_group_ids, [id]);
  await call('DELETE', `/modifier-groups/${id}`);
  const latest = (await service.admin.get('/versions?limit=1')).json.data[0].version;
  (await call('POST', `/versions/${latest}/undo`, { dry_run: false })).expect(200);
  assert.deepEqual((await shown(dishId)).modifier_group_ids, [id]);
});

test('bulk makes a group and a dish that names it, and an import of the export changes nothing', async () => {
  const optional = { ...sides, min: 0 };
  const data = { modifier_group_external_ids: ['milk', 'sides'] };
  const operations = [
    { resource: 'modifier_groups', action: 'upsert', external_id: 'milk', data: optional },
    { resource: 'items', action: 'update', id: dishId, data },
  ];
  (await call('POST', '/bulk', { operations })).expect(200);
  const { modifier_groups: groups } = await shown(dishId);
  assert.deepEqual(each(groups, 'min'), [0, 1]);
  const menu = (await service.admin.get('/export')).json.data;
  const exported = menu.items.find(({ id }: { id: number }) => id === dishId);
  assert.deepEqual(exported.modifier_group_external_ids, ['milk', 'sides']);
  const again = (await call('PUT', '/import', menu)).expect(200);
  const { created, updated, failed } = again.json.data.counts;
  assert.deepEqual([created, updated, failed], [0, 0, 0], again.text);
  (await service.admin.get('/export?format=csv')).shows(/\["{2}milk"{2},"{2}sides"{2}\]/);
});

test('an option may be chosen several times, and groups without one keep their bytes', async () => {
  const [potatoes, celery] = sides.options;
  const made = await call('POST', '/modifier-groups', {
    ...{ external_id: 'shots', name: { it: 'Aggiunte' }, min: 2, max: 4 },
    options: [{ ...celery, max: 3 }],
  });
  made.expect(201);
  assert.equal(made.json.data.options[0].max, 3);
  await call('PATCH', `/items/${dishId}`, { modifier_group_external_ids: ['shots'] });
  assert.equal((await shown(dishId)).modifier_groups[0].options[0].max, 3);
  const { id } = made.json.data;
  const few = (await call('PATCH', `/modifier-groups/${id}`, { min: 4 })).expect(422);
  assert.deepEqual(few.json.codes.min[0], { rule: 'max', max: 3 });
  // Two of the potatoes are a choice without celery, one of them is none.
  const options = (max?: number) => [
    { ...potatoes, ...(max && { max }) },
    { ...celery, max: 2 },
  ];
  await call('PATCH', `/modifier-groups/${id}`, { options: options(2) });
  assert.ok((await hiddenBy('sedano')).ids.includes(dishId));
  await call('PATCH', `/modifier-groups/${id}`, { options: options() });
  assert.ok(!(await hiddenBy('sedano')).ids.includes(dishId));
  assert.ok(!('max' in (await shown(dishId)).modifier_groups[0].options[0]));
  for (const max of [0, 61, 1.5, 'due']) {
    const wrong = await call('PATCH', `/modifier-groups/${id}`, { options: [{ ...celery, max }] });
    assert.ok('options.0.max' in wrong.json.errors, wrong.text);
  }
});

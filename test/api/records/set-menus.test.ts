import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { each } from '../../support/each.ts';

type Course = { label: string; options: { item_id: number | null; label: string }[] };

const service = await adminService();
const ids = new Map<string, number>();

const { json } = await service.client.get('/items');
for (const { id, name } of json.data) ids.set(name, id);

const { call } = service.admin;
const shown = async (id: number | undefined) =>
  (await service.client.get(`/items/${id}`)).json.data;
const left = async (allergens: string) =>
  each((await service.client.get(`/items?exclude_allergens=${allergens}`)).json.data, 'id');
const change = (name: string, body: object) => call('PATCH', `/items/${ids.get(name)}`, body);
const dish = (name: string) => ({ item_id: ids.get(name) });
const labels = (courses: Course[]) =>
  courses.map(({ options }) => options.map(({ label }) => label));

/** A set menu of a dish with milk, one without, and a text. */
const courses = () => [
  { label: { it: 'Primo', en: 'First' }, choose: 1, options: [dish('Gnocchi'), dish('Crostini')] },
  { label: 'Bere', options: [{ label: 'Acqua' }, { label: 'Vino', surcharge: 2.5 }] },
];

test('a set menu shows its dishes with their names, allergens and whether they are sold out', async () => {
  const menu = { category_id: 1, name: { it: 'Pranzo' }, price: 15, allergens: [] };
  const offers = [{ label: 'Di corsa', price: 12, time_start: '12:00', time_end: '13:00' }];
  const made = (await call('POST', '/items', { ...menu, courses: courses(), offers })).expect(201);
  ids.set('Pranzo', made.json.data.id);
  const found = await shown(ids.get('Pranzo'));
  const [first, drinks] = found.courses;
  assert.deepEqual(labels(found.courses), [
    ['Gnocchi', 'Crostini'],
    ['Acqua', 'Vino'],
  ]);
  assert.deepEqual(first.options[0].allergens, ['latte']);
  assert.equal(first.options[0].allergens_declared, true);
  assert.deepEqual([drinks.choose, drinks.options[1].surcharge], [1, 2.5]);
  assert.deepEqual(made.json.data.courses, found.courses, 'admins see the same');
  const { text } = await service.client.send('/');
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? [];
  const sections = JSON.parse(json).hasMenu.hasMenuSection;
  const item = sections[0].hasMenuItem.find(({ name }: { name: string }) => name === 'Pranzo');
  assert.deepEqual(item.menuAddOn[1], {
    '@type': 'MenuSection',
    name: 'Bere',
    hasMenuItem: [
      { '@type': 'MenuItem', name: 'Acqua' },
      {
        ...{ '@type': 'MenuItem', name: 'Vino' },
        offers: { '@type': 'Offer', price: '2.50', priceCurrency: 'EUR' },
      },
    ],
  });
  assert.deepEqual(item.offers[1], {
    ...{ '@type': 'Offer', name: 'Di corsa', price: '12.00', priceCurrency: 'EUR' },
    ...{ availabilityStarts: '12:00', availabilityEnds: '13:00' },
  });
  await change('Gnocchi', { sold_out_until: 'indefinitely', name: { it: 'Gnocchi di zucca' } });
  const after = (await shown(ids.get('Pranzo'))).courses[0].options[0];
  assert.deepEqual([after.label, after.is_sold_out], ['Gnocchi di zucca', true]);
  await change('Gnocchi', { sold_out_until: null, name: { it: 'Gnocchi' } });
});

test('a filter of allergens asks whether each course can be had without', async () => {
  const id = ids.get('Pranzo');
  assert.ok((await left('latte')).includes(id), 'there are crostini');
  await change('Crostini', { sold_out_until: 'indefinitely' });
  assert.ok(!(await left('latte')).includes(id), 'they are sold out');
  await change('Crostini', { sold_out_until: null });
  const alone = [{ label: 'Primo', options: [dish('Crostini'), dish('Gnocchi')] }];
  await call('PATCH', `/items/${id}`, { allergens: null, courses: alone });
  assert.ok((await left('latte')).includes(id), 'its dishes declare for it');
  await call('PATCH', `/items/${id}`, { allergens: [], courses: courses() });
});

test('a set menu shows a deleted or hidden dish no more, and again when it is back', async () => {
  const [id, gnocchi] = [ids.get('Pranzo'), ids.get('Gnocchi')];
  const firsts = async () => labels((await shown(id)).courses)[0];
  await call('DELETE', `/items/${gnocchi}`);
  assert.deepEqual(await firsts(), ['Crostini']);
  await call('POST', `/items/${gnocchi}/restore`);
  assert.deepEqual(await firsts(), ['Gnocchi', 'Crostini']);
  await call('PATCH', `/items/${gnocchi}`, { is_active: false });
  assert.deepEqual(await firsts(), ['Crostini'], 'guests do not see it anywhere');
  const stored = await service.admin.get(`/items/${id}`);
  assert.deepEqual(labels(stored.json.data.courses)[0], ['Gnocchi', 'Crostini']);
  await call('PATCH', `/items/${gnocchi}`, { is_active: true });
});

test('a body with courses or offers is refused with the rule that it breaks', async () => {
  const id = ids.get('Pranzo');
  const one = (options: unknown[], more = {}) => [{ label: 'A', options, ...more }];
  const backwards = { price: 1, date_start: '2026-02-02', date_end: '2026-02-01' };
  const noTimes = { price: 1, time_start: '24:30', time_end: '1' };
  const wrong: [object, ...string[]][] = [
    [{ courses: one([]) }, 'courses.0.options'],
    [{ courses: one([{}]) }, 'courses.0.options.0.label'],
    [{ courses: one([{ item_id: 9_999 }]) }, 'courses'],
    [{ courses: one([{ item_id: id }]) }, 'courses'],
    [{ courses: one([{ item_external_id: 'none' }]) }, 'courses.0.options.0.item_external_id'],
    [{ courses: one([{ ...dish('Crostini'), label: 'Pane' }]) }, 'courses.0.options.0.label'],
    [{ courses: one([{ ...dish('Crostini'), label: { en: 'x' } }]) }, 'courses.0.options.0.label'],
    [{ courses: one([{ label: 'a' }], { choose: 2 }) }, 'courses.0.choose'],
    [{ courses: one([{ label: 'a', surcharge: -1 }]) }, 'courses.0.options.0.surcharge'],
    [{ courses: [{ options: [{ label: 'a' }] }] }, 'courses.0.label'],
    [{ courses: Array.from({ length: 13 }, () => one([{ label: 'a' }])[0]) }, 'courses'],
    [{ courses: 'x' }, 'courses'],
    [{ offers: [{}] }, 'offers.0.price'],
    [{ offers: [{ price: 1, time_start: '18:00' }] }, 'offers.0.time_end'],
    [{ offers: [noTimes] }, 'offers.0.time_start', 'offers.0.time_end'],
    [{ offers: [backwards] }, 'offers.0.date_end'],
    [{ offers: [{ price: 1, weekdays: [8] }] }, 'offers.0.weekdays.0'],
    [{ offers: Array.from({ length: 7 }, () => ({ price: 1 })) }, 'offers'],
  ];
  for (const [body, ...fields] of wrong) (await change('Pranzo', body)).refuses(...fields);
  // A dish of a set menu cannot become one itself.
  (await change('Crostini', { courses: one([{ label: 'a' }]) })).refuses('courses');
});

test('a client that writes courses back as it has read them changes nothing', async () => {
  const id = ids.get('Pranzo');
  await call('PATCH', `/items/${id}`, { courses: courses() });
  const before = await call('GET', `/items/${id}`);
  const read = before.json.data.courses;
  assert.equal(read[0].options[0].label, 'Gnocchi');
  const reply = (await call('PUT', `/items/${id}`, { courses: read })).expect(200);
  assert.equal(reply.headers.etag, before.headers.etag);
  assert.deepEqual(reply.json.data.courses[0].label_translations, { it: 'Primo', en: 'First' });
  assert.ok(!reply.json.meta.ignored.includes('courses.0.label_translations'));
  assert.ok(reply.json.meta.ignored.includes('courses.0.options.0.allergens'));
  // Rows that moved, and one that is new.
  const moved = [{ ...read[1], label: 'Da bere' }, read[0]];
  const after = await call('PUT', `/items/${id}`, { courses: moved });
  assert.deepEqual(each(after.json.data.courses, 'label_translations'), [
    { it: 'Da bere' },
    { it: 'Primo', en: 'First' },
  ]);
  await call('PATCH', `/items/${id}`, { courses: courses() });
});

test('options of two courses that share a text and differ in its translation keep their own', async () => {
  const id = ids.get('Pranzo');
  const water = (en: string) => ({ label: en, options: [{ label: { it: 'Acqua', en } }] });
  await call('PATCH', `/items/${id}`, { courses: [water('Tap water'), water('Still water')] });
  const before = await call('GET', `/items/${id}`);
  const reply = await call('PUT', `/items/${id}`, { courses: before.json.data.courses });
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.headers.etag, before.headers.etag);
  await call('PATCH', `/items/${id}`, { courses: courses() });
});

test('bulk names dishes by external ids, and an export is imported again without a change', async () => {
  const data = {
    ...{ category_id: 1, name: { it: 'Menù' }, price: 20, allergens: null },
    courses: [{ label: 'Uno', options: [{ item_external_id: 'soup', surcharge: 1 }] }],
    offers: [
      { label: 'Presto', price: 18, weekdays: [2, 1], time_start: '12:00', time_end: '13:00' },
    ],
  };
  const soup = { category_id: 1, name: { it: 'Zuppa' }, price: 8, allergens: ['sedano'] };
  const bulk = await call('POST', '/bulk', {
    operations: [
      { resource: 'items', action: 'upsert', external_id: 'soup', data: soup },
      { resource: 'items', action: 'upsert', external_id: 'menu', data },
    ],
  });
  bulk.expect(200);
  const { id } = bulk.json.data.results[1];
  const found = await shown(id);
  assert.deepEqual(labels(found.courses), [['Zuppa']]);
  assert.deepEqual(found.offers[0].weekdays, [1, 2]);
  assert.equal(found.offers[0].label, 'Presto');
  const menu = (await service.admin.get('/export')).json.data;
  const again = await call('PUT', '/import', menu);
  const { created, updated, failed } = again.json.data.counts;
  assert.deepEqual([created, updated, failed], [0, 0, 0], again.text.slice(0, 500));
  const csv = (await service.admin.get('/export?format=csv')).text;
  const table = (await service.admin.importTable(csv)).expect(200);
  assert.equal(table.json.data.counts.updated, 0, table.text.slice(0, 500));
});

test('a menu is imported into an empty one with its set menus before their dishes', async () => {
  const { text } = await service.admin.get('/export');
  // Records of other ids, and without keys, are new ones.
  const others = text
    .replace(/"(id|item_id|category_id|type_id|winery_id)":(\d)/g, '"$1":1000$2')
    .replace(/"\w*external_id":"[^"]*",?/g, '')
    .replace(/,}/g, '}');
  const { format, types, wineries, ...menu } = JSON.parse(others).data;
  const items: { courses: unknown[] }[] = menu.items;
  const document = {
    ...{ format, types, wineries, modifier_groups: [] },
    categories: menu.categories.map((one: object) => ({ ...one, parent_id: null })),
    items: items.toSorted((one, other) => other.courses.length - one.courses.length),
  };
  (await call('PUT', '/import?delete_missing=all', document)).expect(200);
  const { json } = await service.client.get('/items?search=pranzo');
  assert.deepEqual(labels(json.data[0].courses), [
    ['Gnocchi', 'Crostini'],
    ['Acqua', 'Vino'],
  ]);
});

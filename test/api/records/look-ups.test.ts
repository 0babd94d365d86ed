// Records found by an integrator's own key, by their last change, and in an order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { each } from '../../support/each.ts';

type Fields = Record<string, unknown>;

const service = await adminService();
const [section] = each((await service.client.get('/categories')).json.data, 'id');

const { call } = service.admin;

const KEY = 'Piatto 7/è 日本 50%';
const PATH = `/items/ext:${encodeURIComponent(KEY)}`;

async function create(fields: Fields): Promise<number> {
  const reply = (await call('POST', '/items', { category_id: section, ...fields })).expect(201);
  return reply.json.data.id;
}

async function listed(query: string): Promise<Fields[]> {
  return (await call('GET', `/items?${query}`)).expect(200).json.data;
}

test('a path with ext: and a key reads, changes, deletes and restores the record', async () => {
  const id = await create({ name: { it: 'Chiave' }, external_id: KEY });
  const shown = await call('GET', PATH);
  assert.equal(shown.json.data.id, id);
  const whole = await call('GET', `/items/${encodeURIComponent(`ext:${KEY}`)}`);
  assert.equal(whole.headers.etag, shown.headers.etag);
  for (const method of ['PATCH', 'PUT']) {
    const price = method === 'PUT' ? 8 : 7;
    const changed = await call(method, PATH, { price });
    assert.deepEqual([changed.status, changed.json.data.id], [200, id], changed.text);
    assert.equal(changed.json.data.price, price);
  }
  (await call('PATCH', PATH, { price: 9 }, { 'If-Match': '"other"' })).expect(412);
  assert.equal((await call('PATCH', PATH, { price: -1 })).status, 422);
  assert.equal((await call('DELETE', PATH)).status, 204);
  assert.equal((await call('GET', PATH)).status, 404);
  assert.equal((await call('PATCH', PATH, { price: 7 })).status, 404);
  const restored = await call('POST', `${PATH}/restore`);
  assert.deepEqual([restored.status, restored.json.data.id], [200, id]);
});

test('a key in a path names the record that has it when the write is done', async () => {
  const headers = { Prefer: 'respond-async' };
  const first = { category_id: section, name: { it: 'Poi' }, external_id: 'poi' };
  const [created, changed] = await Promise.all([
    call('POST', '/items', first, headers),
    call('POST', '/items', { ...first, external_id: 'altro' }, headers),
  ]);
  assert.deepEqual([created.status, changed.status], [202, 202]);
  const late = await call('PATCH', '/items/ext:poi', { price: 3 });
  assert.deepEqual([late.status, late.json.data.price], [200, 3], late.text);
});

test('a restore by key takes the record that is there, else the one deleted last', async () => {
  const gone = await create({ name: { it: 'Uno' }, external_id: 'due volte' });
  await call('DELETE', `/items/${gone}`);
  const last = await create({ name: { it: 'Due' }, external_id: 'due volte' });
  const path = '/items/ext:due%20volte/restore';
  assert.equal((await call('POST', path)).json.data.id, last);
  await call('DELETE', `/items/${last}`);
  assert.equal((await call('POST', path)).json.data.id, last);
});

test('a path without a key, or with a broken one, is 404', async () => {
  for (const name of ['ext:', 'ext:%20', 'ext:%00', 'ext:%E0%A4%A', 'ext:nessuno', 'EXT:a']) {
    for (const [method, body] of [['GET'], ['PATCH', { price: 1 }]] as const) {
      const reply = await call(method, `/items/${name}`, body);
      assert.equal(reply.status, 404, `${method} ${name}: ${reply.text}`);
    }
  }
});

test('external_id in a list finds the record with that key, and deleted ones with deleted=1', async () => {
  const id = await create({ name: { it: 'Elenco' }, external_id: 'elenco è' });
  const query = `external_id=${encodeURIComponent('elenco e\u0300')}`;
  assert.deepEqual(each(await listed(query), 'id'), [id]);
  await call('DELETE', `/items/${id}`);
  assert.deepEqual(await listed(query), []);
  assert.equal((await listed(`${query}&deleted=1`)).length, 1);
});

test('a filter of a list that is blank is refused, and lists nothing', async () => {
  for (const name of ['external_id', 'category_id', 'updated_since']) {
    for (const query of [`${name}=`, name, `${name}=%20`, `${name}=1&${name}=`]) {
      const reply = await call('GET', `/items?${query}`);
      assert.equal(reply.status, 422, `${query}: ${reply.text}`);
      assert.deepEqual(reply.json.codes, { [name]: [{ rule: 'required' }] });
    }
  }
  // A feed of changes without its place would begin at the wrong end.
  for (const query of ['after=', 'before=']) {
    assert.equal((await call('GET', `/versions?${query}`)).status, 422, query);
  }
  // Wineries stand in no section: there the name means nothing.
  assert.equal((await call('GET', '/wineries?category_id=')).status, 200);
  assert.equal((await call('GET', '/items?sort=&page=&deleted=')).status, 200);
});

test('updated_since lists what was changed then or later', async () => {
  const id = await create({ name: { it: 'Fresco' } });
  const other = await create({ name: { it: 'Dopo' } });
  const { updated_at } = (await call('PATCH', `/items/${id}`, { price: 2 })).json.data;
  const since = await listed(`updated_since=${updated_at}&sort=-updated_at`);
  assert.deepEqual([since[0]?.id, since.some((one) => one.id === other)], [id, false]);
  // The same moment with an offset, whose plus arrives as a space.
  const shifted = new Date(Date.parse(updated_at) + 7_200_000).toISOString().replace('Z', '+02:00');
  assert.deepEqual(await listed(`updated_since=${shifted}&sort=-updated_at`), since);
  await call('DELETE', `/items/${other}`);
  assert.equal((await listed(`updated_since=${updated_at}&deleted=1`))[0]?.id, other);
  (await call('GET', '/items?updated_since=yesterday')).refuses('updated_since');
});

test('sort orders a list, a minus turns it, and equal records follow their ids', async () => {
  const all = (await listed('per_page=100')) as { id: number; price: number }[];
  const expected = all.toSorted((a, b) => b.price - a.price || b.id - a.id).map(({ id }) => id);
  const pages = [
    await listed('sort=-price&per_page=4'),
    await listed('sort=-price&per_page=4&page=2'),
  ];
  assert.deepEqual(each(pages.flat(), 'id'), expected.slice(0, 8));
  const wrong = (await call('GET', '/wineries?sort=price')).expect(422);
  assert.match(wrong.json.errors.sort[0], /-updated_at/);
});

test('an unknown parameter of an admin list is named in meta.ignored', async () => {
  const paths = [
    '/items',
    '/wineries',
    '/versions',
    '/analytics/overview',
    '/users',
    '/webhooks',
    '/screens',
    '/hosts',
  ];
  for (const path of paths) {
    const reply = (await call('GET', `${path}?updatedSince=1&per_pages=3`)).expect(200);
    assert.deepEqual(reply.json.meta.ignored, ['updatedSince', 'per_pages'], path);
    assert.equal('ignored' in (await call('GET', path)).json.meta, false, path);
  }
  // Wineries stand in no section.
  const { meta } = (await call('GET', '/wineries?category_id=1')).json;
  assert.deepEqual(meta.ignored, ['category_id']);
});

test('an unknown parameter or option of a write is named in meta.ignored', async () => {
  const dish = (await call('GET', '/items')).json.data[0];
  const { latest } = (await call('GET', '/versions')).json.meta;
  const whole = { format: 'lavagna-menu/1', items: [{ id: dish.id }], piatti: [] };
  const same = { resource: 'items', action: 'update', id: dish.id, data: {} };
  const writes: [string, string, Fields, string[]][] = [
    ['PATCH', `/items/${dish.id}?dryRun=1`, { prezzo: 1 }, ['dryRun', 'prezzo']],
    ['POST', '/bulk?dry_run=1', { operations: [], dryRun: true }, ['dry_run', 'dryRun']],
    ['POST', '/bulk', { operations: [{ ...same, expectd: {} }] }, ['operations.0.expectd']],
    ['PUT', '/import?dryRun=1&dry_run=1', whole, ['dryRun', 'piatti']],
    ['POST', `/versions/${latest}/restore?dry_run=1`, { dryRun: true }, ['dry_run', 'dryRun']],
  ];
  for (const [method, path, body, ignored] of writes) {
    assert.deepEqual((await call(method, path, body)).expect(200).json.meta.ignored, ignored, path);
  }
});

/** The objects of lists in the bodies of records, each as it may be, by the body and the path in it. */
const NESTED: Record<string, Fields> = {
  'MenuItemInput.variants': { label: 'A', price: 1 },
  'MenuItemInput.offers': { price: 1 },
  'MenuItemInput.origins': { kind: 'beef' },
  'MenuItemInput.courses': { label: 'A', options: [{ label: 'B' }] },
  'MenuItemInput.courses.options': { label: 'B' },
  'CategoryInput.hours': { weekdays: [1] },
  'ModifierGroupInput.options': { label: 'A' },
  'SettingsChange.opening_hours': { time_start: '12:00', time_end: '14:00' },
  'SettingsChange.closures': { date_start: '2198-01-01' },
  'SettingsChange.special_hours': { date: '2198-12-31', time_start: '19:00', time_end: '02:00' },
};

interface Shape {
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
}

/** The paths of the lists of objects in a schema. */
function listsIn({ properties, items, anyOf = [] }: Shape, path: string): string[] {
  const below = Object.entries(properties ?? {});
  return [
    ...(items?.properties ? [path] : []),
    ...(items ? listsIn(items, path) : []),
    ...anyOf.flatMap((one) => listsIn(one, path)),
    ...below.flatMap(([name, one]) => listsIn(one, `${path}.${name}`)),
  ];
}

/** A body with a list, whose object has a field that is unknown. */
function bodyWith(path: string[], one: Fields): { body: Fields; place: string } {
  const [name = '', ...inner] = path;
  if (inner.length === 0) return { body: { [name]: [{ ...one, zzz: 1 }] }, place: `${name}.0.zzz` };
  const { body, place } = bodyWith(inner, one);
  return { body: { [name]: [{ label: 'A', ...body }] }, place: `${name}.0.${place}` };
}

test('an unknown field of any object in a body is named in meta.ignored', async () => {
  const { schemas } = (await service.client.get('/openapi.json')).json.components;
  const bodies = [...new Set(Object.keys(NESTED).map((path) => path.split('.')[0] ?? ''))];
  const documented = Object.keys(schemas).filter((name) =>
    /(Input|SettingsChange|Theme)$/.test(name),
  );
  const lists = documented.flatMap((name) => listsIn(schemas[name], name));
  assert.deepEqual(
    new Set(lists.filter((path) => !path.startsWith('ReleaseInput'))),
    new Set(Object.keys(NESTED)),
  );
  const paths = ['/items', '/categories', '/modifier-groups', '/settings'];
  const whole = { category_id: section, name: { it: 'Intero' } };
  for (const [path, one] of Object.entries(NESTED)) {
    const [schema = '', ...inner] = path.split('.');
    const { body, place } = bodyWith(inner, one);
    const isOne = schema === 'SettingsChange';
    const method = isOne ? 'PATCH' : 'POST';
    const reply = await call(method, paths[bodies.indexOf(schema)] ?? '', {
      ...(isOne ? {} : whole),
      ...body,
    });
    assert.ok(reply.status < 300, `${path}: ${reply.text}`);
    assert.ok(reply.json.meta.ignored.includes(place), `${path}: ${reply.json.meta.ignored}`);
  }
});

// `visible_from` and `visible_until` of sections and dishes, and sections that are out of their dates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shiftDay } from '../../../db/runtime/day.ts';
import { isoSeconds } from '../../../db/schema/validation/date-fields.ts';
import { localTime } from '../../../gateway/analytics/local-time.ts';
import { adminService } from '../../support/admin.ts';
import { formOf } from '../../support/page-forms.ts';
import { addUser, signedIn } from '../../support/panel.ts';
import { until } from '../../support/until.ts';

type Fields = Record<string, unknown>;

const service = await adminService({ constants: { clockInterval: 20, dueSoonInterval: 20 } });
await addUser(service.db, service.tenantId);

const LATER = '2198-12-24T18:00:00Z';
const LAST = '2198-12-27T00:00:00Z';
const OVER = '2020-01-01T00:00:00Z';
/** Lets a moment of a dish come within a second, and returns it: the API takes later ones alone. */
async function letCome(id: number, field: 'visible_from' | 'visible_until'): Promise<string> {
  const [{ moment }] = await service.sql(
    `update dishes set ${field} = date_trunc('second', now()) + interval '1 second'
     where id = $1 returning ${field} as moment`,
    [id],
  );
  return isoSeconds(moment.getTime());
}
const put = (path: string, body: Fields) => service.admin.call('PATCH', path, body);
async function change(path: string, body: Fields): Promise<Fields> {
  return (await put(path, body)).expect(200).json.data;
}
/** The id of a dish or a section by its path and its name. */
const named = async (path: '/items' | '/categories', name: string): Promise<number> => {
  const { data } = (await service.admin.get(`${path}?per_page=100`)).json;
  return data.find((one: { name: string }) => one.name === name).id;
};
const publicStatus = async (path: string) => (await service.client.get(path)).status;
const page = async () => (await service.client.send('/', {})).text;
const lastEntry = async () => {
  const { data } = (await service.admin.get('/versions?limit=1')).json;
  return (await service.admin.get(`/versions/${data[0].version}`)).json.data;
};

test('a dish before its time is in the admin API alone', async () => {
  const id = await named('/items', 'Crostini');
  const shown = await change(`/items/${id}`, { visible_from: '2198-12-24T19:00:00+01:00' });
  assert.equal(shown.visible_from, LATER);
  assert.equal(await publicStatus(`/items/${id}`), 404);
  for (const path of ['/menu', '/items', '/categories', '/items?search=crostini']) {
    assert.doesNotMatch((await service.client.get(path)).text, /Crostini/, path);
  }
  assert.doesNotMatch(await page(), /Crostini/);
  assert.equal((await service.admin.get(`/items/${id}`)).json.data.visible_from, LATER);
  await change(`/items/${id}`, { visible_from: null });
  const open = (await service.client.get(`/items/${id}`)).expect(200);
  assert.ok(!('visible_from' in open.json.data) && !('visible_until' in open.json.data));
});

test('a section before its time takes along what is in it', async () => {
  const id = await named('/categories', 'Antipasti');
  const below = await named('/categories', 'Fritti');
  const dish = await named('/items', 'Supplì');
  await change(`/categories/${id}`, { visible_from: LATER, visible_until: LAST });
  for (const path of [`/categories/${id}`, `/categories/${below}`, `/items/${dish}`]) {
    assert.equal(await publicStatus(path), 404, path);
  }
  assert.doesNotMatch(await page(), /Supplì/);
  await change(`/categories/${id}`, { visible_from: null, visible_until: null });
  assert.equal(await publicStatus(`/items/${dish}`), 200);
});

test('the clock publishes a dish at its moment, and takes it away at the end', async () => {
  const id = await named('/items', 'Gnocchi');
  await change(`/items/${id}`, { visible_from: LATER, visible_until: LAST });
  const [{ next }] = await service.sql`
    select next_change_at as next from tenants where id = ${service.tenantId}`;
  assert.equal(isoSeconds(next.getTime()), LATER);
  assert.equal(await publicStatus(`/items/${id}`), 404);
  const from = await letCome(id, 'visible_from');
  await until('it does not appear', async () => (await publicStatus(`/items/${id}`)) === 200);
  const entry = await lastEntry();
  assert.deepEqual([entry.actor.kind, entry.origin], ['clock', 'clock']);
  const told = { resource: 'items', id, name: 'Gnocchi', action: 'changed' };
  const { changes } = entry;
  assert.deepEqual(changes, [
    { ...told, external_id: changes[0].external_id, fields: { is_visible: [false, true] } },
  ]);
  // Its beginning is over, and it may keep it.
  await change(`/items/${id}`, { visible_from: from, visible_until: LATER });
  await letCome(id, 'visible_until');
  await until('it does not leave', async () => (await publicStatus(`/items/${id}`)) === 404);
  assert.deepEqual((await lastEntry()).changes[0].fields, { is_visible: [true, false] });
  const visitor = await signedIn(service.client);
  (await visitor.get('/admin/history')).shows(/Gli ospiti lo vedono/);
  await change(`/items/${id}`, { visible_from: null, visible_until: null });
});

test('moments that are over are refused with words', async () => {
  const id = await named('/items', 'Olive');
  for (const field of ['visible_from', 'visible_until', 'sold_out_until']) {
    const reply = await put(`/items/${id}`, { [field]: OVER });
    assert.equal(reply.status, 422, field);
    const name = field.replaceAll('_', ' ');
    const said = `${name[0]?.toUpperCase()}${name.slice(1)} deve essere nel futuro.`;
    assert.deepEqual(reply.json.errors, { [field]: [said] });
    const operations = [{ resource: 'items', action: 'update', id, data: { [field]: OVER } }];
    const bulk = await service.admin.call('POST', '/bulk', { operations });
    assert.deepEqual(bulk.json.data.results[0].codes, { [field]: [{ rule: 'past' }] });
  }
  const wrong = await put(`/items/${id}`, { visible_from: LAST, visible_until: LATER });
  assert.deepEqual(wrong.json.errors, {
    visible_until: ['Visible until deve essere dopo l’inizio.'],
  });
  (await put(`/items/${id}`, { visible_from: 'indefinitely' })).expect(422);
});

test('an export that is imported keeps its moments, those that are over too', async () => {
  const id = await named('/items', 'Olive');
  await service.sql('update dishes set visible_from = $1 where id = $2', [OVER, id]);
  await change(`/items/${id}`, { visible_until: LATER });
  const document = (await service.admin.get('/export')).json;
  const sent = document.data.items.find((dish: { id: number }) => dish.id === id);
  assert.deepEqual([sent.visible_from, sent.visible_until], [OVER, LATER]);
  const reply = (await service.admin.call('PUT', '/import', document)).expect(200);
  const { updated, created, failed } = reply.json.data.counts;
  assert.deepEqual([updated, created, failed], [0, 0, 0]);
  await change(`/items/${id}`, { visible_from: null, visible_until: null });
});

test('the panel edits the moments on the restaurant’s clocks, and marks records by them', async () => {
  const id = await named('/items', 'Olive');
  const visitor = await signedIn(service.client);
  const path = `/admin/menu/items/${id}`;
  const shown = await visitor.get(path);
  const fields = { ...formOf(shown.text), do: 'save' };
  (await visitor.post(path, { ...fields, visible_from: '2198-12-24T19:00' })).expect(303);
  const stored = (await service.admin.get(`/items/${id}`)).json.data;
  assert.equal(stored.visible_from, LATER);
  assert.equal(formOf((await visitor.get(path)).text).visible_from?.[0], '2198-12-24T19:00');
  const list = await visitor.get(`/admin/menu?section=${stored.category_id}`);
  list.shows(/<span class="tag">visibile dal 24 dic 2198, 19:00<\/span>/);
  const again = { ...formOf((await visitor.get(path)).text), do: 'save' };
  const past = await visitor.post(path, { ...again, visible_from: '2020-01-01T00:00' });
  past.expect(422).shows(/Questo momento è già passato/);
  await change(`/items/${id}`, { visible_from: null });
});

test('the page has no section that is out of its dates today, and the API has', async (t) => {
  // No midnight comes meanwhile.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const id = await named('/categories', 'Antipasti');
  const { day } = localTime('Europe/Rome', Date.now());
  const [yesterday, tomorrow] = [shiftDay(day, -1), shiftDay(day, 1)];
  const out = [
    { date_start: tomorrow, date_end: null },
    { date_start: null, date_end: yesterday },
  ];
  for (const dates of out) {
    await change(`/categories/${id}`, dates);
    const text = await page();
    assert.doesNotMatch(text, /Antipasti|Olive|Supplì/, JSON.stringify(dates));
    assert.match(text, /Gnocchi/);
    (await service.client.get('/menu')).shows(/Supplì/);
  }
  const visitor = await signedIn(service.client);
  (await visitor.get('/admin/menu')).shows(/fuori dalle sue date/);
  const within = { date_start: yesterday, date_end: day };
  await change(`/categories/${id}`, within);
  assert.match(await page(), /Supplì/);
  // Hours that go on past midnight belong to the day before.
  const late = { time_visibility_enabled: true, time_start: '18:00', time_end: '02:00' };
  await change(`/categories/${id}`, { ...late, date_end: yesterday });
  assert.match(await page(), /Supplì/);
});

// Several windows of a section, beside the three fields of its first one.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { adminService } from '../../support/admin.ts';

type Fields = Record<string, unknown>;

const service = await adminService();
const id = (await service.client.get('/categories')).json.data[0].id;

const change = (body: Fields) => service.admin.call('PATCH', `/categories/${id}`, body);
const LUNCH = { weekdays: [1, 2, 3], time_start: '12:00', time_end: '14:30' };
const DINNER = { weekdays: null, time_start: '19:00', time_end: '23:00' };
const NONE = { weekdays: null, time_start: null, time_end: null };

async function read(): Promise<Fields> {
  const { data } = (await service.client.get(`/categories/${id}`)).json;
  const { weekdays, time_start, time_end, hours, time_visibility_enabled: on } = data;
  return { first: { weekdays, time_start, time_end }, hours, on };
}

beforeEach(async () => {
  (await change({ ...NONE, time_visibility_enabled: false })).expect(200);
});

test('a section without hours has an empty list', async () => {
  assert.deepEqual(await read(), { first: NONE, hours: [], on: false });
});

test('the list sets the fields of its first window, and the switch when it has times', async () => {
  (await change({ hours: [LUNCH, DINNER] })).expect(200);
  assert.deepEqual(await read(), { first: LUNCH, hours: [LUNCH, DINNER], on: true });
  await change({ hours: [{ weekdays: [7] }] });
  const sundays = { ...NONE, weekdays: [7] };
  assert.deepEqual(await read(), { first: sundays, hours: [sundays], on: false });
  await change({ hours: [] });
  assert.deepEqual(await read(), { first: NONE, hours: [], on: false });
});

test('the fields change the first window; without any of them the list is empty', async () => {
  await change({ time_start: '18:00', time_end: '20:00', time_visibility_enabled: true });
  const early = { weekdays: null, time_start: '18:00', time_end: '20:00' };
  assert.deepEqual(await read(), { first: early, hours: [early], on: true });
  await change({ hours: [early, DINNER] });
  await change({ time_end: '20:30' });
  const later = { ...early, time_end: '20:30' };
  assert.deepEqual(await read(), { first: later, hours: [later, DINNER], on: true });
  await change({ ...NONE, time_visibility_enabled: false });
  assert.deepEqual(await read(), { first: NONE, hours: [], on: false });
});

test('a body that sends back what it has read changes the form that differs', async () => {
  await change({ hours: [LUNCH, DINNER] });
  const both = { ...LUNCH, hours: [LUNCH, DINNER] };
  const version = async () => (await service.client.get('/menu')).headers.etag;
  const before = await version();
  assert.equal((await change(both)).status, 200);
  assert.equal(await version(), before, 'nothing has changed');
  assert.equal((await change({ ...both, time_end: '15:00' })).status, 200);
  const longer = { ...LUNCH, time_end: '15:00' };
  assert.deepEqual((await read()).hours, [longer, DINNER]);
  assert.equal((await change({ ...longer, hours: [DINNER] })).status, 200);
  assert.deepEqual(await read(), { first: DINNER, hours: [DINNER], on: true });
});

test('a body that changes both in different ways is refused', async () => {
  const reply = await change({ hours: [LUNCH], time_start: '11:00', weekdays: [1, 2, 3] });
  assert.equal(reply.status, 422, reply.text);
  assert.deepEqual(reply.json.codes.hours, [{ rule: 'otherWindow', fields: ['time_start'] }]);
  (await change({ hours: [LUNCH, DINNER], ...LUNCH })).expect(200);
});

test('windows need both times or days, and times where the switch is on', async () => {
  for (const [body, field] of [
    [{ hours: [{}] }, 'hours.0.time_start'],
    [{ hours: [{ weekdays: null, time_end: '12:00' }] }, 'hours.0.time_start'],
    [{ hours: [LUNCH, { time_start: '12:00' }] }, 'hours.1.time_end'],
    [{ hours: [LUNCH, { weekdays: [1] }], time_visibility_enabled: true }, 'hours'],
    [{ hours: Array.from({ length: 9 }, () => LUNCH) }, 'hours'],
  ] as [Fields, string][]) {
    (await change(body)).refuses(field);
  }
});

test('hours come back by an import, an undo and a restore', async () => {
  await change({ hours: [LUNCH, DINNER] });
  const document = (await service.admin.get('/export')).json.data;
  assert.deepEqual(document.categories[0].hours, [LUNCH, DINNER]);
  const same = await service.admin.call('PUT', '/import', document);
  assert.equal(same.json.data.counts.updated, 0, same.text);
  await change({ hours: [DINNER] });
  const [last] = (await service.admin.get('/versions?limit=1')).json.data;
  (await service.admin.call('POST', `/versions/${last.version}/undo`, {})).expect(200);
  assert.deepEqual((await read()).hours, [LUNCH, DINNER]);
  await change({ hours: [] });
  const back = await service.admin.call('PUT', '/import', document);
  assert.equal(back.json.data.counts.updated, 1, back.text);
  assert.deepEqual((await read()).hours, [LUNCH, DINNER]);
  await service.admin.call('DELETE', `/categories/${id}`);
  await service.admin.call('POST', `/categories/${id}/restore`);
  assert.deepEqual((await read()).hours, [LUNCH, DINNER]);
  const page = (await service.client.send('/?lang=it')).text;
  assert.match(page, /lun\u2009–\u2009mer, 12:00\u2009–\u200914:30; 19:00\u2009–\u200923:00/);
});

// When a restaurant is open, and where guests find it, at every door.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { each } from '../../support/each.ts';

const service = await adminService();

const put = (body: object) => service.admin.call('PUT', '/settings', body);
const restaurant = async () => (await service.client.get('/restaurant')).json.data;

const HOURS = [
  { weekdays: [2, 3, 4], time_start: '12:00', time_end: '15:00' },
  { weekdays: null, time_start: '19:00', time_end: '01:00' },
];
const text = { it: 'Ferie d’agosto', en: 'Summer break' };
const PLACE = {
  map_url: 'https://maps.example/iole',
  social_urls: ['https://social.example/iole', 'https://photos.example/iole'],
  cuisine: { it: 'Cucina romana', en: 'Roman cuisine' },
};

test('settings keep hours, closures, a map and pages elsewhere, and guests read them', async () => {
  const closures = [{ date_start: '2026-08-10', date_end: '2026-08-25', text }];
  const sent = { opening_hours: HOURS, closures, ...PLACE };
  (await put(sent)).expect(200);
  const shown = await restaurant();
  assert.deepEqual(shown.opening_hours, HOURS);
  assert.deepEqual(shown.closures, [
    { date_start: '2026-08-10', date_end: '2026-08-25', text: text.it, text_translations: text },
  ]);
  assert.deepEqual([shown.map_url, shown.social_urls], [PLACE.map_url, PLACE.social_urls]);
  assert.deepEqual([shown.cuisine, shown.cuisine_translations], ['Cucina romana', PLACE.cuisine]);
  const english = (await service.client.get('/menu/en')).json.data.settings;
  assert.equal(english.closures[0].text, 'Summer break');
});

test('settings take back what a reader has read, and an import what was exported', async () => {
  const before = (await service.client.get('/restaurant')).headers.etag;
  const { opening_hours, social_urls } = await restaurant();
  assert.equal((await put({ opening_hours, social_urls })).status, 200);
  const document = (await service.admin.get('/export')).json.data;
  assert.deepEqual(document.settings.closures[0].text, text);
  const reply = await service.admin.call('PUT', '/import', document);
  assert.equal(reply.json.data.counts.updated, 0, reply.text);
  assert.equal((await service.client.get('/restaurant')).headers.etag, before);
});

test('settings keep the hours of single days, and a house without them has the bytes of before', async () => {
  assert.ok(!('special_hours' in (await restaurant())));
  const day = { date: '2026-12-31', time_start: '19:00', time_end: '02:00' };
  const special_hours = [{ ...day, text: { it: 'San Silvestro', en: 'New Year’s Eve' } }, day];
  (await put({ special_hours })).expect(200);
  const [first, second] = (await restaurant()).special_hours;
  assert.deepEqual([first.date, first.text, second.text], ['2026-12-31', 'San Silvestro', '']);
  const english = (await service.client.get('/menu/en')).json.data.settings;
  assert.equal(english.special_hours[0].text, 'New Year’s Eve');
  const document = (await service.admin.get('/export')).json.data;
  assert.equal((await put({ special_hours: [] })).status, 200);
  assert.ok(!('special_hours' in (await restaurant())));
  const back = await service.admin.call('PUT', '/import', document);
  assert.equal(back.json.data.counts.updated, 1, back.text);
  assert.equal((await restaurant()).special_hours.length, 2);
  for (const [one, path, rule] of [
    [{ ...day, date: '2026-02-30' }, 'special_hours.0.date', 'dateFormat'],
    [{ ...day, time_end: null }, 'special_hours.0.time_end', 'required'],
    [{ time_start: '19:00', time_end: '20:00' }, 'special_hours.0.date', 'required'],
  ] as const) {
    const refused = await put({ special_hours: [one] });
    assert.deepEqual([refused.status, refused.json.codes[path][0].rule], [422, rule], refused.text);
  }
  await put({ special_hours: null });
});

test('a closure without a last day is one day, and a plain text is in the default language', async () => {
  (await put({ closures: [{ date_start: '2026-12-25', text: ' Natale ' }] })).expect(200);
  const [christmas] = (await restaurant()).closures;
  assert.deepEqual(christmas.text_translations, { it: 'Natale' });
  (await put({ closures: [{ date_start: '2026-12-25', text: null }] })).expect(200);
  const [closure] = (await restaurant()).closures;
  assert.deepEqual([closure.date_end, closure.text], ['2026-12-25', '']);
});

test('a client that writes closures back as it has read them loses no translation', async () => {
  const texts = ['Natale', 'Ferie'].map((it) => ({ it, en: `${it} in English` }));
  const days = texts.map((one, at) => ({ date_start: `2026-12-2${at}`, text: one }));
  assert.equal((await put({ closures: days })).status, 200);
  const read = (await service.admin.get('/settings')).json.data.closures;
  // In another order, with one that is new.
  const sent = [...read.toReversed(), { date_start: '2027-01-01', text: 'Capodanno' }];
  assert.equal((await put({ closures: sent })).status, 200);
  assert.deepEqual(each((await restaurant()).closures, 'text_translations'), [
    ...texts.toReversed(),
    { it: 'Capodanno' },
  ]);
});

test('settings refuse hours without their ends, days that are none, and too many windows', async () => {
  const window = HOURS[0];
  const open = (parts: object) => ({ opening_hours: [{ ...window, ...parts }] });
  const backwards = { date_start: '2026-03-02', date_end: '2026-03-01' };
  for (const [body, field, rule] of [
    [open({ time_end: '' }), 'opening_hours.0.time_end', 'required'],
    [{ opening_hours: [{ weekdays: [1] }] }, 'opening_hours.0.time_start', 'required'],
    [open({ time_end: '24:00' }), 'opening_hours.0.time_end', 'dateFormat'],
    [open({ weekdays: [8] }), 'opening_hours.0.weekdays.0', 'max'],
    [{ opening_hours: Array.from({ length: 31 }, () => window) }, 'opening_hours', 'maxItems'],
    [{ opening_hours: [null] }, 'opening_hours.0', 'required'],
    [{ opening_hours: ['12-15'] }, 'opening_hours.0', 'object'],
    [{ closures: [{ date_start: '2026-02-30' }] }, 'closures.0.date_start', 'dateFormat'],
    [{ closures: [backwards] }, 'closures.0.date_end', 'notBefore'],
    [{ social_urls: ['ftp://x.example'] }, 'social_urls.0', 'format'],
    [{ social_urls: ['https://x.example', 'https://x.example'] }, 'social_urls', 'distinct'],
    [{ map_url: 'maps.example' }, 'map_url', 'format'],
  ] as const) {
    const { status, json, text: said } = await put(body);
    assert.equal(status, 422, said);
    assert.deepEqual(json.codes[field]?.[0]?.rule, rule, `${field}: ${said}`);
  }
});

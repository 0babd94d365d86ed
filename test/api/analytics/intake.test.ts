import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { allergens } from '../../../db/schema/dictionary.ts';
import { EVENT_TYPES } from '../../../db/schema/event.ts';
import { queues } from '../../../db/schema/queues.ts';
import { LOCALES } from '../../../db/schema/values/locale.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { createClient } from '../../support/http.ts';
import { menuService } from '../../support/menu-service.ts';
import { lockTable } from '../../support/sql.ts';
import { until } from '../../support/until.ts';

const service = await menuService([trattoria], { alone: true });
const { client, databaseUrl } = service;

const oneOf = (values: readonly string[]) =>
  `selezionato non è valido. Valori ammessi: ${values.join(', ')}.`;

async function errorsOf(body: unknown): Promise<Record<string, string[]>> {
  const response = (await client.sendEvents(body)).expect(422);
  assert.equal(response.json.success, false);
  return response.json.errors;
}

async function queued(): Promise<number> {
  const [{ count }] = await service.sql`
     select coalesce(sum(jsonb_array_length(data->'type')), 0) as count
     from pgboss.job where name = ${queues.analyticsEvents}`;
  return count;
}

test('one event, a list and a wrapper are accepted and in the queue when the answer comes', async () => {
  const event = { type: 'item_view', item_id: 7 };
  for (const [body, accepted] of [
    [event, 1],
    [[event, event], 2],
    [{ events: [event, event, event] }, 3],
  ] as const) {
    const before = await queued();
    const response = (await client.sendEvents(body)).expect(202);
    assert.equal(response.json.success, true);
    assert.deepEqual(response.json.data, { accepted });
    assert.match(response.json.meta.generated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    assert.equal(await queued(), before + accepted);
  }
});

test('every type is accepted with its subject, and refused without it', async () => {
  const subjects: [type: string, field: string | null, value: unknown][] = [
    ['menu_view', null, null],
    ['section_view', 'category_id', 3],
    ['item_view', 'item_id', 3],
    ['search', 'query', 'tortelli'],
    ['search', 'query', 'tortelli\tzucca'],
    ['allergen_filter', 'allergen', 'latte'],
    ['locale_change', 'locale', 'de'],
    ['review_click', null, null],
  ];
  for (const [type, field, value] of subjects) {
    assert.equal((await client.sendEvents({ type, ...(field && { [field]: value }) })).status, 202);
    if (!field) continue;
    const text = `Il campo ${field.replace('_', ' ')} è richiesto.`;
    for (const body of [{ type }, { type, [field]: null }, { type, [field]: ' ' }]) {
      assert.deepEqual(await errorsOf(body), { [field]: [text] });
    }
  }
});

test('what breaks a rule is named with its index, in Italian', async () => {
  const ok = { type: 'menu_view' };
  const long = 'x'.repeat(201);
  const noMoment = '% non coincide con il formato ISO 8601.';
  const tooHigh = '% non può essere superiore a 2147483647.';
  /** In a text, a percent sign is the name of the field. */
  const bad: [event: unknown, field: string, text: string][] = [
    [{}, 'type', 'Il campo % è richiesto.'],
    [[ok], 'type', 'Il campo % è richiesto.'],
    [{ type: null }, 'type', 'Il campo % è richiesto.'],
    [{ type: '' }, 'type', 'Il campo % è richiesto.'],
    [{ type: 'view' }, 'type', `% ${oneOf(EVENT_TYPES)}`],
    [{ type: 7 }, 'type', `% ${oneOf(EVENT_TYPES)}`],
    [{ ...ok, item_id: 'x' }, 'item_id', '% deve essere un numero intero.'],
    [{ ...ok, item_id: 1.5 }, 'item_id', '% deve essere un numero intero.'],
    [{ ...ok, item_id: [1] }, 'item_id', '% deve essere un numero intero.'],
    [{ ...ok, item_id: 0 }, 'item_id', '% deve essere almeno 1.'],
    [{ ...ok, category_id: 2 ** 31 }, 'category_id', tooHigh],
    [{ ...ok, allergen: 'glutine' }, 'allergen', `% ${oneOf(allergens.keys)}`],
    [{ ...ok, locale: 'xx' }, 'locale', `% ${oneOf(LOCALES)}`],
    [{ ...ok, query: 5 }, 'query', '% deve essere una stringa.'],
    [{ ...ok, query: long }, 'query', '% non può contenere più di 200 caratteri.'],
    [{ ...ok, query: 'a\u0000b' }, 'query', 'Il formato del campo % non è valido.'],
    [{ ...ok, query: '\ud800' }, 'query', 'Il formato del campo % non è valido.'],
    [{ ...ok, results: 'x' }, 'results', '% deve essere un numero intero.'],
    [{ ...ok, results: -1 }, 'results', '% deve essere almeno 0.'],
    [{ ...ok, results: 2 ** 31 }, 'results', tooHigh],
    [{ ...ok, visitor_id: long }, 'visitor_id', '% non può contenere più di 100 caratteri.'],
    [{ ...ok, id: {} }, 'id', '% deve essere una stringa.'],
    [{ ...ok, occurred_at: 'yesterday' }, 'occurred_at', noMoment],
    [{ ...ok, occurred_at: '2026-01-01T10:00:00' }, 'occurred_at', noMoment],
    [{ ...ok, occurred_at: '2026-13-45T10:00:00Z' }, 'occurred_at', noMoment],
    [{ ...ok, occurred_at: '2026-11-31T10:00:00Z' }, 'occurred_at', noMoment],
    [{ ...ok, occurred_at: 1_700_000_000 }, 'occurred_at', '% deve essere una stringa.'],
  ];
  for (const [event, field, text] of bad) {
    const name = `events.1.${field}`;
    assert.deepEqual(await errorsOf([ok, event]), { [name]: [text.replace('%', name)] });
  }
  assert.deepEqual(await errorsOf([null]), { 'events.0': ['Il campo events.0 è richiesto.'] });
  for (const event of ['x', 5]) {
    const errors = await errorsOf({ events: [ok, event] });
    assert.deepEqual(errors, { 'events.1': ['events.1 deve essere un oggetto.'] });
  }
});

test('clocks that are far off are refused, those that are near are not', async () => {
  const at = (ms: number) => {
    return { type: 'menu_view', occurred_at: new Date(Date.now() + ms).toISOString() };
  };
  const [minute, day] = [60_000, 86_400_000];
  for (const near of [4 * minute, 0, -1.9 * day])
    assert.equal((await client.sendEvents(at(near))).status, 202);
  const [future] = (await errorsOf(at(6 * minute))).occurred_at ?? [];
  assert.match(future ?? '', /^Occurred at deve essere una data precedente o uguale al 20.*Z\.$/);
  const [past] = (await errorsOf(at(-2.1 * day))).occurred_at ?? [];
  assert.match(past ?? '', /^Occurred at deve essere una data successiva o uguale al 20.*Z\.$/);
});

test('offsets, digits as numbers, blanks and unknown fields are understood', async () => {
  const time = Date.now() - 60_000;
  const rome = `${new Date(time + 7_200_000).toISOString().slice(0, -1)}+02:00`;
  const sent = { type: ' item_view ', item_id: '12', query: ' ', shoe_size: 43, occurred_at: rome };
  assert.equal((await client.sendEvents(sent)).status, 202);
  const [{ data }] = await service.sql(
    'select data from pgboss.job where name = $1 order by created_on desc limit 1',
    [queues.analyticsEvents],
  );
  assert.deepEqual(data.item_id, [12]);
  assert.deepEqual(data.query, [null]);
  assert.deepEqual(data.occurred_at, [time]);
  assert.ok(!('shoe_size' in data));
});

test('the number of events is bounded, and none is an error', async () => {
  const events = (length: number) => Array.from({ length }, () => ({ type: 'menu_view' }));
  assert.equal((await client.sendEvents(events(500))).status, 202);
  const many = 'Events non può contenere più di 500 elementi.';
  assert.deepEqual(await errorsOf(events(501)), { events: [many] });
  assert.deepEqual(await errorsOf({ events: events(501) }), { events: [many] });
  assert.deepEqual(await errorsOf([]), { events: ['Il campo events è richiesto.'] });
  assert.deepEqual(await errorsOf({ events: [] }), { events: ['Il campo events è richiesto.'] });
  assert.deepEqual(await errorsOf({ events: {} }), { events: ['Events deve essere un array.'] });
});

test('malformed JSON and an empty body lack what is required', async () => {
  const type = ['Il campo type è richiesto.'];
  for (const body of ['', 'null', '5', '"x"', '{}']) {
    assert.deepEqual(await errorsOf(body), { type });
  }
  for (const body of ['{', '{"type"']) {
    const end = `finisce prima del previsto, al byte ${body.length + 1}`;
    const broken = [`Il corpo della richiesta non è JSON valido: ${end}.`];
    assert.deepEqual(await errorsOf(body), { body: broken, type });
  }
});

test('forms are refused, beacons of plain text are not, and long bodies neither stay', async () => {
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const response = await client.sendEvents('type=menu_view', { 'Content-Type': type });
    assert.equal(response.status, 415);
    assert.equal(response.json.success, false);
  }
  (await client.sendEvents({ type: 'menu_view' }, { 'Content-Type': 'text/plain' })).expect(202);
  assert.equal((await client.sendEvents(`"${'x'.repeat(1_048_576)}"`)).status, 413);
});

test('a refused request keeps nothing of itself', async () => {
  const before = await queued();
  await errorsOf([{ type: 'menu_view' }, { type: 'nonsense' }]);
  assert.equal(await queued(), before);
});

test('any page may send events, no page may read them', async () => {
  const preflight = await client.send('/api/v1/analytics/events', { method: 'OPTIONS' });
  assert.equal(preflight.status, 204);
  assert.match(preflight.headers['access-control-allow-methods'] ?? '', /POST/);
  assert.match(preflight.headers['access-control-allow-headers'] ?? '', /Content-Type/);
  const accepted = await client.sendEvents({ type: 'menu_view' });
  assert.equal(accepted.headers['access-control-allow-origin'], '*');
  assert.equal((await client.get('/analytics/events')).status, 405);
});

test('requests that wait together share a commit', async (t) => {
  const gateway = await startTestGateway(databaseUrl);
  t.after(() => gateway.stop());
  const sender = gateway.client('trattoria');
  const countJobs = async () =>
    Number((await service.sql('select count(*) from pgboss.job'))[0].count);
  const pending = async () => {
    const { text } = await createClient(gateway.opsPort, 'localhost').send('/metrics');
    return Number(/^lavagna_pending_events (\d+)$/m.exec(text)?.[1]);
  };
  const before = await countJobs();
  const holder = await lockTable(databaseUrl, 'pgboss.job in exclusive mode');
  const responses = Array.from({ length: 40 }, () => sender.sendEvents({ type: 'menu_view' }));
  await until('the events have not arrived', async () => (await pending()) === 40);
  await holder.end();
  assert.ok((await Promise.all(responses)).every(({ status }) => status === 202));
  const jobs = (await countJobs()) - before;
  assert.ok(jobs < 40, `${jobs} jobs`);
});

test('fields of events that have no meaning are named by their paths', async () => {
  const event = { type: 'menu_view' };
  const metaOf = async (body: unknown) => {
    return (await client.sendEvents(body)).expect(202).json.meta;
  };
  assert.deepEqual(Object.keys(await metaOf(event)), ['generated_at']);
  assert.deepEqual((await metaOf({ ...event, page: '/' })).ignored, ['page']);
  assert.deepEqual((await metaOf([event, { ...event, page: '/' }])).ignored, ['events.1.page']);
  const wrapped = { sent_at: 5, events: [{ ...event, page: '/' }] };
  assert.deepEqual((await metaOf(wrapped)).ignored, ['sent_at', 'events.0.page']);
});

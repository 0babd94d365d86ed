import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { constants } from '../../../db/runtime/constants.ts';
import { type AcceptedEvent, toEventColumns } from '../../../db/schema/event.ts';
import { createPartitions } from '../../../db/sql/events.ts';
import { ingest } from '../../../workers/events.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { plant, restaurantOf } from '../../support/restaurant.ts';

const DAY = '2026-05-02';

const database = await ownDatabase();
const { db } = database;
await createPartitions(db, [DAY]);
const tenants = [
  await plant(db, restaurantOf('osteria', [])),
  await plant(db, restaurantOf('bottega', [])),
];
beforeEach(() =>
  database.sql('truncate analytics_counts, analytics_visits, analytics_empty_searches'),
);

const event = (tenant_id: number, parts: Partial<AcceptedEvent> = {}): AcceptedEvent => ({
  ...{ tenant_id, day: DAY, hour: 12, occurred_at: Date.parse(DAY), type: 'menu_view' },
  ...{ item_id: null, category_id: null, allergen: null, query: null, locale: null },
  ...{ results: null, visitor: '7', id: null, ...parts },
});

const totals = () =>
  database.sql`select tenant_id, events, visitors from analytics_counts where scope = 'total'
     order by tenant_id`;

test('events of two restaurants may have the same id, in one batch as well', async () => {
  const events = tenants.map((tenant) => event(tenant, { id: 'tavolo-1' }));
  const jobs = [toEventColumns(events), toEventColumns(events)];
  await db.transaction((tx) => ingest(tx, jobs));
  await db.transaction((tx) => ingest(tx, jobs));
  const once = tenants.map((tenant_id) => ({ tenant_id, events: 1, visitors: 1 }));
  assert.deepEqual(await totals(), once);
});

test('the visitors of restaurants that are counted together are counted apart', async () => {
  const [one = 0, other = 0] = tenants;
  const own = ['7', '7', '8', '9'].map((visitor) => event(one, { visitor }));
  await count(...own, event(other, { visitor: '7' }));
  assert.deepEqual(await totals(), [
    { tenant_id: one, events: 4, visitors: 3 },
    { tenant_id: other, events: 1, visitors: 1 },
  ]);
  await count(event(one, { visitor: '9', locale: 'de' }));
  assert.deepEqual((await totals())[0], { tenant_id: one, events: 5, visitors: 3 });
});

const missed = (tenant_id: number, query: string, parts: Partial<AcceptedEvent> = {}) =>
  event(tenant_id, { type: 'search', query, results: 0, ...parts });

const count = (...events: AcceptedEvent[]) =>
  db.transaction((tx) => ingest(tx, [toEventColumns(events)]));

const texts = async (tenantId: number) => {
  const rows = await database.sql(
    `select query, searches from analytics_empty_searches where tenant_id = $1 order by query`,
    [tenantId],
  );
  return rows.map(({ query, searches }): [string, number] => [query, searches]);
};

test('searches that found nothing are counted by their text, however it was typed', async () => {
  const [one = 0, other = 0] = tenants;
  await count(
    ...['Caffè  corretto', ' caffe\u0300 CORRETTO', 'caffè\tcorretto\u0007'].map((query) =>
      missed(one, query),
    ),
    missed(one, 'pizza', { results: 3 }),
    missed(one, 'gnocchi', { results: null }),
    missed(one, 'sushi', { type: 'menu_view' }),
    missed(one, '\u200b\u200d'),
    missed(one, `${'😀'.repeat(constants.maxEmptySearchLength)}ab`),
    missed(other, 'caffè corretto'),
  );
  await count(missed(one, 'CAFFÈ CORRETTO'), missed(one, '\u2060'));
  assert.deepEqual(await texts(one), [
    ['', 2],
    ['caffè corretto', 4],
    ['😀'.repeat(constants.maxEmptySearchLength), 1],
  ]);
  assert.deepEqual(await texts(other), [['caffè corretto', 1]]);
});

test('every text that an event may have is counted, in a bounded form', async () => {
  const [one = 0] = tenants;
  const text = fc
    .string({ unit: 'binary', minLength: 1, maxLength: constants.maxSearchLength })
    .filter((given) => !given.includes('\0'));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 30 }), async (queries) => {
      await database.sql('truncate analytics_empty_searches');
      await count(...queries.map((query) => missed(one, query)));
      const kept = await texts(one);
      const sum = kept.reduce((total, [, searches]) => total + searches, 0);
      assert.equal(sum, queries.length);
      for (const [query] of kept) {
        assert.ok([...query].length <= constants.maxEmptySearchLength);
      }
    }),
    { numRuns: 50 },
  );
});

test('a day keeps a bounded number of search texts, however many workers count them', async () => {
  const [one = 0, other = 0] = tenants;
  const max = constants.maxEmptySearchesPerDay;
  await count(missed(one, 'first'), missed(one, 'often'), missed(one, 'often'));
  await Promise.all(
    ['a', 'b', 'c', 'd'].map((worker) =>
      count(
        missed(other, worker),
        ...Array.from({ length: max / 2 }, (_, n) => missed(one, `${worker} ${n}`)),
        missed(one, 'often'),
      ),
    ),
  );
  const kept = await texts(one);
  assert.deepEqual(kept[0], ['', 2 * max + 2 - max]);
  assert.equal(kept.length, max + 1);
  assert.equal(new Map(kept).get('often'), 6);
  const once = ['a', 'b', 'c', 'd'].map((worker) => [worker, 1]);
  assert.deepEqual(await texts(other), once);
});

test('of texts that come together and do not all have room, the most frequent are kept', async () => {
  const [one = 0] = tenants;
  const max = constants.maxEmptySearchesPerDay;
  const rare = Array.from({ length: max }, (_, n) => missed(one, `a${n}`));
  await count(...rare, missed(one, 'zuppa'), missed(one, 'zuppa'));
  assert.deepEqual((await texts(one)).at(-1), ['zuppa', 2]);
});

test('a job of a former gateway, which does not say what a search found, counts no empty search', async () => {
  const [one = 0] = tenants;
  const { results: _, ...former } = toEventColumns([missed(one, 'sushi')]);
  await db.transaction((tx) => ingest(tx, [former as ReturnType<typeof toEventColumns>]));
  assert.deepEqual(await totals(), [{ tenant_id: one, events: 1, visitors: 1 }]);
  assert.deepEqual(await texts(one), []);
});

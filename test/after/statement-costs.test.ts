// A plan that seems to cost millions is seldom a good one, and Postgres may compile such a statement,
// which takes seconds. So each statement that the other tests of the run have sent is planned for a
// thousand restaurants.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { copyRestaurant } from '../support/many-restaurants.ts';
import { plantPages } from '../support/panel-paths.ts';
import { panelService } from '../support/panel-service.ts';
import { notedStatements } from '../support/sent-statements.ts';
import { inOneLine, readStatements } from '../support/written-statements.ts';

/** Statements that the tests need not send, by their file or their function, with the reason. */
const ELSEWHERE: Record<string, string> = {
  'db/sql/server.ts': 'sent when a process starts, and by migrate and doctor',
  'db/sql/transactions.ts': 'settings and locks, which have no plan',
  'db/sql/passkeys.ts': 'one row by its key; a browser’s test has passkeys',
  'db/sql/record-columns.ts': 'sent when a restaurant changes its language, and by copies',
  'db/sql/tenants.ts': 'sent by commands',
  'db/sql/restaurants.ts': 'sent by operators',
  'db/sql/clock.ts readClock': 'no table',
  'db/sql/admin-records.ts findIdByKey': 'one record by its external id',
  'db/sql/deletions.ts findDeletedByKey': 'deleted records of one restaurant by their external ids',
  'db/sql/deletions.ts detachDishes': 'dishes of one restaurant that name a deleted record',
  'db/sql/records.ts freeExternalIds': 'records of one restaurant, when a version comes back',
  'db/sql/foreign-pictures.ts noteLook': 'one picture by its address; no test of these has a site',
  'db/sql/foreign-pictures.ts takePictures': 'a batch of pictures by an index',
  'db/sql/photos.ts findKeptForm': 'one photo by its digest',
  'db/sql/photos.ts findPhotoRoom': 'photos of one restaurant, at an upload by commands',
  'db/sql/users.ts dropLinks': 'links of one user',
  'db/sql/versions.ts findVersionsOf': 'restaurants by their slugs',
};

const RESTAURANTS = 1_000;
/** The cost from which on Postgres compiles statements by default. */
const MOST = 100_000;

let client: pg.Client;
/** Texts of statements as they were sent. */
const sent = notedStatements();

before(async () => {
  const service = await panelService([trattoria], { alone: true });
  await plantPages(service);
  client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  await copyRestaurant(client, service.tenantId, RESTAURANTS);
});

after(() => client.end());

test('no statement seems to cost so much that Postgres would compile it', async (t) => {
  const { rows: versions } = await client.query('show server_version_num');
  // Older ones plan no statement without its values.
  if (versions[0].server_version_num < 160_000) return t.skip('this Postgres is too old');
  const costs: { cost: number; text: string }[] = [];
  const lacking: string[] = [];
  for (const text of sent.filter((one) =>
    /^\s*\(?(select|with|insert|update|delete)\b/i.test(one),
  )) {
    const shown = inOneLine(text).slice(0, 300);
    try {
      const { rows } = await client.query(`explain (generic_plan, format json) ${text}`);
      costs.push({ cost: rows[0]['QUERY PLAN'][0].Plan['Total Cost'], text: shown });
    } catch {
      // A statement of a test itself may be about a table of its own.
      lacking.push(shown);
    }
  }
  costs.sort((a, b) => b.cost - a.cost);
  t.diagnostic(`${costs.length} statements, ${lacking.length} without a plan; the dearest:`);
  for (const { cost, text } of costs.slice(0, 5)) t.diagnostic(`${cost} ${text.slice(0, 90)}`);
  assert.ok(costs.length > 400);
  assert.deepEqual(
    costs.filter(({ cost }) => cost > MOST),
    [],
  );
});

test('the tests send the statements of db/sql', () => {
  const texts = sent.map(inOneLine);
  const isSent = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  const unsent = readStatements().filter(({ name, pattern }) => {
    const [file = ''] = name.split(' ');
    return !(file in ELSEWHERE) && !(name in ELSEWHERE) && !isSent(pattern);
  });
  assert.deepEqual([...new Set(unsent.map(({ name }) => name))].sort(), []);
});

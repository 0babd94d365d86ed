// The way to Postgres breaks or becomes slow, while the server itself is well.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { publishVersion } from '../../db/menu/new-version.ts';
import { createDatabase } from '../../db/postgres/connection.ts';
import { createOutageWatch } from '../../db/postgres/outage-watch.ts';
import { sql } from '../../db/postgres/sql.ts';
import { constants } from '../../db/runtime/constants.ts';
import { createLog } from '../../db/runtime/log.ts';
import { findTenantId } from '../../db/sql/tenants.ts';
import { createAdminClient, plantWithToken, smallRestaurant } from '../support/admin.ts';
import { databaseLink } from '../support/database-link.ts';
import { each } from '../support/each.ts';
import { testGateway } from '../support/gateway.ts';
import { createClient, type Response } from '../support/http.ts';
import { ownDatabase } from '../support/own-database.ts';
import { plant, restaurantOf } from '../support/restaurant.ts';
import { until, untilStatus } from '../support/until.ts';
import { testWorker } from '../support/worker.ts';

const SLUG = smallRestaurant.slug;

const database = await ownDatabase();
const { db } = database;

const { tenantId, token, sectionId } = await plantWithToken(database.url, smallRestaurant);
for (const slug of ['fredda', 'lenta']) await plant(db, restaurantOf(slug, []));
const link = await databaseLink(database.url);
const gateway = await testGateway(link.url, {}, constants);
await testWorker(database.url);
const admin = createAdminClient(gateway.client(SLUG), token);

const readName = async () =>
  (await gateway.client(SLUG).get('/menu')).json.data.settings.name as string;

const sendEvent = () =>
  gateway.client(SLUG).sendEvents({ type: 'menu_view', visitor_id: 'table 1' });
const sendWrite = (name: string) =>
  admin.call('POST', '/items', { category_id: sectionId, name: { it: name } });

async function assertRefused(answer: Promise<Response>): Promise<void> {
  const { headers, json } = (await answer).expect(503);
  assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/);
  assert.equal(json.success, false);
}

async function assertOnlyMemoryServes(name: string): Promise<void> {
  await Promise.all([
    assertRefused(gateway.client('fredda').get('/menu')),
    assertRefused(sendEvent()),
    assertRefused(sendWrite('Mai')),
  ]);
  assert.equal(await readName(), name);
}

/** Waits until each kind of request has got through: on a busy machine some are refused as late. */
async function untilAllWorks(slug: string, name: string): Promise<void> {
  await untilStatus('cold reads', 200, () => gateway.client(slug).get('/menu'));
  await untilStatus('events', 202, sendEvent);
  await until('writes', async () => {
    const { status } = await sendWrite(name);
    assert.ok([201, 202, 503].includes(status), `${status}`);
    return status === 201;
  });
}

async function assertAllIsBack(name: string): Promise<void> {
  await untilAllWorks('fredda', `Dopo ${name}`);
  await until('LISTEN', async () => {
    const metrics = await createClient(gateway.opsPort, 'localhost').send('/metrics');
    return metrics.text.includes('lavagna_listening 1');
  });
}

test('refused and cut off: what changed meanwhile is seen as soon as the way is open', async () => {
  await untilAllWorks(SLUG, 'Prima');
  const before = await readName();
  link.cut();
  await assertOnlyMemoryServes(before);
  // Another gateway's worker goes on: this one is not told.
  await database.sql(`update settings set name = 'Intanto' where tenant_id = $1`, [tenantId]);
  await db.transaction((tx) => publishVersion(tx, tenantId));
  assert.equal(await readName(), before);
  link.thaw();
  await until('the menu stayed stale', async () => (await readName()) === 'Intanto');
  await assertAllIsBack('il taglio');
  const refused = `select from writes where input->'name'->>'it' = 'Mai'`;
  assert.deepEqual(await database.sql(refused), []);
});

test('slow: it works as long as it is fast enough, and is refused in time when it is not', async () => {
  link.delay(100);
  await untilAllWorks('lenta', 'Piano');
  link.delay(10_000);
  (await gateway.client(SLUG).get('/menu')).expect(200);
  await Promise.all([assertRefused(sendWrite('Mai')), assertRefused(sendEvent())]);
  link.delay(0);
  await assertAllIsBack('la lentezza');
});

test('a fault is told once, and that Postgres is away and back, however many statements fail', async () => {
  const lines: { msg: string; failures?: number; seconds?: number }[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const outages = createOutageWatch(new Set([link.url]), constants);
  const log = createLog({ name: 'test', level: 'warn', outages, destination, constants });
  const through = await createDatabase(link.url, {
    ...{ maxConnections: 2, statementTimeout: 1_000, connectionTimeout: 1_000 },
  });
  link.cut();
  for (let n = 0; n < 50; n += 1) {
    const error = await findTenantId(through, SLUG).then(
      () => assert.fail('the link is cut'),
      (cause: unknown) => cause,
    );
    // pg hangs its client on the error of a connection that breaks.
    Object.assign(error as Error, { client: { secretKey: 7 } });
    const words = `request ${n}`;
    log.error({ err: new Error('could not answer', { cause: error }) }, words);
  }
  assert.deepEqual(each(lines, 'msg'), ['Postgres cannot be reached or takes no work']);
  link.thaw();
  await until('nothing was told', async () => lines.length > 1);
  assert.equal(lines[1]?.msg, 'Postgres is back');
  assert.equal(lines[1]?.failures, 50);

  const defect = Object.assign(new Error('a defect'), { client: { secretKey: 7 } });
  for (let n = 0; n < 50; n += 1) log.error({ err: defect }, 'a request failed');
  log.error({ err: new Error('another defect') }, 'a request failed');
  assert.equal(lines.length, 4);
  assert.ok(!JSON.stringify(lines).includes('secretKey'), 'the connection’s secrets stay secret');
  await through.end();
});

test('of a row that Postgres refuses the log tells all but what is in it', async () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const { url: databaseUrl } = database;
  const outages = createOutageWatch(new Set([databaseUrl]), constants);
  const log = createLog({ name: 'test', level: 'warn', outages, destination, constants });
  const refused = [
    db.run(sql.nothing`insert into sections (name) values ('{"it": "Segreto"}')`),
    db.run(sql.nothing`select ${'{"it": Segreto}'}::json`),
    db.one(sql.type(v.object({ id: v.null() }))`select ${'Segreto'} as id`),
    db.one(sql.nothing`select where ${'Segreto'} = ''`),
  ];
  for (const { reason } of (await Promise.allSettled(refused)) as PromiseRejectedResult[]) {
    log.error({ err: reason }, 'a request failed');
  }
  assert.equal(lines.length, refused.length);
  assert.match(lines[0] ?? '', /"code":"23502".*"table":"sections"/);
  assert.doesNotMatch(lines.join(''), /Segreto/);
});

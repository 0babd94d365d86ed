// Connections that bear the names of their owners, by which gateways replace and count theirs.
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import {
  createReconnectingConnection,
  type ReconnectingConnection,
} from '../../db/postgres/reconnecting-connection.ts';
import { constants } from '../../db/runtime/constants.ts';
import { countConnections } from '../../db/sql/limit-windows.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createDatabaseLink } from '../support/database-link.ts';
import { runSql } from '../support/sql.ts';
import { until } from '../support/until.ts';

const PREFIX = 'lavagna named ';
const log = pino({ level: 'silent' });

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

/** A connection that ends with the test. */
async function open(t: TestContext, databaseUrl: string, name: string, onBack = () => {}) {
  const options = { databaseUrl, name, statementTimeout: 2_000, onBack, log, constants };
  const connection = await createReconnectingConnection(options);
  t.after(() => connection.stop());
  return connection;
}

async function pidOf(connection: ReconnectingConnection): Promise<number> {
  const [row] = await connection.query<[number]>('pid', 'select pg_backend_pid()', []);
  return row?.[0] as number;
}

test('a connection that takes the place of a lost one ends it, and no other', async (t) => {
  const link = await createDatabaseLink(database.url);
  let back = () => {};
  const isBack = new Promise<void>((resolve) => {
    back = resolve;
  });
  const connection = await open(t, link.url, `${PREFIX}1`, () => back());
  const other = await open(t, database.url, `${PREFIX}2`);
  t.after(() => link.stop());
  const lost = await pidOf(connection);
  // To the server it is still there, and what was sent on it might yet be done.
  link.lose();
  await assert.rejects(pidOf(connection));
  await isBack;
  const named = `select array_agg(pid order by application_name) as pids from pg_stat_activity
    where starts_with(application_name, $1)`;
  await until('not each name has its own connection, and only that', async () => {
    // On a busy machine a new connection can be late, too, and is replaced.
    const asked = await Promise.allSettled([pidOf(connection), pidOf(other)]);
    const present = asked.map((pid) => (pid.status === 'fulfilled' ? pid.value : 0));
    const [{ pids }] = await runSql(database.url, named, [PREFIX]);
    return isDeepStrictEqual(pids, present) && !present.includes(lost);
  });
});

test('owners are counted by their names, and only those of the same database', async (t) => {
  const elsewhere = await createTestDatabase();
  const first = await open(t, database.url, `${PREFIX}1`);
  await open(t, database.url, `${PREFIX}2`);
  await open(t, database.url, 'somebody else');
  await open(t, elsewhere.url, `${PREFIX}3`);
  t.after(() => elsewhere.drop());
  assert.equal(await countConnections(first, PREFIX), 2);
});

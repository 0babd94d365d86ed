// Sessions that bear the names of their owners, by which gateways replace and count theirs.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import * as v from 'valibot';
import {
  createDatabaseSession,
  type DatabaseSession,
  openSession,
} from '../../db/postgres/session.ts';
import { sql } from '../../db/postgres/sql.ts';
import { constants } from '../../db/runtime/constants.ts';
import { countConnections } from '../../db/sql/limit-windows.ts';
import { createTestDatabase } from '../support/database.ts';
import { databaseLink } from '../support/database-link.ts';
import { createGate } from '../support/gate.ts';
import { ownDatabase } from '../support/own-database.ts';
import { patience } from '../support/patience.ts';
import { until } from '../support/until.ts';

const log = pino({ level: 'silent' });
/** On a busy machine a connection opens late. */
const patient = { ...constants, ...patience };

const database = await ownDatabase();

/** A session that ends with the test. */
async function open(t: TestContext, databaseUrl: string, name: string, onOpen = () => {}) {
  const options = { databaseUrl, name, isSole: true, statementTimeout: 2_000, onOpen };
  const session = await openSession({ ...options, log, constants: patient });
  t.after(() => session.stop());
  return session;
}

const pidOf = ({ db }: DatabaseSession) =>
  db.one(sql.value(v.number())`select pg_backend_pid() as pid`);

test('a session that takes the place of a lost one ends it, and no other', async (t) => {
  const prefix = 'lavagna lost ';
  const link = await databaseLink(database.url);
  const { opened: isBack, open: back } = createGate();
  const session = await open(t, link.url, `${prefix}1`, back);
  const other = await open(t, database.url, `${prefix}2`);
  const found = 'select pid from pg_stat_activity where application_name = $1';
  const [{ pid: lost }] = await database.sql(found, [`${prefix}1`]);
  // To the server it is still there, and what was sent on it might yet be done.
  link.lose();
  await assert.rejects(pidOf(session));
  await isBack;
  const named = `select array_agg(pid order by application_name) as pids from pg_stat_activity
    where starts_with(application_name, $1)`;
  await until('not each name has its own connection, and only that', async () => {
    // On a busy machine a new connection can be late, too, and is replaced.
    const asked = await Promise.allSettled([pidOf(session), pidOf(other)]);
    const present = asked.map((pid) => (pid.status === 'fulfilled' ? pid.value : 0));
    const [{ pids }] = await database.sql(named, [prefix]);
    return isDeepStrictEqual(pids, present) && !present.includes(lost);
  });
});

test('owners are counted by their names, and only those of the same database', async (t) => {
  // The server may take a moment to end those of another test, so these have another name.
  const prefix = 'lavagna counted ';
  const elsewhere = await createTestDatabase();
  const first = await open(t, database.url, `${prefix}1`);
  await open(t, database.url, `${prefix}2`);
  await open(t, database.url, 'somebody else');
  await open(t, elsewhere.url, `${prefix}3`);
  t.after(() => elsewhere.drop());
  assert.equal(await countConnections(first.db, prefix), 2);
});

test('openSession rejects when Postgres cannot be reached, and tries no more', async () => {
  let tries = 0;
  const silent = createServer((socket) => {
    tries += 1;
    socket.destroy();
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const databaseUrl = `postgres://lavagna@127.0.0.1:${port}/lavagna`;
  const opened = openSession({
    ...{ databaseUrl, name: 'away', statementTimeout: 2_000, log },
    onOpen: () => assert.fail('it opened'),
    constants: { ...constants, retryDelay: 1 },
  });
  await assert.rejects(opened);
  await sleep(50);
  assert.equal(tries, 1);
  silent.close();
});

test('a session that was stopped before it opened opens no more, and stops twice', async () => {
  let opened = 0;
  const session = createDatabaseSession({
    ...{ databaseUrl: database.url, name: 'stopped', statementTimeout: 2_000, log, constants },
    onOpen: () => {
      opened += 1;
    },
  });
  await session.stop();
  await session.stop();
  const present = `select from pg_stat_activity where application_name = 'stopped'`;
  await until('it is still there', async () => (await database.sql(present)).length === 0);
  assert.deepEqual([opened, session.isOpen()], [0, false]);
  await assert.rejects(pidOf(session), /is away/);
});

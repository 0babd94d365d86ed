// The pool of connections: what its callers count on when statements fail or wait.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UniqueIntegrityConstraintViolationError } from 'slonik';
import { transactionContext } from 'slonik/dist/contexts/transactionContext.js';
import * as v from 'valibot';
import { createDatabase } from '../../../db/postgres/connection.ts';
import { isOutage } from '../../../db/postgres/outage.ts';
import { type Db, sql } from '../../../db/postgres/sql.ts';
import { createTestDatabase } from '../../support/database.ts';
import { databaseLink } from '../../support/database-link.ts';
import { afterFile } from '../../support/for-file.ts';
import { createGate } from '../../support/gate.ts';
import { until } from '../../support/until.ts';

const MAX = 2;
/** As long as the slowest machine needs. */
const options = { maxConnections: MAX, statementTimeout: 60_000, connectionTimeout: 60_000 };
/** For callers that are to wait in vain. */
const hasty = { ...options, connectionTimeout: 500 };

const database = await createTestDatabase();
afterFile(database.drop);
const db = await createDatabase(database.url, options);
afterFile(() => db.end());
await db.run(sql.nothing`create table things (id int primary key, note text)`);

const count = (on: Db) => on.one(sql.value(v.number())`select count(*) as count from things`);
const insert = (on: Db, id: number) => on.run(sql.nothing`insert into things (id) values (${id})`);
const fail = (on: Db) => on.run(sql.nothing`select 1 / 0`);
const sleep = (on: Db, seconds: number) => on.run(sql.nothing`select from pg_sleep(${seconds})`);

test('a statement that breaks a key rejects with the error of its kind', async () => {
  await insert(db, 1);
  await assert.rejects(insert(db, 1), UniqueIntegrityConstraintViolationError);
});

test('a row of another shape rejects without the values', async () => {
  const statement = sql.type(v.object({ note: v.number() }))`select ${'segreto'}::text as note`;
  await assert.rejects(db.any(statement), ({ message }: Error) => {
    assert.match(message, /note is not number/);
    assert.doesNotMatch(message, /segreto/);
    return true;
  });
});

test('statements of a transaction that fail at once leave the pool whole', async () => {
  for (let round = 0; round < 3 * MAX; round += 1) {
    const work = db.transaction((tx) => Promise.all([fail(tx), fail(tx), insert(tx, 100)]));
    await assert.rejects(work, { code: '22012' });
  }
  await Promise.all(Array.from({ length: 2 * MAX }, () => count(db)));
  assert.equal(await count(db), 1);
});

test('a transaction says its own error when the work fails, and undoes what it did', async () => {
  const work = db.transaction(async (tx) => {
    await insert(tx, 2);
    throw new RangeError('too much');
  });
  await assert.rejects(work, RangeError);
  assert.equal(await count(db), 1);
});

test('a part of the work that goes on when its transaction has failed writes nothing', async () => {
  const { opened: failed, open: goOn } = createGate();
  let late: Promise<unknown> = failed;
  const work = db.transaction((tx) => {
    late = failed.then(() => insert(tx, 3));
    return fail(tx);
  });
  await assert.rejects(work, { code: '22012' });
  goOn();
  await assert.rejects(late, /the transaction has ended/);
  assert.equal(await count(db), 1);
});

test('a caller waits for a connection no longer than it may, and a later one gets it', async (t) => {
  const short = await createDatabase(database.url, { ...hasty, maxConnections: 1 });
  t.after(() => short.end());
  const { opened: held, open: release } = createGate();
  const holding = short.transaction(() => held);
  await assert.rejects(count(short), /timeout exceeded/);
  release();
  await holding;
  assert.equal(await count(short), 1);
});

test('a connection that is lost during statements is replaced, as often as it happens', async () => {
  const endAll = () =>
    database.sql(
      `select pid, pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep%' and application_name <> 'test'`,
    );
  for (let round = 0; round < 2 * MAX; round += 1) {
    const sleeping = Promise.allSettled(Array.from({ length: MAX }, () => sleep(db, 60)));
    // One that ends is listed for a moment longer.
    const ended = new Set<unknown>();
    while (ended.size < MAX) for (const { pid } of await endAll()) ended.add(pid);
    for (const { status } of await sleeping) assert.equal(status, 'rejected');
    assert.equal(await count(db), 1);
  }
});

test('callers that wait while no connection can be opened fail, and later ones succeed', async () => {
  const link = await databaseLink(database.url);
  const away = await createDatabase(link.url, { ...hasty, mayBeAway: true });
  link.cut();
  const all = await Promise.allSettled(Array.from({ length: 4 * MAX }, () => count(away)));
  for (const one of all) assert.ok(one.status === 'rejected' && isOutage(one.reason));
  link.thaw();
  // On a busy machine a new connection may come too late for one of them.
  await until('none succeeds', async () => (await count(away).catch(() => 0)) === 1);
  await away.end();
});

test('that a server refuses connections is an outage, whatever its reason', async (t) => {
  const url = new URL(database.url);
  url.searchParams.set('sslmode', 'require');
  const shut = await createDatabase(url.href, { ...hasty, mayBeAway: true });
  t.after(() => shut.end());
  await assert.rejects(count(shut), (error: Error) => {
    assert.match(error.message, /does not support SSL/);
    return isOutage(error);
  });
});

test('a transaction in a deadlock is done again', async () => {
  await Promise.all([insert(db, 10), insert(db, 11)]);
  const touch = (on: Db, id: number) =>
    on.run(sql.nothing`update things set note = coalesce(note, '') || 'x' where id = ${id}`);
  let met = 0;
  const { opened: both, open: meet } = createGate();
  const cross = (first: number, second: number) =>
    db.transaction(async (tx) => {
      await touch(tx, first);
      met += 1;
      if (met === 2) meet();
      await both;
      await touch(tx, second);
    });
  await Promise.all([cross(10, 11), cross(11, 10)]);
  const notes = sql.value(v.string())`select note from things where id >= 10 order by id`;
  assert.deepEqual(await db.any(notes), ['xx', 'xx']);
});

test('no transaction lets Node follow the promises of the process', async () => {
  // From Node 24 on this costs nothing, and there is no such property.
  const follows = () => (transactionContext as { enabled?: boolean }).enabled;
  const first = db.transaction(async (tx) => {
    await sleep(tx, 0.1);
    return follows();
  });
  await db.transaction(count);
  assert.ok(!(await first));
  assert.ok(!follows());
});

test('end waits for a transaction that is under way', async () => {
  const other = await createDatabase(database.url, options);
  const work = other.transaction(async (tx) => {
    await insert(tx, 20);
    await sleep(tx, 0.2);
    await insert(tx, 21);
  });
  await other.end();
  await other.end();
  await work;
  const kept = sql.value(v.number())`select count(*) as count from things where id >= 20`;
  assert.equal(await db.one(kept), 2);
  await assert.rejects(count(other), /being closed/);
});

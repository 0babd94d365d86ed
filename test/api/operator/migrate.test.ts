import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { migrate } from '../../../db/operator/database/migrate.ts';
import { queues } from '../../../db/schema/queues.ts';
import { createEmptyDatabase } from '../../support/database.ts';
import { runSql } from '../../support/sql.ts';
import { untilFound } from '../../support/until.ts';

/** An empty database with a connection to it, until the test ends. */
async function emptyDatabase(t: TestContext) {
  const { url, drop } = await createEmptyDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.after(async () => {
    await client.end();
    await drop();
  });
  return { url, client };
}

async function appliedNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query('select name from schema_migrations order by name');
  return rows.map((row) => row.name);
}

/** Gives the new connections to the database of `client` a setting of their own. */
async function setDefault(client: pg.Client, setting: string): Promise<void> {
  const { rows } = await client.query('select quote_ident(current_database()) as name');
  await client.query(`alter database ${rows[0].name} set ${setting}`);
}

test('several processes that migrate at once apply each file once', async (t) => {
  const { url, client } = await emptyDatabase(t);
  const results = await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
  const names = await appliedNames(client);
  assert.ok(names.length > 0);
  assert.deepEqual(results.flat().sort(), names);
  const boss = await client.query(`select to_regclass('pgboss.job') as job`);
  assert.equal(boss.rows[0].job, 'pgboss.job');
});

test('a second run applies nothing', async (t) => {
  const { url } = await emptyDatabase(t);
  assert.notDeepEqual(await migrate(url), []);
  assert.deepEqual(await migrate(url), []);
});

test('a queue of the former release gets its present policy', async (t) => {
  const { url, client } = await emptyDatabase(t);
  await migrate(url);
  const policy = async () => {
    const text = `select policy from pgboss.queue where name = '${queues.menuWrites}'`;
    return (await client.query(text)).rows[0].policy;
  };
  const present = await policy();
  const former = `update pgboss.queue set policy = 'key_strict_fifo' where name = $1`;
  await client.query(former, [queues.menuWrites]);
  await migrate(url);
  assert.equal(await policy(), present);
});

test('the queue of the former release’s clock goes with its jobs', async (t) => {
  const { url, client } = await emptyDatabase(t);
  await migrate(url);
  await client.query(`select pgboss.create_queue('clock', '{"policy": "short"}')`);
  await client.query(`insert into pgboss.job (name, policy) values ('clock', 'short')`);
  await migrate(url);
  for (const table of ['queue', 'job']) {
    const left = await client.query(`select from pgboss.${table} where name = 'clock'`);
    assert.equal(left.rowCount, 0, table);
  }
});

test('an applied file that has changed since is refused', async (t) => {
  const { url, client } = await emptyDatabase(t);
  const [first] = await migrate(url);
  await client.query('update schema_migrations set checksum = $1 where name = $2', ['x', first]);
  await assert.rejects(migrate(url), new RegExp(`migration ${first} has changed`));
});

test('a database whose tables were made of the former text of their file is up to date', async (t) => {
  const { url, client } = await emptyDatabase(t);
  const [first] = await migrate(url);
  // Of the file as it was before Lavagna could be installed on Postgres 14 and 15.
  const former = 'f3e86d31d5d234db9ce6ae075faad67eaad63edfcf68cbf21dda64bbdeab480f';
  await client.query('update schema_migrations set checksum = $1 where name = $2', [former, first]);
  assert.deepEqual(await migrate(url), []);
});

test('new sessions compile no statements, whatever the server does by default', async (t) => {
  const { url, client } = await emptyDatabase(t);
  await setDefault(client, 'jit = on');
  await migrate(url);
  assert.deepEqual(await runSql(url, 'show jit'), [{ jit: 'off' }]);
});

test('a role that does not own the database gets its own setting in it', async (t) => {
  const { url, client } = await emptyDatabase(t);
  await setDefault(client, 'jit = on');
  const role = `guest_${new URL(url).pathname.slice(1)}`;
  await client.query(`create role ${role} login password 'guest'`);
  await client.query(`grant ${role} to current_user`);
  await client.query(`grant all on schema public to ${role}`);
  const { rows } = await client.query('select quote_ident(current_database()) as name');
  await client.query(`grant create on database ${rows[0].name} to ${role}`);
  try {
    const guest = new URL(url);
    Object.assign(guest, { username: role, password: 'guest' });
    await migrate(guest.href);
    assert.deepEqual(await runSql(guest.href, 'show jit'), [{ jit: 'off' }]);
    assert.deepEqual(await runSql(url, 'show jit'), [{ jit: 'on' }]);
  } finally {
    await client.query(`drop owned by ${role}`);
    await client.query(`drop role ${role}`);
  }
});

const refused: [what: string, setting: string, message: RegExp][] = [
  ['a schema of others', 'search_path = shut', /^The database must belong to the role/],
  [
    'a database that takes no changes',
    'default_transaction_read_only = on',
    /^DATABASE_URL must lead to a database that/,
  ],
  [
    'a search_path that leads nowhere',
    'search_path = nowhere',
    /^The search_path of [^\n]* create in\.$/,
  ],
];
for (const [what, setting, message] of refused) {
  test(`${what} is refused in a sentence`, async (t) => {
    const { url, client } = await emptyDatabase(t);
    // Only the first case leads there.
    await client.query('create schema shut; revoke create on schema shut from current_user');
    await setDefault(client, setting);
    await assert.rejects(migrate(url), { name: 'OperatorError', message });
  });
}

test('it waits for locks as long as the role would, and takes as long as it takes', async (t) => {
  const { url, client } = await emptyDatabase(t);
  await migrate(url);
  await setDefault(client, `statement_timeout = '1s'`);
  const held = 'begin; lock table schema_migrations';
  await client.query(held);
  const migrating = migrate(url);
  const waiting = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
      and query_start < clock_timestamp() - interval '1200 ms'`;
  await untilFound('migrate does not wait longer than the role would', () => runSql(url, waiting));
  await client.query('commit');
  assert.deepEqual(await migrating, []);
  await setDefault(client, `lock_timeout = '10ms'`);
  await client.query(held);
  const refusal = { name: 'OperatorError', message: /^Somebody else holds a lock [^\n]*\.$/ };
  await assert.rejects(migrate(url), refusal);
  await client.query('rollback');
});

test('a file that fails leaves nothing of itself behind', async (t) => {
  const { url, client } = await emptyDatabase(t);
  await client.query('create table tenants (unrelated integer)');
  await assert.rejects(migrate(url), /migration 001_\w+\.sql failed: .*tenants.*exists/);
  assert.deepEqual(await appliedNames(client), []);
  await client.query('drop table tenants');
  assert.notDeepEqual(await migrate(url), []);
});

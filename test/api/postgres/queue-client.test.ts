import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { connectionSettings } from '../../../db/postgres/pg-client.ts';
import { pipelined, runAhead, sendOn, sql, toPg } from '../../../db/postgres/sql.ts';
import { QueueClient } from '../../../db/queue/queue-client.ts';
import { saveResultsStatement } from '../../../db/sql/writes.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

/** Connects to a new database for as long as `work` takes. */
async function withClient(
  work: (client: QueueClient, database: TestDatabase) => Promise<void>,
  stream?: () => Socket,
): Promise<void> {
  const database = await createTestDatabase();
  const settings = connectionSettings(database.url);
  const client = new QueueClient({ ...settings, ...(stream && { stream }) });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client, database);
  } finally {
    await client.end();
    await database.drop();
  }
}

test('of statements that are sent together the first that fails says why', () =>
  withClient(async (client) => {
    await client.query('BEGIN');
    const sent = [
      client.query(`insert into tenants (slug) values ('prima')`),
      client.query(`insert into tenants (slug) values (null)`),
      client.query(`insert into tenants (slug) values ('dopo')`),
    ];
    await assert.rejects(pipelined(...sent), { code: '23502' });
    await client.query('ROLLBACK');
    assert.deepEqual((await client.query('select slug from tenants')).rows, []);
  }));

test('a statement that runs ahead is not waited for', () =>
  withClient(async (client, database) => {
    const other = new QueueClient(connectionSettings(database.url));
    await other.connect();
    await other.query('select pg_advisory_lock(1)');
    const { db, settled } = runAhead(sendOn(client));
    await db.run(sql.nothing`select from (select pg_advisory_lock(1)) locked`);
    await other.end();
    await settled();
  }));

test('where a statement that ran ahead has failed, all behind it fail as it did', () =>
  withClient(async (client) => {
    await client.query('BEGIN');
    const { db, settled } = runAhead(sendOn(client));
    await db.run(sql.nothing`insert into tenants (slug) values (null)`);
    await db.run(sql.nothing`insert into tenants (slug) values ('dopo')`);
    await assert.rejects(db.count(sql.nothing`select from tenants`), { code: '23502' });
    await assert.rejects(settled(), { code: '23502' });
    await client.query('ROLLBACK');
  }));

test('where a transaction cannot begin, nothing is done outside it', () =>
  withClient(async (client, database) => {
    await client.query('BEGIN');
    await assert.rejects(client.query('select 1 / 0'), { code: '22012' });
    // A BEGIN fails in a transaction that has failed.
    await client.query('BEGIN');
    await assert.rejects(client.query('select'));
    await assert.rejects(client.query(`insert into tenants (slug) values ('sola')`));
    assert.deepEqual(await database.sql('select slug from tenants'), []);
  }));

test('a plan that is kept looks writes up by key, though it is made while there are none', () =>
  withClient(async (client) => {
    const failed = { outcome: { kind: 'failed' }, error: null } as const;
    const record = { id: randomUUID(), resource: 'items', record_id: 1 } as const;
    const result = { ...record, ...failed, version: 1 };
    const { text, values } = toPg(saveResultsStatement([{ tenantId: 1, results: [result] }]));
    await client.query(`prepare kept as ${text}`);
    const given = values.map((value) => client.escapeLiteral(String(value)));
    const { rows } = await client.query(`explain execute kept (${given.join(', ')})`);
    const plan = JSON.stringify(rows);
    assert.match(plan, /Index Scan using writes_pkey/);
    assert.doesNotMatch(plan, /Hash Join/);
  }));

test('a statement is planned once, whatever its values', () =>
  withClient(async (client) => {
    for (let id = 0; id < 3; id += 1) await client.query('select from tenants where id = $1', [id]);
    const { rows } = await client.query(
      'select max(custom_plans) as custom, max(generic_plans) as generic from pg_prepared_statements',
    );
    assert.deepEqual(rows, [{ custom: 0, generic: 3 }]);
  }));

/** Counts the packets that leave. */
class CountingSocket extends Socket {
  count = 0;
  override _write(...args: Parameters<Socket['_write']>) {
    this.count += 1;
    super._write(...args);
  }
  override _writev(...args: Parameters<NonNullable<Socket['_writev']>>) {
    this.count += 1;
    super._writev?.(...args);
  }
}

test('the statements of one moment leave in one packet', async () => {
  const socket = new CountingSocket();
  await withClient(
    async (client) => {
      await client.query('select');
      const before = socket.count;
      await Promise.all([client.query('BEGIN'), client.query('select 1'), client.query('COMMIT')]);
      assert.equal(socket.count - before, 1);
    },
    () => socket,
  );
});

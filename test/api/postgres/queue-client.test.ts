import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionSettings } from '../../../db/postgres/pg-client.ts';
import { pipelined } from '../../../db/postgres/sql.ts';
import { QueueClient } from '../../../db/queue/queue-client.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { runSql } from '../../support/sql.ts';

async function connect(database: TestDatabase): Promise<QueueClient> {
  const client = new QueueClient(connectionSettings(database.url));
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

test('of statements that are sent together the first that fails says why', async () => {
  const database = await createTestDatabase();
  const client = await connect(database);
  await client.query('BEGIN');
  const sent = [
    client.query(`insert into tenants (slug) values ('prima')`),
    client.query(`insert into tenants (slug) values (null)`),
    client.query(`insert into tenants (slug) values ('dopo')`),
  ];
  await assert.rejects(pipelined(...sent), { code: '23502' });
  await client.query('ROLLBACK');
  assert.deepEqual((await client.query('select slug from tenants')).rows, []);
  await client.end();
  await database.drop();
});

test('where a transaction cannot begin, nothing is done outside it', async () => {
  const database = await createTestDatabase();
  const client = await connect(database);
  await client.query('BEGIN');
  await assert.rejects(client.query('select 1 / 0'), { code: '22012' });
  // A BEGIN fails in a transaction that has failed.
  await client.query('BEGIN');
  await assert.rejects(client.query('select'));
  await assert.rejects(client.query(`insert into tenants (slug) values ('sola')`));
  assert.deepEqual(await runSql(database.url, 'select slug from tenants'), []);
  await client.end();
  await database.drop();
});

// The service that the files of a process share: a file finds nothing of those before it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trattoria } from '../../db/operator/demo/restaurant.ts';
import { clearShared, sharedService } from '../support/files-service.ts';
import { ownDatabase } from '../support/own-database.ts';
import { addUser, createVisitor, signedIn } from '../support/panel.ts';
import { photoService } from '../support/photo-service.ts';
import { picture } from '../support/pictures.ts';
import { plant } from '../support/restaurant.ts';
import type { RunSql } from '../support/sql.ts';

const unused = await ownDatabase();
const service = await photoService();

/**
 * The tables with rows, and how many they have. A gateway reports its limits some seconds late, also
 * those of a restaurant that is gone by then.
 */
async function filled(sql: RunSql): Promise<Record<string, number>> {
  const tables = await sql`select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'limit_windows'`;
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int from ${name}`);
  const rows = await sql(
    [...counts, `select 'jobs', count(*)::int from pgboss.job`].join(' union all '),
  );
  return Object.fromEntries(
    rows.filter(({ count }) => count > 0).map((row) => [row.name, row.count]),
  );
}

test('what a file leaves is gone, and its gateway knows of no restaurant', async () => {
  const { db, sql, client, gateway, tenantId } = service;
  await addUser(db, tenantId);
  await signedIn(client);
  await createVisitor(client).signIn(undefined, 'wrong');
  await plant(db, trattoria);
  await service.uploaded(await picture({ seed: 1 }));
  (await client.sendEvents([{ type: 'menu_view', visitor_id: 'one' }])).expect(202);
  await sql(`insert into platform_tokens (name, scopes, hash) values ('one', '{}', '')`);
  (await gateway.client(trattoria.slug).get('/menu')).expect(200);
  assert.ok(Object.keys(await filled(sql)).length > 20);
  const shared = await sharedService();
  await clearShared(shared);
  assert.deepEqual(await filled(sql), await filled(unused.sql));
  for (const slug of ['osteria', trattoria.slug])
    (await gateway.client(slug).get('/menu')).expect(404);
  await plant(db, trattoria);
  const [{ first }] = await sql('select min(id)::int as first from dishes');
  assert.equal(first, 1);
  const [{ id }] = await sql('select id from tenants');
  assert.ok(id > tenantId + 1);
});

test('no file ends it for the others', async () => {
  await assert.rejects(() => service.worker.stop(), /ask for a service `alone`/);
  await assert.rejects(() => service.gateway.stop(), /ask for a service `alone`/);
});

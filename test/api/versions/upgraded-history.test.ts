// An installation without a journal is upgraded in place: its history begins with its menu.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { migrate } from '../../../db/operator/database/migrate.ts';
import type { Database } from '../../../db/postgres/connection.ts';
import type { Running } from '../../../db/runtime/running.ts';
import { type AdminClient, createAdminClient, issueToken } from '../../support/admin.ts';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../support/database.ts';
import { each } from '../../support/each.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { openDatabase } from '../../support/restaurant.ts';
import { untilStatus } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

/** Its tables, and its last migration. */
const TABLES = new URL('../../support/tables-of-029.sql', import.meta.url);
const LAST = '029_indexes_of_rounds.sql';

/** The definitions of everything in a database. The order of columns does not matter. */
const DEFINITIONS = `
  select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) ||
    concat_ws(' ', '', a.attnotnull, a.attidentity, a.attgenerated, a.attstorage, c.reloptions,
      a.attcollation::regcollation, pg_get_expr(d.adbin, d.adrelid)) as definition
    from pg_class c join pg_attribute a on a.attrelid = c.oid
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition and a.attnum > 0 and not a.attisdropped
  union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
  union all select indexdef from pg_indexes where schemaname = 'public'
  union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
  order by 1`;

/** A restaurant as the release before wrote it; one dish is deleted. */
const DATA = `
  insert into tenants (id, slug, version) overriding system value values (1, 'osteria', 41);
  insert into settings (tenant_id, name, default_locale, supported_locales, phone)
    values (1, 'Osteria', 'it', '{it,en}', '040 1');
  insert into themes values (1, '#8C2F1B', '#5B6B3A', '#C8862B', '#FBF5EA', '#33231A', 'serif', '',
    '8px', 'classic', 'centered', 'Grazie');
  insert into sections (tenant_id, id, menu_type, name) values (1, 1, 'standard', '{"it": "Primi"}');
  insert into wineries (tenant_id, id, name) values (1, 1, 'Zidarich');
  insert into dishes (tenant_id, id, category_id, winery_id, name, price)
    values (1, 1, 1, 1, '{"it": "Gnocchi", "en": "Dumplings"}', 11);
  insert into dishes (tenant_id, id, category_id, name, price, deleted_at, deletion)
    values (1, 2, 1, '{"it": "Jota"}', 9, now(), gen_random_uuid());
  select setval(pg_get_serial_sequence('dishes', 'id'), 2);
`;

let database: TestDatabase;
let db: Database;
let gateway: TestGateway;
let worker: Running;
let admin: AdminClient;

async function definitionsOf(client: pg.Client) {
  return (await client.query(DEFINITIONS)).rows;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Makes the tables of the release before, with its data, and upgrades them. */
async function upgrade(url: string): Promise<void> {
  const fresh = await createTestDatabase();
  const expected = await withClient(fresh.url, definitionsOf);
  await fresh.drop();
  await withClient(url, async (client) => {
    await client.query(await readFile(TABLES, 'utf8'));
    await client.query(
      `create table schema_migrations (name text primary key, checksum text not null,
        applied_at timestamptz not null default now())`,
    );
    await client.query(
      `insert into schema_migrations values ('001_menu.sql', ''), ('${LAST}', '')`,
    );
    await client.query(DATA);
    assert.ok((await migrate(url)).includes('001_tables.sql'));
    assert.deepEqual(await definitionsOf(client), expected);
    assert.deepEqual(await migrate(url), []);
  });
}

before(async () => {
  database = await createEmptyDatabase();
  await upgrade(database.url);
  db = await openDatabase(database.url);
  worker = await startTestWorker(database.url);
  gateway = await startTestGateway(database.url);
  const client = gateway.client('osteria');
  await untilStatus('the menu is not built', 200, () => client.get('/menu'));
  admin = createAdminClient(client, await issueToken(db, 1));
});
after(async () => {
  await gateway.stop();
  await worker.stop();
  await db.end();
  await database.drop();
});

test('the history of an upgraded installation begins with its menu, and each later version can be taken back', async () => {
  const present = (await admin.get('/export')).json.data;
  assert.deepEqual([present.items[0].price, present.settings.phone], [11, '040 1']);
  const entries = (await admin.get('/versions')).json.data;
  const begin = entries.at(-1);
  assert.deepEqual([begin.version, begin.actor.kind, begin.origin], [41, 'operator', 'cli']);

  (await admin.call('PATCH', '/items/1', { price: 12.5 })).expect(200);
  // It was deleted before.
  (await admin.call('POST', '/items/2/restore')).expect(200);
  assert.equal((await admin.call('DELETE', '/categories/1')).status, 204);

  assert.deepEqual((await admin.get('/versions/41/menu')).json.data, present);
  (await admin.call('POST', '/versions/41/restore', {})).expect(200);
  assert.deepEqual((await admin.get('/export')).json.data, present);

  const feed = (await admin.get('/versions?after=41')).expect(200);
  const { data, meta } = feed.json;
  const later = Array.from({ length: meta.latest - 41 }, (_, at) => 42 + at);
  assert.deepEqual(each(data, 'version'), later);
  assert.equal((await admin.get('/versions?after=40')).status, 410, 'the history began later');
});

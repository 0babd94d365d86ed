// Rounds of housekeeping must not cost more with every restaurant: they read the rows that are due.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createRestaurant } from '../../../db/actions/restaurants.ts';
import type { Database } from '../../../db/postgres/connection.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { findDueTenants } from '../../../db/sql/clock.ts';
import { findLargeMenus, isLargeMenu, loadMenu } from '../../../db/sql/menus.ts';
import { findTokens } from '../../../db/sql/tokens.ts';
import { purgeAccess, purgeEvents, purgeMenus } from '../../../workers/housekeeping/purge.ts';
import { smallRestaurant } from '../../support/admin.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { openDatabase, plant } from '../../support/restaurant.ts';

const RESTAURANTS = 5_000;
/** Rows that a round may read of a table; far below the number of restaurants. */
const FEW = 100;

/** The traces of an ordinary day of each restaurant; none of them is over. */
const TRACES = [
  `insert into users (tenant_id, email, password_hash)
   select id, 'owner@example.com', '' from tenants on conflict do nothing`,
  `insert into sessions (tenant_id, hash, user_id, created_at, used_at)
   select tenant_id, sha256('session'), id, now(), now() from users
   where email = 'owner@example.com' on conflict do nothing`,
  // That of a kitchen lives on after a day without a use.
  `insert into sessions (tenant_id, hash, user_id, created_at, used_at, is_long)
   select tenant_id, sha256('kitchen'), id, now() - interval '20 days', now() - interval '10 days', true
   from users where email = 'owner@example.com' on conflict do nothing`,
  `insert into sign_in_attempts (tenant_id, kind, key, count, started_at)
   select id, 'account', sha256('owner'), 1, now() from tenants on conflict do nothing`,
  `insert into analytics_salts (tenant_id, day, salt)
   select id, day, '' from tenants, unnest(array[current_date, current_date - 1]) as day
   on conflict do nothing`,
  `insert into event_budgets (tenant_id, day, granted)
   select id, day, 1 from tenants, unnest(array[current_date, current_date - 1]) as day
   on conflict do nothing`,
  `insert into analytics_empty_searches (tenant_id, day, query, searches)
   select id, current_date, 'sushi', 1 from tenants on conflict do nothing`,
  `insert into writes (tenant_id, id, token_id, resource, action, input, request_hash, outcome,
     finished_at)
   select id, gen_random_uuid(), 1, 'theme', 'change', '{}', '', '{"kind": "unchanged"}', now()
   from tenants`,
  `insert into wineries (tenant_id, name, deleted_at, deletion)
   select id, 'gone', now(), gen_random_uuid() from tenants`,
  `update dishes set sold_out_until = now() + interval '1 day'
   where (tenant_id, id) in (select tenant_id, min(id) from dishes group by tenant_id)`,
];

/** Plants the traces, and counts the rows for the planner of Postgres. */
async function plantTraces(db: pg.Client): Promise<void> {
  for (const statement of TRACES) await db.query(statement);
  await db.query('vacuum analyze');
}

const database = await ownDatabase();

/**
 * Prepares tables on a connection that ends. Another one would say some time later what it has read,
 * perhaps while a test counts.
 */
async function prepare<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // Vacuum calls no page visible to all whose commit may not be on disk yet.
  await client.query('set synchronous_commit = on');
  const result = await work(client);
  await client.end();
  return result;
}

const db = await openDatabase(database.url);
await plant(db, smallRestaurant);
await db.end();
await prepare(async (client) => {
  await client.query(
    `with copies as (
      insert into tenants (slug) select 'copy-' || n from generate_series(1, $1::int) n returning id
    )
    insert into versions (tenant_id, version, actor_kind, origin)
    select id, 1, 'operator', 'cli' from copies`,
    [RESTAURANTS],
  );
  await plantTraces(client);
});

/** How many rows of each table have been read, in order or by an index. */
async function rowsRead(): Promise<Map<string, number>> {
  const rows = await database.sql`
    select relname, seq_tup_read, idx_tup_fetch from pg_stat_user_tables`;
  const sumOf = (row: (typeof rows)[number]) =>
    Number(row.seq_tup_read) + Number(row.idx_tup_fetch);
  return new Map(rows.map((row) => [row.relname, sumOf(row)]));
}

/** The tables from which `work` reads more than a few rows. */
async function longReads(work: (db: Database) => Promise<unknown>): Promise<string[]> {
  const before = await rowsRead();
  const db = await openDatabase(database.url);
  await work(db);
  // A connection that ends has reported what it read.
  await db.end();
  return Array.from(await rowsRead()).flatMap(([table, rows]) => {
    const read = rows - (before.get(table) ?? 0);
    return read > FEW ? [`${read} of ${table}`] : [];
  });
}

const always = () => true;

const ROUNDS: [what: string, round: (db: Database) => Promise<unknown>][] = [
  ['the housekeeping of menus', (db) => purgeMenus(db, 400, always)],
  ['the housekeeping of sign-ins', (db) => purgeAccess(db, always)],
  ['the housekeeping of events', (db) => purgeEvents(db, 400, Date.now(), always)],
  ['the clock', (db) => findDueTenants(db, 0, constants.clockTenantsPerBatch)],
];

for (const [what, round] of ROUNDS) {
  test(`${what} reads few rows where nothing is due`, async () => {
    assert.deepEqual(await longReads(round), []);
  });
}

test('a token is found in few rows, also where users were counted when there were few', async () => {
  const rows = await prepare(async (client) => {
    await client.query('delete from users where tenant_id > (select min(id) + 1 from tenants)');
    await client.query('vacuum (full, analyze) users');
    const made = await client.query(
      `with owner as (
        insert into users (tenant_id, email, password_hash)
        select max(id), 'owner@example.com', '' from tenants returning tenant_id, id
      ), made as (
        insert into tokens (tenant_id, user_id, name, scopes, hash)
        select tenant_id, id, 'till', array['menu:read'], sha256('till') from owner
        returning tenant_id, id
      )
      select tenant_id as "tenantId", slug, made.id from made join tenants t on t.id = tenant_id`,
    );
    await client.query('vacuum analyze tokens');
    return made.rows;
  });
  let found: unknown[] = [];
  const find = async (db: Database) => {
    found = [...(await findTokens(db, rows))];
  };
  assert.deepEqual(await longReads(find), []);
  assert.equal(found.length, 1);
});

test('a menu in memory and its tables are large alike, whatever its records are', async () => {
  const db = await openDatabase(database.url);
  const create = (slug: string) => createRestaurant(db, { slug, name: slug, locale: 'it' });
  const few = await create('few');
  const [wineries, deleted] = [await create('wineries'), await create('deleted')];
  const insert = `insert into wineries (tenant_id, name, deleted_at)
      select $1, 'Cantina ' || n, $2 from generate_series(0, $3::int) n`;
  await database.sql(insert, [wineries, null, constants.largeMenuRecords]);
  await database.sql(insert, [deleted, new Date(), constants.largeMenuRecords]);
  assert.deepEqual(await findLargeMenus(db, [few, wineries, deleted].map(Number)), [wineries]);
  for (const id of [few, wineries, deleted]) {
    assert.equal(isLargeMenu(await loadMenu(db, Number(id))), id === wineries);
  }
  await db.end();
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { type Db, type Statement, toPg } from '../../../db/postgres/sql.ts';
import { records } from '../../../db/schema/registry.ts';
import { listRecords } from '../../../db/sql/admin-records.ts';
import { findDeletion, findHiddenReferences, markDeleted } from '../../../db/sql/deletions.ts';
import { loadMenu } from '../../../db/sql/menus.ts';
import { smallRestaurant } from '../../support/admin.ts';
import { each } from '../../support/each.ts';
import { afterFile } from '../../support/for-file.ts';
import { ownDatabase } from '../../support/own-database.ts';
import { plant } from '../../support/restaurant.ts';

const DELETED = 10_000;
/** The rows that a statement may read for a small menu; far fewer than are deleted. */
const FEW = 100;

const database = await ownDatabase();
const { db } = database;

const tenantId = await plant(db, smallRestaurant);
const [{ category_id: sectionId }] = await database.sql`
  select category_id from dishes where type_id is not null`;
const client = new pg.Client({ connectionString: database.url });
await client.connect();
// Vacuum calls no page visible to all whose commit may not be on disk yet.
await client.query('set synchronous_commit = on');
// One deletion took ten of each.
const gone = (table: string, columns: string, values: string) =>
  client.query(
    `insert into ${table} (tenant_id, name, deleted_at, deletion, ${columns})
     select $1, '{}', now(), md5((n / 10)::text)::uuid, ${values} from generate_series(1, $2) n`,
    [tenantId, DELETED],
  );
await gone('sections', 'menu_type', `'standard'`);
await gone('types', 'category_id', String(sectionId));
await gone('wineries', 'region', `''`);
await gone('dishes', 'category_id, price', `${sectionId}, 1`);
await client.query('vacuum analyze sections, types, wineries, dishes');
const [{ id: deletedId }] = await database.sql`
  select min(id) as id from sections where deletion = md5('7')::uuid`;

afterFile(() => client.end());

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** The scans of a plan that met more than a few rows. */
function longScans(plan: Plan): string[] {
  const { 'Index Name': index, 'Relation Name': table, 'Actual Loops': loops } = plan;
  const met = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * loops;
  const isLong = met > FEW && (index ?? table) !== undefined;
  const below = (plan.Plans ?? []).flatMap(longScans);
  return isLong ? [`${plan['Node Type']} of ${index ?? table}: ${met}`, ...below] : below;
}

/** Does each statement to see how, and undoes it; says which scans were long. */
function explaining(mode: string): { db: Db; scans: string[] } {
  const scans: string[] = [];
  const explain = async (statement: Statement) => {
    const { text, values } = toPg(statement);
    const given = values.map((value) =>
      client.escapeLiteral(Array.isArray(value) ? `{${value.join()}}` : String(value)),
    );
    await client.query(`begin; set local plan_cache_mode = ${mode}`);
    await client.query(`prepare explained as ${text}`);
    const { rows } = await client.query(
      `explain (analyze, format json) execute explained (${given.join()})`,
    );
    const own = await client.query(`execute explained (${given.join()})`);
    await client.query('rollback; deallocate explained');
    scans.push(...longScans(rows[0]['QUERY PLAN'][0].Plan));
    return own.rows;
  };
  const one = async (query: never) => (await explain(query))[0];
  const bound = { one, run: explain, any: explain };
  return { db: bound as unknown as Db, scans };
}

const list = { categoryId: undefined, deleted: false, page: 1, perPage: 50 };
const deep = { ...list, deleted: true, page: DELETED / 100, perPage: 100 };

for (const mode of ['force_custom_plan', 'force_generic_plan']) {
  test(`what is deleted is not read where it does not belong: ${mode}`, async () => {
    const explained = explaining(mode);
    const done = async (what: string, work: Promise<unknown>) => {
      await work;
      assert.deepEqual(explained.scans.splice(0), [], what);
    };
    await done('menu', loadMenu(explained.db, tenantId));
    for (const collection of ['items', 'categories', 'types', 'wineries'] as const) {
      await done(`list of ${collection}`, listRecords(explained.db, collection, tenantId, list));
    }
    const ofSection = { ...list, categoryId: sectionId };
    await done('dishes of a section', listRecords(explained.db, 'items', tenantId, ofSection));
    await done('types of a section', listRecords(explained.db, 'types', tenantId, ofSection));
    await done('deletion', findDeletion(explained.db, 'categories', tenantId, deletedId));
    for (const record of [records.types, records.wineries]) {
      const hidden = findHiddenReferences(explained.db, record, tenantId, [deletedId]);
      await done(`records that name ${record.table}`, hidden);
    }
    const gone = [{ id: sectionId, group: crypto.randomUUID() }];
    await done('deletion', markDeleted(explained.db, records.categories, tenantId, gone));
  });

  test(`a late page of what is deleted is found in an index: ${mode}`, async () => {
    const explained = explaining(mode);
    await listRecords(explained.db, 'items', tenantId, deep);
    const others = explained.scans.filter((scan) => !scan.startsWith('Index Only Scan'));
    assert.deepEqual(others, []);
  });
}

test('pages of what is deleted have their records, in order, and their number', async () => {
  const { records, total } = await listRecords(db, 'items', tenantId, deep);
  assert.equal(total, DELETED);
  assert.equal(records.length, 100);
  const all = await database.sql`
    select id from dishes where deleted_at is not null order by id offset ${DELETED - 100}`;
  assert.deepEqual(each(records, 'id'), each(all, 'id'));
});

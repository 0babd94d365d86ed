import * as v from 'valibot';
import { type Db, type Fragment, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { groupBy } from '../runtime/group-by.ts';
import { turnWithTime } from '../runtime/in-slices.ts';
import type { RecordType } from '../schema/record.ts';
import { referencesFrom } from '../schema/registry.ts';
import type { Row } from '../schema/values/row.ts';
import { defaultColumns, tableOf, toColumns } from './record-columns.ts';

/**
 * Rows that have the same columns, with these columns as a list for a statement.
 *
 * @param defaults columns that all have, with the values of rows that lack them
 */
function groupByColumns(rows: readonly Row[], defaults: Row = {}) {
  const isOwn = (name: string) => !(name in defaults);
  const groups = groupBy(rows, (row) => Object.keys(row).filter(isOwn).join());
  return [...groups.values()].map((group) => {
    const names = Object.keys({ ...defaults, ...group[0] });
    return { names, columns: sql.identifiers(names), group };
  });
}

/** Rows in portions, so that no statement takes long to make. */
function* inPortions<R>(rows: readonly R[]): Generator<readonly R[]> {
  const { recordsPerStatement } = constants;
  for (let at = 0; at < rows.length; at += recordsPerStatement) {
    yield rows.slice(at, at + recordsPerStatement);
  }
}

/** Takes the next `count` ids of a table, so that records can refer to each other before they exist. */
export function reserveIds(db: Db, table: string, count: number): Promise<readonly number[]> {
  return db.any(sql.value(v.number())`
    select nextval((select pg_get_serial_sequence(${table}, 'id')::regclass)) as id
    from generate_series(1, ${count}::int)
  `);
}

/**
 * The rows of a kind in groups with the same columns, each short enough for one statement. They are
 * made one portion at a time, so that others have a turn between two statements.
 */
function* groupsOf(record: RecordType, rows: readonly Row[], defaults?: Row) {
  // A sub-section may stand before the section that it names: one statement has both.
  const namesItsKind = referencesFrom(record).some(({ to, isSingle }) => to === record && isSingle);
  for (const portion of namesItsKind ? [rows] : inPortions(rows)) {
    const columns = portion.map((row) => toColumns(record, row));
    yield* groupByColumns(columns, defaults);
  }
}

/** Rows as those of a table. Postgres expects no more than one where there is one, and plans for it. */
function givenRows(base: Fragment, group: readonly Row[]): Fragment {
  const [one, ...others] = group;
  return others.length === 0
    ? sql.fragment`jsonb_populate_record(${base}, ${JSON.stringify(one)}::jsonb)`
    : sql.fragment`jsonb_populate_recordset(${base}, ${JSON.stringify(group)}::jsonb)`;
}

/**
 * The statements that insert records of one kind, one for each portion and set of columns. The declared
 * defaults of fields that bodies leave out travel once, and not with each record.
 *
 * @param rows checked bodies, with the ids that the records get (`reserveIds`) or without
 */
export function* insertions(
  record: RecordType,
  tenantId: number,
  rows: readonly Row[],
): Generator<Fragment> {
  const table = tableOf(record);
  const defaults = defaultColumns(record);
  for (const { columns, group } of groupsOf(record, rows, defaults)) {
    const base = sql.fragment`
      jsonb_populate_record(null::${table}, ${JSON.stringify(defaults)}::jsonb)
    `;
    yield sql.fragment`
      insert into ${table} as u (tenant_id, ${columns})
      select ${tenantId}, ${columns} from ${givenRows(base, group)} n
    `;
  }
}

/** Does statements that write many rows; `readWritten` reads a record back. */
export async function writeRecords(db: Db, statements: Iterable<Fragment>): Promise<void> {
  for (const statement of statements) {
    await db.run(sql.nothing`${statement}`);
    // Where `run` does not wait, they would all be made in one go.
    await turnWithTime();
  }
}

/**
 * Brings records of one kind back with their ids: those that were purged, too, except uploaded ones.
 * The files of these are gone (`findKeptIds`).
 *
 * @param rows whole checked bodies with the ids
 */
export async function restoreRecords(
  db: Db,
  record: RecordType,
  tenantId: number,
  rows: readonly Row[],
): Promise<void> {
  const table = tableOf(record);
  for (const { names, columns, group } of groupsOf(record, rows)) {
    const own = names.map((name) => sql.identifier([name]));
    const changes = own.map((column) => sql.fragment`${column} = n.${column}`);
    const purged = record.isUploaded
      ? sql.fragment`select`
      : sql.fragment`
          insert into ${table} (tenant_id, ${columns})
          select ${tenantId}, ${columns} from given where id not in (select id from back)
        `;
    await db.run(sql.nothing`
      with given as (
        select * from jsonb_populate_recordset(null::${table}, ${JSON.stringify(group)}::jsonb)
      ), back as (
        update ${table} u set ${sql.join(changes, ', ')},
          deleted_at = null, deletion = null, updated_at = now()
        from given n where u.tenant_id = ${tenantId} and u.id = n.id
        returning u.id
      )
      ${purged}
    `);
  }
}

/** Those of the ids whose records are in their table, deleted or not. */
export function findKeptIds(db: Db, record: RecordType, tenantId: number, ids: readonly number[]) {
  return db.any(sql.value(v.number())`
    select id from ${tableOf(record)}
    where tenant_id = ${tenantId} and id = any (${sql.array(ids, 'int4')})
  `);
}

/**
 * The statements that set fields of records of one kind, one for each portion and set of columns.
 *
 * @param rows the id of each record with the fields of a checked body; that of a singleton says nothing
 */
export function* patches(
  record: RecordType,
  tenantId: number,
  rows: readonly (Row & { id: number })[],
): Generator<Fragment> {
  const table = tableOf(record);
  // Each record may have fields of its own that change, so alike ones come first, and then portions.
  for (const alike of groupBy(rows, (row) => Object.keys(row).join()).values()) {
    for (const portion of inPortions(alike)) {
      const group = portion.map(({ id, ...input }) => ({ id, ...toColumns(record, input) }));
      const changed = Object.keys({ ...group[0] }).filter((name) => name !== 'id');
      const changes = changed.map((name) => {
        const column = sql.identifier([name]);
        return sql.fragment`${column} = n.${column}`;
      });
      // A lone record is looked up without a join.
      const id = group.length === 1 ? sql.fragment`${Number(group[0]?.id)}` : sql.fragment`n.id`;
      const which = record.isSingleton ? sql.fragment`` : sql.fragment`and u.id = ${id}`;
      yield sql.fragment`
        update ${table} u set ${sql.join(changes, ', ')}, updated_at = now()
        from ${givenRows(sql.fragment`null::${table}`, group)} n
        where u.tenant_id = ${tenantId} ${which}
      `;
    }
  }
}

/** Takes the external ids of records away, so that others can have them in the same transaction. */
export async function freeExternalIds(
  db: Db,
  record: RecordType,
  tenantId: number,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await db.run(sql.nothing`
    update ${tableOf(record)} set external_id = null
    where tenant_id = ${tenantId} and id = any (${sql.array(ids, 'int4')})
  `);
}

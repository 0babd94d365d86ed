import { type Db, sql } from '../../postgres/connection.ts';
import type { Field } from '../../schema/field.ts';
import { type RecordType, type Row, storedName } from '../../schema/record.ts';
import { COLLECTIONS, records } from '../../schema/registry.ts';
import type { StoredMenu } from './load-menu.ts';
import { tableOf, toColumns } from './record-columns.ts';

/** All records of a menu, ids chosen by the caller (`reserveIds`). */
export type NewMenu = Pick<StoredMenu, 'sections' | 'types' | 'wineries' | 'dishes'>;

function insertion(record: RecordType, tenantId: number, rows: readonly Row[]) {
  const fields = Object.entries<Field>(record.fields).filter(([, { input }]) => input !== null);
  const inserted = rows.map((row) => {
    const own = fields.map(([name, field]) => [name, row[storedName(name, field)]]);
    const input = Object.fromEntries(own);
    return toColumns(record, { id: row.id, ...input, ...record.derive?.(input, input) });
  });
  const names = Object.keys(inserted[0] ?? { id: 0 }).map((name) => sql.identifier([name]));
  const columns = sql.join(names, sql.fragment`, `);
  const json = JSON.stringify(inserted);
  const table = tableOf(record);
  return sql.fragment`
    ${sql.identifier([`new_${record.table}`])} as (
      insert into ${table} (tenant_id, ${columns})
      select ${tenantId}, ${columns} from jsonb_populate_recordset(null::${table}, ${json}::jsonb)
    )
  `;
}

/** Inserts the records of a new tenant, in one statement. */
export async function insertMenu(db: Db, tenantId: number, menu: NewMenu): Promise<void> {
  const rows = menu as unknown as Record<string, readonly Row[]>;
  const onMenu = COLLECTIONS.map((collection) => records[collection]).filter(
    ({ isOnMenu }) => isOnMenu,
  );
  const insertions = onMenu.map((record) => insertion(record, tenantId, rows[record.table] ?? []));
  await db.run(sql.typeAlias('nothing')`with ${sql.join(insertions, sql.fragment`, `)} select`);
}

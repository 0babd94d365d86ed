import type { Db } from '../../postgres/sql.ts';
import type { Field } from '../../schema/field.ts';
import { type Row, storedName } from '../../schema/record.ts';
import { purgeOrder, records } from '../../schema/registry.ts';
import { insertRecords } from './insert-records.ts';
import type { StoredMenu } from './load-menu.ts';

/** All records of a menu, ids chosen by the caller (`reserveIds`). */
export type NewMenu = Pick<StoredMenu, 'sections' | 'types' | 'wineries' | 'dishes'>;

/** Inserts the records of a new tenant. */
export async function insertMenu(db: Db, tenantId: number, menu: NewMenu): Promise<void> {
  const lists = menu as unknown as Record<string, readonly Row[]>;
  // A record comes after those that it names.
  for (const collection of purgeOrder().toReversed()) {
    const record = records[collection];
    const fields = Object.entries<Field>(record.fields).filter(([, { input }]) => input !== null);
    const rows = (lists[record.table] ?? []).map((row) => {
      const own = fields.map(([name, field]) => [name, row[storedName(name, field)]]);
      const input = Object.fromEntries(own);
      return { id: row.id, ...input, ...record.derive?.(input, input) };
    });
    await insertRecords(db, record, tenantId, rows);
  }
}

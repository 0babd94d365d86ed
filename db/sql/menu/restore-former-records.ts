import { type Db, sql } from '../../postgres/sql.ts';
import { type Resource, records } from '../../schema/registry.ts';
import { ownColumns } from './own-columns.ts';
import { tableOf } from './record-columns.ts';

const KEPT = new Set(['id', 'created_at', 'updated_at']);

/**
 * Gives records of one kind the rows again that an import found (`keepFormerRecords`), and with them
 * brings back those that it deleted. Their external ids must be free.
 */
export async function restoreFormerRecords(
  db: Db,
  resource: Resource,
  tenantId: number,
  writeId: string,
): Promise<void> {
  const record = records[resource];
  const names = (await ownColumns(db, record.table)).filter((name) => !KEPT.has(name));
  const columns = sql.identifiers(names);
  const which = record.isSingleton ? sql.fragment`` : sql.fragment`and u.id = (f.row->>'id')::int`;
  // A column that an upgrade has added since keeps its value.
  await db.run(sql.nothing`
    with former as materialized (
      select jsonb_array_elements(former->'rows'->${resource}::text) as row
      from writes where tenant_id = ${tenantId} and id = ${writeId}
    )
    update ${tableOf(record)} u
    set (${columns}) = (select ${columns} from jsonb_populate_record(u, f.row)), updated_at = now()
    from former f where u.tenant_id = ${tenantId} ${which}
  `);
}

import { type Db, sql } from '../../postgres/sql.ts';
import { type Collection, records } from '../../schema/registry.ts';
import type { Input } from '../../schema/validation/check-input.ts';
import { type AdminRecord, adminSchemas, selectRecords } from './admin-record.ts';
import { tableOf, toColumns } from './record-columns.ts';

/** Inserts a record with the fields of a checked body and returns it as admins see it. */
export function insertRecord(
  db: Db,
  collection: Collection,
  tenantId: number,
  input: Input,
): Promise<AdminRecord> {
  const table = tableOf(records[collection]);
  const row = toColumns(records[collection], input);
  const columns = sql.identifiers(Object.keys(row));
  return db.one(sql.type(adminSchemas[collection])`
    with written as (
      insert into ${table} (tenant_id, ${columns})
      select ${tenantId}, ${columns}
      from jsonb_populate_record(null::${table}, ${JSON.stringify(row)}::jsonb)
      returning *
    )
    ${selectRecords(collection, sql.fragment`written`)}
  `);
}

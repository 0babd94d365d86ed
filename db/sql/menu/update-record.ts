import { type Db, sql } from '../../postgres/sql.ts';
import { isCollection, type Resource, records } from '../../schema/registry.ts';
import type { Input } from '../../schema/validation/check-input.ts';
import { type AdminRecord, adminSchemas, selectRecords } from './admin-record.ts';
import { tableOf, toColumns } from './record-columns.ts';

/**
 * Sets those fields of a record that a checked body has, and returns the record as admins see it.
 *
 * @param id of the record; of settings and theme there is one, and it is not looked at
 */
export function updateRecord(
  db: Db,
  resource: Resource,
  tenantId: number,
  id: number | null,
  input: Input,
): Promise<AdminRecord> {
  const table = tableOf(records[resource]);
  const columns = toColumns(records[resource], input);
  const changes = Object.keys(columns).map((name) => {
    const column = sql.identifier([name]);
    return sql.fragment`${column} = n.${column}`;
  });
  const which = isCollection(resource) ? sql.fragment`and u.id = ${id}` : sql.fragment``;
  return db.one(sql.type(adminSchemas[resource])`
    with written as (
      update ${table} u set ${sql.join(changes, ', ')}, updated_at = now()
      from jsonb_populate_record(null::${table}, ${JSON.stringify(columns)}::jsonb) n
      where u.tenant_id = ${tenantId} ${which}
      returning u.*
    )
    ${selectRecords(resource, sql.fragment`written`)}
  `);
}

import { type Db, sql } from '../connection.ts';
import { isCollection, type Resource } from '../records/resource.ts';
import type { Input } from '../validation/check-input.ts';
import { tables } from './record-sources.ts';

/** Sets those fields of a record that a checked body has; settings and theme have no id. */
export async function updateRecord(
  db: Db,
  resource: Resource,
  tenantId: number,
  id: number | null,
  input: Input,
): Promise<void> {
  const table = sql.identifier([tables[resource]]);
  const changes = Object.keys(input).map((name) => {
    const column = sql.identifier([name]);
    return sql.fragment`${column} = n.${column}`;
  });
  const which = isCollection(resource) ? sql.fragment`and r.id = ${id}` : sql.fragment``;
  await db.run(sql.typeAlias('nothing')`
    update ${table} r set ${sql.join(changes, sql.fragment`, `)}, updated_at = now()
    from jsonb_populate_record(null::${table}, ${JSON.stringify(input)}::jsonb) n
    where r.tenant_id = ${tenantId} ${which}
  `);
}

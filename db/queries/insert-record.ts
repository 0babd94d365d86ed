import * as v from 'valibot';
import { type Db, sql } from '../connection.ts';
import type { Collection } from '../records/resource.ts';
import type { Input } from '../validation/check-input.ts';
import { tables } from './record-sources.ts';

/** Inserts a record with the fields of a checked body and returns its id. */
export async function insertRecord(
  db: Db,
  collection: Collection,
  tenantId: number,
  input: Input,
): Promise<number> {
  const table = sql.identifier([tables[collection]]);
  const names = Object.keys(input).map((name) => sql.identifier([name]));
  const columns = sql.join(names, sql.fragment`, `);
  const { id } = await db.one(sql.type(v.object({ id: v.number() }))`
    insert into ${table} (tenant_id, ${columns})
    select ${tenantId}, ${columns}
    from jsonb_populate_record(null::${table}, ${JSON.stringify(input)}::jsonb)
    returning id
  `);
  return id;
}

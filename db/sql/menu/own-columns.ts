import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

/** The columns of a table besides its tenant and those that Postgres computes. */
export function ownColumns(db: Db, table: string): Promise<string[]> {
  return db.one(sql.value(v.array(v.string()))`
    select array_agg(attname::text) as names from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
      and attgenerated = '' and attname <> 'tenant_id'
  `);
}

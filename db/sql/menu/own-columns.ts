import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

const namesSchema = v.object({ names: v.array(v.string()) });

/** The columns of a table besides its tenant and those that Postgres computes. */
export async function ownColumns(db: Db, table: string): Promise<string[]> {
  const { names } = await db.one(sql.type(namesSchema)`
    select array_agg(attname::text) as names from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
      and attgenerated = '' and attname <> 'tenant_id'
  `);
  return names;
}

import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

/** Those of the ids that are tenants': the others have been deleted. */
export async function findPresentTenants(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const present = await db.any(sql.value(v.number())`
    select id from tenants where id = any (${sql.array(ids, 'int4')})
  `);
  return new Set(present);
}

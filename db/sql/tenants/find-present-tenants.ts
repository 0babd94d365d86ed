import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

/** Those of the ids that are tenants': the others have been deleted. */
export async function findPresentTenants(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await db.any(sql.type(v.object({ id: v.number() }))`
    select id from tenants where id = any (${sql.array(ids, 'int4')})
  `);
  return new Set(rows.map(({ id }) => id));
}

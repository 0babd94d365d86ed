import * as v from 'valibot';
import { type Db, sql } from '../../postgres/connection.ts';

/**
 * Tenants whose snapshots have been waiting for their compressed answers for more than `seconds`,
 * the first `limit` of them, those that wait longest.
 */
export async function findUncompressedTenants(
  db: Db,
  seconds: number,
  limit: number,
): Promise<readonly number[]> {
  const rows = await db.any(sql.type(v.object({ tenant_id: v.number() }))`
    select tenant_id from snapshots
    where encoded_version is distinct from version
      and saved_at < now() - make_interval(secs => ${seconds})
    order by saved_at limit ${limit}
  `);
  return rows.map(({ tenant_id }) => tenant_id);
}

import * as v from 'valibot';
import { type Db, sql } from '../connection.ts';

/** The present versions of tenants, by id; a tenant that is gone is missing. */
export async function findVersions(
  db: Db,
  tenantIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await db.any(sql.type(v.object({ id: v.number(), version: v.number() }))`
    select id, version from tenants where id = any (${sql.array([...tenantIds], 'int4')})
  `);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

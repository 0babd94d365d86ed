import * as v from 'valibot';
import { type Db, sql } from '../connection.ts';
import { SNAPSHOT_FORMAT } from '../snapshot/template.ts';

/** Tenants without snapshots of the present format: after an upgrade, all of them. */
export async function findOutdatedTenants(db: Db): Promise<readonly number[]> {
  const rows = await db.any(sql.type(v.object({ id: v.number() }))`
    select id from tenants t where not exists (
      select from snapshots n where n.tenant_id = t.id and n.format = ${SNAPSHOT_FORMAT}
    )
    order by id
  `);
  return rows.map(({ id }) => id);
}

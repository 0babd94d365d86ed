import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { SNAPSHOT_FORMAT } from './stored-menu.ts';

/** Up to `limit` tenants above the id `after` without snapshots of the present format, by id. */
export function findOutdatedTenants(
  db: Db,
  after: number,
  limit: number,
): Promise<readonly number[]> {
  return db.any(sql.value(v.number())`
    select id from tenants t where id > ${after} and not exists (
      select from snapshots n where n.tenant_id = t.id and n.format = ${SNAPSHOT_FORMAT}
    )
    order by id limit ${limit}
  `);
}

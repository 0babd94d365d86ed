import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

/** Those of the tenants that have a write which has waited for `age` ms or longer. */
export function findLateTenants(
  db: Db,
  tenantIds: readonly number[],
  age: number,
): Promise<readonly number[]> {
  return db.any(sql.value(v.number())`
    select id from unnest(${sql.array(tenantIds, 'int4')}) as tenant (id)
    where exists (
      select from writes
      where tenant_id = tenant.id and finished_at is null
        and created_at <= now() - make_interval(secs => ${age / 1_000})
    )
  `);
}

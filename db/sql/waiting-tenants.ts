import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';

const firstSchema = v.object({ tenant_id: v.number(), id: v.string() });

/** The first waiting write of each of the tenants that has one. */
export async function findFirstWaiting(
  db: Db,
  tenantIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const found = await db.any(sql.type(firstSchema)`
    select tenant.id as tenant_id, w.id
    from unnest(${sql.array(tenantIds, 'int4')}) as tenant (id), lateral (
      select id from writes
      where tenant_id = tenant.id and finished_at is null
      order by batch, id
      limit 1
    ) w
  `);
  return new Map(found.map(({ tenant_id, id }) => [tenant_id, id]));
}

/**
 * Tenants, `limit` at most, that have a write which has waited for `age` ms or longer. One that seems
 * to come from the future was sent before Postgres' clock was set back.
 */
export function findForgottenTenants(
  db: Db,
  age: number,
  limit: number,
): Promise<readonly number[]> {
  return db.any(sql.value(v.number())`
    select distinct tenant_id from writes
    where finished_at is null
      and (created_at <= now() - make_interval(secs => ${age / 1_000})
        or created_at > now() + interval '10 seconds')
    limit ${limit}
  `);
}

interface LateWrites {
  /** How long the first waiting write of a tenant has waited at least, in ms. */
  age: number;
  /** Tenants with greater ids only. */
  after: number;
  limit: number;
}

/**
 * Tenants with late writes, in the order of their ids, by looking at one write of each. Those whose
 * first write has failed are left out: the queue counts its failures.
 */
export function findLateTenants(
  db: Db,
  { age, after, limit }: LateWrites,
): Promise<readonly number[]> {
  const first = (before = sql.fragment`${after}`) => sql.fragment`
    (select tenant_id, created_at, errors + timeouts as failures from writes
     where finished_at is null and tenant_id > ${before}
     order by tenant_id, batch, id limit 1)
  `;
  return db.any(sql.value(v.number())`
    with recursive waiting as (
      ${first()}
      union all
      select next.* from waiting, lateral ${first(sql.fragment`waiting.tenant_id`)} as next
    )
    select tenant_id from waiting
    where created_at <= now() - make_interval(secs => ${age / 1_000}) and failures = 0
    limit ${limit}
  `);
}

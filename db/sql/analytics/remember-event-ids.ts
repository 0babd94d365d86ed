import * as v from 'valibot';
import { column, type Db, sql } from '../../postgres/sql.ts';

/** An id that a client gave to an event. */
export interface EventId {
  tenantId: number;
  id: string;
}

/**
 * Remembers the ids, each given once, and returns the positions of those that were known already.
 * They are locked in one order, so that workers that meet wait for each other and never in a circle.
 */
export async function rememberEventIds(db: Db, ids: readonly EventId[]): Promise<Set<number>> {
  const known = await db.any(sql.value(v.number())`
    with given as materialized (
      select tenant_id, substring(sha256(convert_to(id, 'UTF8')) for 16) as id,
        ordinality - 1 as position
      from unnest(
        ${column(ids, ({ tenantId }) => tenantId, 'int4')},
        ${column(ids, ({ id }) => id, 'text')}
      ) with ordinality as given (tenant_id, id, ordinality)
    ), remembered as (
      insert into analytics_event_ids (tenant_id, id)
      select tenant_id, id from given order by tenant_id, id
      on conflict do nothing
      returning tenant_id, id
    )
    select position from given g where not exists (
      select from remembered r where r.tenant_id = g.tenant_id and r.id = g.id
    )
  `);
  return new Set(known);
}

import * as v from 'valibot';
import { column, type Db, sql } from '../postgres/sql.ts';

/** A gateway's request to store more events of a restaurant on a day. */
export interface EventAsk {
  tenantId: number;
  /** In UTC, `YYYY-MM-DD`. */
  day: string;
  count: number;
}

const grantedSchema = v.object({ tenant_id: v.number(), granted: v.number() });

/**
 * Grants requested events up to `perDay` for each restaurant and day. Returns how many events each
 * request got, in the order of `asks`. The table's count includes refused events, beyond `perDay`.
 *
 * @param asks at most one a restaurant
 */
export async function grantEvents(
  db: Db,
  asks: readonly EventAsk[],
  perDay: number,
): Promise<number[]> {
  const rows = await db.any(sql.type(grantedSchema)`
    insert into event_budgets as budget (tenant_id, day, granted)
    select * from unnest(
      ${column(asks, ({ tenantId }) => tenantId, 'int4')},
      ${column(asks, ({ day }) => day, 'date')},
      ${column(asks, ({ count }) => count, 'int8')}
    )
    order by 1, 2
    on conflict (tenant_id, day) do update set granted = budget.granted + excluded.granted
    returning tenant_id, granted
  `);
  const grantedTo = new Map(rows.map(({ tenant_id, granted }) => [tenant_id, granted]));
  return asks.map(({ tenantId, count }) => {
    const before = (grantedTo.get(tenantId) ?? perDay) - count;
    return Math.max(0, Math.min(count, perDay - before));
  });
}

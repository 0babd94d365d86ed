import * as v from 'valibot';
import { column, type Db, sql } from '../postgres/sql.ts';

/** A gateway's request to store more events of a restaurant on a day. */
export interface EventAsk {
  tenantId: number;
  /** In UTC, `YYYY-MM-DD`. */
  day: string;
  count: number;
}

/** The same for one client of the restaurant. */
interface ShareAsk extends EventAsk {
  /** A hash of its address, 64 bits in decimal. */
  client: string;
}

const grantedSchema = v.object({ granted: v.number() });

/** How many events each request gets, when Postgres has added it to what was asked for before. */
function granted(
  asks: readonly EventAsk[],
  rows: readonly { granted: number }[],
  bound: number,
): number[] {
  return asks.map(({ count }, index) => {
    const before = (rows[index]?.granted ?? bound) - count;
    return Math.max(0, Math.min(count, bound - before));
  });
}

/**
 * Grants requested events up to `perDay` for each restaurant and day. Returns how many events each
 * request got, in the order of `asks`. The table's count includes refused events, beyond `perDay`.
 *
 * @param asks at most one for a restaurant and day
 */
export async function grantEvents(
  db: Db,
  asks: readonly EventAsk[],
  perDay: number,
): Promise<number[]> {
  const rows = await db.any(sql.type(grantedSchema)`
    with asked as (
      select * from unnest(
        ${column(asks, ({ tenantId }) => tenantId, 'int4')},
        ${column(asks, ({ day }) => day, 'date')},
        ${column(asks, ({ count }) => count, 'int8')}
      ) with ordinality as asked (tenant_id, day, count, position)
    ), counted as (
      insert into event_budgets as budget (tenant_id, day, granted)
      select tenant_id, day, count from asked order by tenant_id, day
      on conflict (tenant_id, day) do update set granted = budget.granted + excluded.granted
      returning tenant_id, day, granted
    )
    select granted from asked join counted using (tenant_id, day) order by position
  `);
  return granted(asks, rows, perDay);
}

/**
 * The same for clients: each may store up to `perDay` events of a restaurant on a day.
 *
 * @param asks at most one for a restaurant, day and client
 */
export async function grantShares(
  db: Db,
  asks: readonly ShareAsk[],
  perDay: number,
): Promise<number[]> {
  const rows = await db.any(sql.type(grantedSchema)`
    with asked as (
      select * from unnest(
        ${column(asks, ({ tenantId }) => tenantId, 'int4')},
        ${column(asks, ({ day }) => day, 'date')},
        ${column(asks, ({ client }) => client, 'int8')},
        ${column(asks, ({ count }) => count, 'int8')}
      ) with ordinality as asked (tenant_id, day, client, count, position)
    ), counted as (
      insert into event_shares as share (tenant_id, day, client, granted)
      select tenant_id, day, client, count from asked order by tenant_id, day, client
      on conflict (tenant_id, day, client) do update set granted = share.granted + excluded.granted
      returning tenant_id, day, client, granted
    )
    select granted from asked join counted using (tenant_id, day, client) order by position
  `);
  return granted(asks, rows, perDay);
}

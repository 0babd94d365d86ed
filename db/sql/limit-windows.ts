import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';

/** A gateway's report and request about one client's window. Times are in milliseconds. */
export interface WindowAsk {
  tenantId: number;
  limiter: string;
  /** The client's IPv4 address, or the first address of its IPv6 network, as text. */
  client: string;
  /** Requests that a window admits. */
  limit: number;
  /** Whether Postgres has told this gateway of the window; else it began here. */
  shared: boolean;
  /** Until the window ends, as the gateway knows it. */
  endsIn: number;
  /** Requests that Postgres must have counted already, unless it has lost them. */
  floor: number;
  /** Requests admitted since then; below 0 when too many were reported. */
  debt: number;
  /** Requests that wait to be admitted. */
  claims: number;
}

/** The state of a window after Postgres has counted. */
export interface WindowCount {
  /** Requests admitted in the window, by all gateways, the granted claims among them. */
  count: number;
  /** How many of the claims are admitted. */
  granted: number;
  /** Milliseconds until the window ends. */
  endsIn: number;
}

/** A window as the statement gives it; `n` is its place among those asked for, from 1. */
type Counted = readonly [n: number, count: number, granted: number, endsIn: number];

/** All windows as one JSON text: a row for each would cost a gateway several times as much. */
const countedSchema = v.pipe(
  v.string(),
  v.transform((text): Counted[] => JSON.parse(text)),
);

/**
 * One upsert of all windows, as three steps: lock those that are there (in the order of the key, so
 * that two gateways never wait for each other in a circle), decide, write. `insert … on conflict`
 * alone would need what was asked as columns of the table. Measured with 500 windows: 5 ms, as long
 * as a bare upsert; a loop in PL/pgSQL took 12.
 *
 * Postgres' clock alone decides whether a window is over. Of two ends of a window the earlier is
 * the true one: each gateway's is late by the time that its message took. Two windows of a client
 * end at least their length apart, so ends that are closer belong to the same window. One that ends
 * later than a window can, by more than clocks are slewed, was written before the clock was set back:
 * no gateway knows whether it is over, so only what gateways know counts.
 */
function countStatement(asks: readonly WindowAsk[], window: number) {
  // Neither numbers nor addresses hold anything that an array literal must quote.
  const list = (value: (ask: WindowAsk) => number | string | boolean) =>
    `{${asks.map(value).join(',')}}`;
  return sql.prepared('count-requests', v.object({ counted: countedSchema }))`
    with asked as materialized (
      select * from unnest(
        ${list(({ tenantId }) => tenantId)}::int4[],
        ${list(({ limiter }) => limiter)}::text[],
        ${list(({ client }) => client)}::inet[],
        ${list(({ limit }) => limit)}::int4[],
        ${list(({ shared }) => shared)}::bool[],
        ${list(({ endsIn }) => endsIn)}::float8[],
        ${list(({ floor }) => floor)}::int4[],
        ${list(({ debt }) => debt)}::int4[],
        ${list(({ claims }) => claims)}::int4[]
      ) with ordinality
        as a (tenant_id, limiter, client, capacity, shared, ends_in, floor, debt, claims, n)
    ), held as materialized (
      select a.n, true as present, w.count as held,
        case when w.ends_at <= clock_timestamp() + (${window}::float8 + 1000) * interval '1 ms'
          then least(w.ends_at, clock_timestamp() + ${window}::float8 * interval '1 ms')
        end as held_end
      from asked a join limit_windows w using (tenant_id, limiter, client)
      order by tenant_id, limiter, client
      for update of w
    ), timed as materialized (
      select *, clock_timestamp() as at from asked left join held using (n)
    ), judged as materialized (
      select *,
        at + ends_in * interval '1 ms' as asked_end,
        coalesce(held_end > at, false) as live,
        -- The asker's window is over with the one that Postgres holds.
        coalesce(shared and held_end <= at, false) as ended,
        not shared or held_end - at < (ends_in + ${window}::float8 / 2) * interval '1 ms' as same
      from timed
    ), based as materialized (
      select *,
        greatest(0, case
          when live then case when same then greatest(held, floor) else held end + debt
          when ended then 0
          else floor + debt
        end) as base,
        case
          when live then case when same then least(held_end, asked_end) else held_end end
          when ended and claims > 0 then at + ${window}::float8 * interval '1 ms'
          when ended then held_end
          else asked_end
        end as ends_at
      from judged
    ), decided as materialized (
      select *, greatest(0, least(claims, capacity - base)) as granted from based
    ), updated as (
      update limit_windows w set count = d.base + d.granted, ends_at = d.ends_at
      from decided d
      where d.present
        and (w.tenant_id, w.limiter, w.client) = (d.tenant_id, d.limiter, d.client)
    ), inserted as (
      insert into limit_windows (tenant_id, limiter, client, ends_at, count)
      select tenant_id, limiter, client, ends_at, base + granted from decided
      where present is null
      order by tenant_id, limiter, client
      on conflict (tenant_id, limiter, client) do nothing
      returning tenant_id, limiter, client
    )
    select coalesce(json_agg(json_build_array(
      d.n, base + granted, granted, (extract(epoch from ends_at - at) * 1000)::float8
    )), '[]')::text as counted
    from decided d left join inserted i using (tenant_id, limiter, client)
    where d.present or i.tenant_id is not null
  `;
}

/**
 * Counts requests: adds what was admitted, admits what is claimed as far as the limits allow, and
 * tells where each window stands. The result is in the order of `asks`; undefined marks a window
 * that another gateway was creating at the same moment: ask again.
 *
 * @param asks at most one a client
 * @param window length of a window, in ms
 */
export async function countRequests(db: Db, asks: readonly WindowAsk[], window: number) {
  const counts = new Array<WindowCount | undefined>(asks.length).fill(undefined);
  const { counted } = await db.one(countStatement(asks, window));
  for (const [n, count, granted, endsIn] of counted) counts[n - 1] = { count, granted, endsIn };
  return counts;
}

/**
 * Removes windows that are over, a batch at most, and says how many; gateways share the work. A window
 * is kept a little longer than it lasts: a gateway may still be about to report it.
 */
export function clearEndedWindows(db: Db): Promise<number> {
  return db.count(sql.prepared('clear-ended-windows', v.strictObject({}))`
    with ended as materialized (
      select tenant_id, limiter, client from limit_windows
      where ends_at < now() - interval '5 seconds'
      order by ends_at
      limit ${constants.limitClearBatch}
      for update skip locked
    )
    delete from limit_windows w using ended e
    where (w.tenant_id, w.limiter, w.client) = (e.tenant_id, e.limiter, e.client)
  `);
}

/** The addresses of clients that a limit has counted in the last minute, the busiest first. */
export function listRecentClients(db: Db, limit: number): Promise<readonly string[]> {
  return db.any(sql.value(v.string())`
    select host(client) as client from limit_windows
    where ends_at > now() group by client order by sum(count) desc limit ${limit}
  `);
}

/** How many owners have connections whose name begins with `prefix`, in this database. */
export function countConnections(db: Db, prefix: string): Promise<number> {
  return db.one(sql.value(v.number())`
    select count(distinct application_name)::int4 from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${prefix})
  `);
}

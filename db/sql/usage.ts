import * as v from 'valibot';
import { column, type Db, type Fragment, sql } from '../postgres/sql.ts';

// How much restaurants have, and are asked for.

const usageSchema = v.object({
  id: v.number(),
  slug: v.string(),
  suspended: v.boolean(),
  dishes: v.number(),
  photos: v.number(),
  photo_bytes: v.number(),
  users: v.number(),
  screens: v.number(),
  /** In the span of days. */
  events: v.number(),
  requests: v.number(),
});
/** The records of a restaurant, and its requests and events in a span of days. */
type Usage = v.InferOutput<typeof usageSchema>;

/** Days in UTC, both included, as `YYYY-MM-DD`. */
export interface ReportSpan {
  from: string;
  to: string;
}

function usage({ from, to }: ReportSpan, restaurants: Fragment) {
  const within = sql.fragment`day between ${from}::date and ${to}::date`;
  return sql.type(usageSchema)`
    select t.id, t.slug, t.suspended_at is not null as suspended, d.dishes, p.photos, p.photo_bytes,
      u.users, s.screens, e.events, r.requests
    from (${restaurants}) t
    cross join lateral (
      select count(*)::int as dishes from dishes where tenant_id = t.id and deleted_at is null
    ) d
    cross join lateral (
      select count(*)::int as photos, coalesce(sum(bytes), 0)::float8 as photo_bytes
      from photos where tenant_id = t.id and deleted_at is null
    ) p
    cross join lateral (select count(*)::int as users from users where tenant_id = t.id) u
    cross join lateral (select count(*)::int as screens from screens where tenant_id = t.id) s
    cross join lateral (
      select coalesce(sum(events), 0)::float8 as events from analytics_counts
      where tenant_id = t.id and scope = 'total' and ${within}
    ) e
    cross join lateral (
      select coalesce(sum(requests), 0)::float8 as requests from request_days
      where tenant_id = t.id and ${within}
    ) r
    order by t.id
  `;
}

/** The usage of restaurants above the id `after`, at most `limit`, by id. */
export function listUsage(db: Db, span: ReportSpan, after: number, limit: number) {
  return db.any(
    usage(
      span,
      sql.fragment`
        select id, slug, suspended_at from tenants where id > ${after} order by id limit ${limit}
      `,
    ),
  );
}

export function findUsage(db: Db, span: ReportSpan, tenantId: number): Promise<Usage> {
  return db.one(
    usage(span, sql.fragment`select id, slug, suspended_at from tenants where id = ${tenantId}`),
  );
}

const daySchema = v.object({ day: v.string(), events: v.number(), requests: v.number() });

/** The events and requests of a restaurant by day; days without any are missing. */
export function listUsageDays(db: Db, { from, to }: ReportSpan, tenantId: number) {
  const within = sql.fragment`
    tenant_id = ${tenantId} and day between ${from}::date and ${to}::date
  `;
  return db.any(sql.type(daySchema)`
    select coalesce(e.day, r.day)::text as day, coalesce(e.events, 0)::float8 as events,
      coalesce(r.requests, 0)::float8 as requests
    from (select day, events from analytics_counts where ${within} and scope = 'total') e
    full join (select day, requests from request_days where ${within}) r using (day)
    order by 1
  `);
}

/** Adds requests to those of the present day, by restaurant; one that is gone is left out. */
export async function addRequests(db: Db, counts: ReadonlyMap<number, number>): Promise<void> {
  const rows = [...counts];
  await db.run(sql.nothing`
    insert into request_days (tenant_id, day, requests)
    select n.id, (now() at time zone 'utc')::date, n.requests
    from unnest(
      ${column(rows, ([id]) => id, 'int4')}, ${column(rows, ([, requests]) => requests, 'int8')}
    ) as n (id, requests)
    join tenants t on t.id = n.id
    order by n.id
    on conflict (tenant_id, day) do update set requests = request_days.requests + excluded.requests
  `);
}

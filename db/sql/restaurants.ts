import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { freedSlugsChannel } from '../schema/notices.ts';
import { type Quotas, quotaNames } from '../schema/platform.ts';
import { literally } from './dishes.ts';

// Restaurants as their operator sees them.

/**
 * Suspends a tenant, whose menu is served no more, or serves it again. Gateways hear of it.
 *
 * @param reason one sentence for owners and guests; null: a general one
 */
export async function suspendTenant(
  db: Db,
  id: number,
  isSuspended: boolean,
  reason: string | null = null,
): Promise<void> {
  const at = isSuspended ? sql.fragment`coalesce(suspended_at, now())` : sql.fragment`null`;
  await db.run(sql.nothing`
    with changed as (
      update tenants set suspended_at = ${at}, suspension_reason = ${isSuspended ? reason : null}
      where id = ${id} returning id, slug
    )
    select from changed, pg_notify(${freedSlugsChannel},
      json_build_object('tenant_id', changed.id, 'slug', changed.slug)::text)
  `);
}

/** Sets those quotas of a tenant that are given; null takes one away. */
export async function setQuotas(db: Db, id: number, quotas: Quotas): Promise<void> {
  const sets = quotaNames.flatMap((name) => {
    const value = quotas[name];
    return value === undefined ? [] : [sql.fragment`${sql.identifier([name])} = ${value}`];
  });
  if (sets.length === 0) return;
  await db.run(sql.nothing`update tenants set ${sql.join(sets, ', ')} where id = ${id}`);
}

const quotaSchema = v.nullable(v.number());

/** A quota of a tenant; null: none. */
export function findQuota(db: Db, id: number, name: keyof Quotas): Promise<number | null> {
  return db.one(sql.value(quotaSchema)`
    select ${sql.identifier([name])} from tenants where id = ${id}
  `);
}

const restaurantSchema = v.object({
  id: v.number(),
  slug: v.string(),
  name: v.string(),
  default_locale: v.string(),
  version: v.number(),
  suspended: v.boolean(),
  suspension_reason: v.nullable(v.string()),
  max_dishes: v.nullable(v.number()),
  max_photos_mb: v.nullable(v.number()),
  max_users: v.nullable(v.number()),
  created_at: v.date(),
});
/** A restaurant as operators see it. */
type FoundRestaurant = v.InferOutput<typeof restaurantSchema>;
const restaurants = sql.fragment`
  select t.id, t.slug, s.name, s.default_locale, t.version, t.suspended_at is not null as suspended,
    t.suspension_reason, t.max_dishes, t.max_photos_mb, t.max_users, t.created_at
  from tenants t join settings s on s.tenant_id = t.id
`;

/** Which restaurants are listed. */
interface Search {
  /** Above this id. */
  after: number;
  limit: number;
  /** Part of a slug, a name or a host; null: all. */
  text: string | null;
  /** Null: both. */
  suspended: boolean | null;
}

/** Restaurants in the order of their creation. */
export function listRestaurants(db: Db, { after, limit, text, suspended }: Search) {
  const part = `%${literally(text ?? '')}%`;
  const wanted = sql.and(
    suspended !== null && sql.fragment`(t.suspended_at is not null) = ${suspended}`,
    text !== null &&
      sql.fragment`(
        t.slug ilike ${part} or s.name ilike ${part}
        or exists (select from hosts h where h.tenant_id = t.id and h.name ilike ${part})
      )`,
  );
  return db.any(sql.type(restaurantSchema)`
    ${restaurants} where t.id > ${after} ${wanted} order by t.id limit ${limit}
  `);
}

const statesSchema = v.object({ active: v.number(), suspended: v.number() });

export type RestaurantCounts = v.InferOutput<typeof statesSchema>;

/** How many restaurants are served, and how many are suspended. */
export function countRestaurants(db: Db): Promise<RestaurantCounts> {
  return db.one(sql.type(statesSchema)`
    select count(*) filter (where suspended_at is null)::int as active,
      count(*) filter (where suspended_at is not null)::int as suspended
    from tenants
  `);
}

export function findRestaurant(db: Db, slug: string): Promise<FoundRestaurant | null> {
  return db.maybeOne(sql.type(restaurantSchema)`${restaurants} where t.slug = ${slug}`);
}

import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';

/** For how many days a restaurant's former slug leads to it. */
const FORMER_SLUG_DAYS = 365;

// Host names of restaurants, and the slugs that they had before.

/** The host that links of a restaurant name; `t` is the restaurant. */
export const mainHost = sql.fragment`(
  select h.name from hosts h
  where h.tenant_id = t.id and h.verified_at is not null and h.expires_at is null
  order by h.verified_at, h.id limit 1
)`;

const hostRow = v.object({
  ...{ id: v.number(), name: v.string(), proof: v.nullable(v.string()), is_main: v.boolean() },
  ...{ verified_at: v.nullable(v.date()), created_at: v.date(), expires_at: v.nullable(v.date()) },
});
/** A host of a restaurant; one that expires is a former slug. */
export type Host = v.InferOutput<typeof hostRow>;
const hosts = (tenantId: number) => sql.fragment`
  select h.id, h.name, h.proof, h.verified_at, h.created_at, h.expires_at,
    h.name is not distinct from ${mainHost} as is_main
  from hosts h join tenants t on t.id = h.tenant_id where h.tenant_id = ${tenantId}
`;

/** The own hosts of a restaurant in the order in which they were asked for. */
export function listHosts(db: Db, tenantId: number): Promise<readonly Host[]> {
  return db.any(sql.type(hostRow)`${hosts(tenantId)} and h.expires_at is null order by h.id`);
}

/** Those, and the slugs that it had before. */
export function listAllHosts(db: Db, tenantId: number): Promise<readonly Host[]> {
  return db.any(sql.type(hostRow)`${hosts(tenantId)} order by h.id`);
}

export function findHost(db: Db, tenantId: number, id: number): Promise<Host | null> {
  return db.maybeOne(sql.type(hostRow)`
    ${hosts(tenantId)} and h.expires_at is null and h.id = ${id}
  `);
}

interface NewHost {
  tenantId: number;
  name: string;
  /** Null: it is served at once. */
  proof: string | null;
}

/**
 * Adds a host, or finds the one of this name that the restaurant has. Null when it has as many as it
 * may have. The restaurant's actions are locked, and the caller has asked whether another one is served
 * there.
 */
export async function insertHost(db: Db, { tenantId, name, proof }: NewHost) {
  const verifiedAt = proof === null ? sql.fragment`now()` : sql.fragment`null`;
  return db.maybeOne(sql.type(v.object({ id: v.number() }))`
    insert into hosts (tenant_id, name, proof, verified_at)
    select ${tenantId}, ${name}, ${proof}, ${verifiedAt}
    where ${constants.maxHosts} > (
      select count(*) from hosts
      where tenant_id = ${tenantId} and expires_at is null and name <> ${name}
    )
    on conflict (tenant_id, name) do update
      set verified_at = coalesce(hosts.verified_at, excluded.verified_at),
        proof = case when excluded.proof is null then null else hosts.proof end
    returning id
  `);
}

/** Serves a restaurant at a host from now on. Fails with a unique violation when another one is. */
export async function verifyHost(db: Db, tenantId: number, id: number): Promise<void> {
  await db.run(sql.nothing`
    update hosts set verified_at = coalesce(verified_at, now())
    where tenant_id = ${tenantId} and id = ${id}
  `);
}

/** Whether another restaurant is served at a host. */
export function isHostTaken(db: Db, tenantId: number, name: string): Promise<boolean> {
  return db.one(sql.value(v.boolean())`
    select exists (
      select from hosts
      where name = ${name} and verified_at is not null and tenant_id <> ${tenantId}
    ) as taken
  `);
}

/** @returns whether there was one */
export function deleteHost(db: Db, tenantId: number, id: number): Promise<boolean> {
  return db.touches(sql.nothing`
    delete from hosts where tenant_id = ${tenantId} and id = ${id} and expires_at is null
  `);
}

/** The same by name; a former slug may be named, too. */
export function deleteHostByName(db: Db, tenantId: number, name: string): Promise<boolean> {
  return db.touches(sql.nothing`
    delete from hosts where tenant_id = ${tenantId} and name = ${name}
  `);
}

const placeSchema = v.object({
  name: v.string(),
  slug: v.string(),
  host: v.nullable(v.string()),
  is_former: v.boolean(),
  is_suspended: v.boolean(),
  /** One sentence of the operator's for owners and guests; null for a general one. */
  suspension_reason: v.nullable(v.string()),
});
export type HostPlace = v.InferOutput<typeof placeSchema>;

/**
 * The restaurants that are served at hosts, or were at slugs, by name, and those that are suspended, by
 * their slugs, too; an unknown name is missing.
 */
export async function findHostPlaces(db: Db, names: readonly string[]) {
  const given = sql.array(names, 'text');
  const suspension = sql.fragment`
    t.suspended_at is not null as is_suspended, t.suspension_reason
  `;
  const places = await db.any(sql.type(placeSchema)`
    select h.name, t.slug, ${mainHost} as host, h.expires_at is not null as is_former, ${suspension}
    from hosts h join tenants t on t.id = h.tenant_id
    where h.name = any (${given}) and h.verified_at is not null
      and (h.expires_at is null or h.expires_at > now())
    union all
    select t.slug, t.slug, ${mainHost}, false, ${suspension}
    from tenants t where t.slug = any (${given}) and t.suspended_at is not null
  `);
  return new Map(places.map((place) => [place.name, place]));
}

/** The main host of a restaurant; null: it is at its slug. */
export function findMainHost(db: Db, tenantId: number): Promise<string | null> {
  return db.one(sql.value(v.nullable(v.string()))`
    select ${mainHost} as host from tenants t where t.id = ${tenantId}
  `);
}

/**
 * Lets one transaction at a time give these slugs to restaurants, or keep them for those that had them.
 * A transaction names all of its slugs at once.
 */
export async function lockSlugs(db: Db, slugs: readonly string[]): Promise<void> {
  await db.run(sql.nothing`
    select from (
      select pg_advisory_xact_lock(hashtextextended('slug/' || slug, 0))
      from (select unnest(${sql.array(slugs, 'text')}) as slug order by 1) s
    ) locked
  `);
}

/** The restaurant for which a slug is kept because it had it before; null for none, and for itself. */
export function findSlugKeeper(db: Db, slug: string, tenantId: number | null) {
  return db.maybeOne(sql.value(v.string())`
    select t.slug from hosts h join tenants t on t.id = h.tenant_id
    where h.name = ${slug} and h.expires_at > now() and t.id is distinct from ${tenantId}
  `);
}

/** Lets a slug that a restaurant has just given up lead to it for a while. */
export async function keepFormerSlug(db: Db, tenantId: number, slug: string): Promise<void> {
  await db.run(sql.nothing`
    insert into hosts (tenant_id, name, verified_at, expires_at)
    values (${tenantId}, ${slug}, now(), now() + make_interval(days => ${FORMER_SLUG_DAYS}))
    on conflict (tenant_id, name) do update set expires_at = excluded.expires_at
  `);
}

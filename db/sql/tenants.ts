import * as v from 'valibot';
import { column, type Db, sql } from '../postgres/sql.ts';
import { FALLBACK_LOCALE, type Locale } from '../schema/values/locale.ts';
import { ownColumns } from './record-columns.ts';

/** The first settings of a new restaurant; the rest is set through the admin API. */
interface NewTenant {
  slug: string;
  name: string;
  defaultLocale: Locale;
  supportedLocales: readonly Locale[];
  timezone: string;
}

/**
 * A new restaurant with Italian falls back to it, as the specification says; any other to its own
 * language, so that no name has to stand there twice.
 */
function firstFallback({ supportedLocales, defaultLocale }: NewTenant): Locale {
  return supportedLocales.includes(FALLBACK_LOCALE) ? FALLBACK_LOCALE : defaultLocale;
}

/**
 * Inserts a tenant with its settings and a neutral theme, and returns its id, or null when the slug
 * is taken. The caller publishes its first version in the same transaction.
 */
export function createTenant(db: Db, tenant: NewTenant): Promise<number | null> {
  return db.maybeOne(sql.value(v.number())`
    with tenant as (
      insert into tenants (slug) values (${tenant.slug}) on conflict (slug) do nothing returning id
    ), settings as (
      insert into settings
        (tenant_id, name, default_locale, fallback_locale, supported_locales, timezone)
      select id, ${tenant.name}, ${tenant.defaultLocale}, ${firstFallback(tenant)},
        ${sql.array(tenant.supportedLocales, 'text')}, ${tenant.timezone}
      from tenant
    ), theme as (
      insert into themes (tenant_id, primary_color, secondary_color, accent_color,
        background_color, text_color, font_family, font_url, border_radius, layout_variant,
        header_style, footer_text)
      select id, '#2F2A25', '#6B5E52', '#A63D2F', '#FFFDF8', '#221E1A', 'Georgia, serif', '',
        '8px', 'classic', 'centered', ''
      from tenant
    )
    select id from tenant
  `);
}

export function findTenantId(db: Db, slug: string): Promise<number | null> {
  return db.maybeOne(sql.value(v.number())`
    select id from tenants where slug = ${slug}
  `);
}

/** The name of a restaurant; null without such a tenant. */
export function findTenantName(db: Db, id: number): Promise<string | null> {
  return db.maybeOne(sql.value(v.string())`select name from settings where tenant_id = ${id}`);
}

/** The latest version of a restaurant's menu. */
export function findTenantVersion(db: Db, id: number): Promise<number> {
  return db.one(sql.value(v.number())`select version from tenants where id = ${id}`);
}

/** Those of the ids that are tenants': the others have been deleted. */
export async function findPresentTenants(db: Db, ids: readonly number[]) {
  const present = await db.any(sql.value(v.number())`
    select id from tenants where id = any (${sql.array(ids, 'int4')})
  `);
  return new Set(present);
}

const listedTenantSchema = v.object({
  id: v.number(),
  slug: v.string(),
  name: v.string(),
  default_locale: v.string(),
  version: v.number(),
});
export type ListedTenant = v.InferOutput<typeof listedTenantSchema>;

/** Tenants in the order of their creation, at most `limit`. */
export async function listTenants(db: Db, limit = Number.MAX_SAFE_INTEGER) {
  return db.any(sql.type(listedTenantSchema)`
    select t.id, t.slug, s.name, s.default_locale, t.version
    from tenants t join settings s on s.tenant_id = t.id
    order by t.id
    limit ${limit}
  `);
}

/**
 * Whether Postgres knows a time zone, in whatever case: its list may be older than Node's. It reads
 * the list from files, some 20 ms.
 */
export function knowsTimeZone(db: Db, name: string): Promise<boolean> {
  return db.one(sql.value(v.boolean())`
    select exists (select from pg_timezone_names where lower(name) = lower(${name})) as known
  `);
}

const lockedSchema = v.object({
  id: v.number(),
  slug: v.string(),
  version: v.number(),
  /**
   * The transaction that gave the tenant its version. A version alone does not name a state: one
   * that was rolled back is given again.
   */
  stamp: v.string(),
  /** The stamp that a version gets from the present transaction. */
  own_stamp: v.string(),
  /** The moment of the lock, by Postgres' clock. */
  locked_at: v.date(),
  /** The moment at which something changes on its own, or changed and is yet to be published. */
  next_change_at: v.nullable(v.date()),
  /** The restaurant that it follows; null for one that is no branch. */
  master_id: v.nullable(v.number()),
  /** Whether receivers are told of its versions. */
  has_webhooks: v.boolean(),
});
export type LockedTenant = v.InferOutput<typeof lockedSchema>;

/** Whether to wait for a tenant that another transaction has locked. */
type WhenLocked = keyof typeof whenLocked;

const whenLocked = { wait: sql.fragment``, skip: sql.fragment`skip locked` };

/**
 * Locks tenants' rows until the transaction ends, so that only this one changes their menus. Rows that
 * refer to a tenant, such as further writes, can be inserted all the same. A tenant that does not exist
 * is missing, and one that another transaction has locked is missing when it is not to be waited for.
 */
export function lockTenants(db: Db, tenantIds: readonly number[], ifLocked: WhenLocked) {
  return db.any(sql.type(lockedSchema)`
    select id, slug, version, xmin::text as stamp, pg_current_xact_id()::xid::text as own_stamp,
      clock_timestamp() as locked_at, next_change_at, (
        select master_id from chain_branches b where b.tenant_id = tenants.id
      ) as master_id, exists (
        select from webhooks w where w.tenant_id = tenants.id and w.is_active
      ) as has_webhooks
    from tenants where id = any (${sql.array(tenantIds, 'int4')})
    for no key update ${whenLocked[ifLocked]}
  `);
}

/** The transaction that gave a restaurant its version; null without such a restaurant. */
export function findStamp(db: Db, tenantId: number): Promise<string | null> {
  return db.maybeOne(sql.value(v.string())`
    select xmin::text as stamp from tenants where id = ${tenantId}
  `);
}

/** Locks one tenant; null when `lockTenants` would leave it out. */
export async function lockTenant(db: Db, tenantId: number, ifLocked: WhenLocked) {
  return (await lockTenants(db, [tenantId], ifLocked))[0] ?? null;
}

/**
 * Gives a tenant another slug; false when the new slug is taken. The slug stands in the menu: the
 * caller publishes a version of it in the same transaction.
 */
export function renameTenant(db: Db, id: number, newSlug: string): Promise<boolean> {
  return db.touches(sql.nothing`
    update tenants set slug = ${newSlug}
    where id = ${id} and not exists (select from tenants where slug = ${newSlug})
  `);
}

/** The values of a copy that differ from its origin. */
const copySchema = v.object({ tenantId: v.number(), slug: v.string() });
type Copy = v.InferOutput<typeof copySchema>;

/** A restaurant's tables besides `tenants` and `snapshots`; a row comes after those that it names. */
const TABLES = [
  ...['photos', 'photo_files', 'settings', 'themes', 'sections', 'types', 'wineries'],
  ...['modifier_groups', 'dishes', 'stale_texts', 'table_columns', 'snapshot_sections'],
];

/**
 * Creates a tenant for each slug that is free, with the same menu and snapshots as another tenant:
 * some hundred times faster than building each. Returns how many there are now that were not before.
 * It belongs in a transaction.
 *
 * Ids are unique within a restaurant only, so the copies keep those of the origin.
 *
 * @param headFor the head of the snapshots of a copy, made from the origin's
 */
export async function copyTenant(
  db: Db,
  originId: number,
  slugs: readonly string[],
  headFor: (head: string, copy: Copy) => string,
): Promise<number> {
  const copies = await db.any(sql.type(copySchema)`
    insert into tenants (slug, version)
    select n.slug, version from tenants, unnest(${sql.array(slugs, 'text')}) as n (slug)
    where tenants.id = ${originId}
    on conflict (slug) do nothing
    returning id as "tenantId", slug
  `);
  if (copies.length === 0) return 0;
  const ids = column(copies, ({ tenantId }) => tenantId, 'int4');
  await db.run(sql.nothing`
    insert into versions (tenant_id, version, actor_kind, origin)
    select id, version, 'operator', 'cli' from tenants where id = any (${ids})
  `);
  for (const table of TABLES) {
    const columns = sql.identifiers(await ownColumns(db, table));
    await db.run(sql.nothing`
      insert into ${sql.identifier([table])} (tenant_id, ${columns})
      select copy_id, ${columns}
      from ${sql.identifier([table])}, unnest(${ids}) as copies (copy_id)
      where tenant_id = ${originId}
    `);
  }
  const head = await db.one(sql.value(v.string())`
    select head from snapshots where tenant_id = ${originId}
  `);
  const heads = column(copies, (copy) => headFor(head, copy), 'text');
  await db.run(sql.nothing`
    insert into snapshots (tenant_id, version, format, head)
    select n.id, origin.version, origin.format, n.head
    from snapshots as origin, unnest(${ids}, ${heads}) as n (id, head)
    where origin.tenant_id = ${originId}
  `);
  return copies.length;
}

const belongingsSchema = v.object({
  name: v.string(),
  sections: v.number(),
  dishes: v.number(),
  wineries: v.number(),
  users: v.number(),
  tokens: v.number(),
});
/** The rows that would be deleted with a tenant. */
export type Belongings = v.InferOutput<typeof belongingsSchema>;

/** The name of a tenant and how much it has, records included that are deleted and restorable. */
export function countBelongings(db: Db, tenantId: number): Promise<Belongings> {
  const count = (table: string) => sql.fragment`(
    select count(*)::int from ${sql.identifier([table])} where tenant_id = ${tenantId}
  ) as ${sql.identifier([table])}`;
  return db.one(sql.type(belongingsSchema)`
    select name, ${count('sections')}, ${count('dishes')}, ${count('wineries')}, ${count('users')},
      ${count('tokens')}
    from settings where tenant_id = ${tenantId}
  `);
}

/** Tables with rows of tenants that are written too often to be tied to the tenant by a foreign key. */
const LOOSE_TABLES = [
  'analytics_events',
  'analytics_event_ids',
  'analytics_visits',
  'event_budgets',
  'event_shares',
  'limit_windows',
] as const;

/**
 * Deletes a tenant and every row that belongs to it, for good. It belongs in a transaction: of raw
 * events every partition is read, however long that takes. The tenant comes last, so that others wait
 * for its row no longer than they must.
 */
export async function deleteTenant(db: Db, tenantId: number): Promise<void> {
  await db.run(sql.nothing`set local statement_timeout = 0`);
  for (const table of LOOSE_TABLES) {
    await db.run(sql.nothing`
      delete from ${sql.identifier([table])} where tenant_id = ${tenantId}
    `);
  }
  await db.run(sql.nothing`delete from tenants where id = ${tenantId}`);
}

/** The hours of a restaurant as its settings have them. */
export const houseHoursSchema = v.object({
  opening_hours: v.array(
    v.object({
      weekdays: v.nullable(v.array(v.number())),
      time_start: v.string(),
      time_end: v.string(),
    }),
  ),
  closures: v.array(v.object({ date_start: v.string(), date_end: v.nullable(v.string()) })),
  special_hours: v.array(
    v.object({ date: v.string(), time_start: v.string(), time_end: v.string() }),
  ),
});
export type HouseHours = v.InferOutput<typeof houseHoursSchema>;

/** When the house is open, as its settings say. */
export function findHouseHours(db: Db, tenantId: number): Promise<HouseHours> {
  return db.one(sql.type(houseHoursSchema)`
    select opening_hours, closures, special_hours from settings where tenant_id = ${tenantId}
  `);
}

import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { versionNoticeSchema } from '../schema/notices.ts';

const formerPriceSchema = v.object({ id: v.number(), price: v.number() });

/** Versions of a day that are looked at; those before them count as another day's. */
const MAX_VERSIONS = 200;

/**
 * The prices that dishes had before their first change since a moment, by the dishes' ids.
 *
 * @param limit of dishes
 */
export async function findFormerPrices(db: Db, tenantId: number, since: Date, limit: number) {
  const rows = await db.any(sql.type(formerPriceSchema)`
    select distinct on (1) (c.change ->> 'id')::int as id,
      (c.change -> 'fields' -> 'price' ->> 0)::float8 as price
    from (
      select version, part, changes from versions
      where tenant_id = ${tenantId} and at >= ${since.toISOString()} and changed > 0
      order by version desc, part desc limit ${MAX_VERSIONS}
    ) v
    cross join lateral jsonb_array_elements(v.changes) as c (change)
    where c.change ->> 'resource' = 'items' and c.change ->> 'action' = 'changed'
      and jsonb_typeof(c.change -> 'fields' -> 'price' -> 0) = 'number'
    order by 1, v.version, v.part limit ${limit}
  `);
  return new Map(rows.map(({ id, price }) => [id, price]));
}

const presentSchema = v.object({
  id: v.number(),
  slug: v.string(),
  version: v.number(),
});

/** The present versions of tenants, by id; a tenant that is gone is missing. */
export async function findVersions(db: Db, tenantIds: readonly number[]) {
  const rows = await db.any(sql.type(presentSchema)`
    select id, slug, version from tenants
    where id = any (${sql.array(tenantIds, 'int4')}) and suspended_at is null
  `);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The same by slug; a slug of no tenant is missing. */
export async function findVersionsOf(db: Db, slugs: readonly string[]) {
  const rows = await db.any(sql.type(presentSchema)`
    select id, slug, version from tenants
    where slug = any (${sql.array(slugs, 'text')}) and suspended_at is null
  `);
  return new Map(rows.map((row) => [row.slug, row]));
}

/** The present versions of tenants, by slug; a slug of no tenant is missing. */
export async function findBuiltVersions(db: Db, slugs: readonly string[]) {
  const rows = await db.any(sql.type(versionNoticeSchema)`
    select t.id as tenant_id, t.slug, t.version,
      coalesce(n.head::json ->> 'generatedAt', '') as generated_at
    from tenants t left join snapshots n on n.tenant_id = t.id
    where t.slug = any (${sql.array(slugs, 'text')})
  `);
  return new Map(rows.map((row) => [row.slug, row]));
}

/**
 * Names the timeline of versions in the database. Another one may lack the last versions of this one
 * and give their numbers again. A standby that is promoted begins another timeline. A backup that is
 * restored has another database or other tables. Behind a name there may be another server. One that
 * has started anew may have lost what was not on disk, or have got other files. Null while the server
 * writes nothing.
 */
export function findTimeline(db: Db): Promise<string | null> {
  return db.one(sql.value(v.nullable(v.string()))`
    select case when not pg_is_in_recovery() then
      concat_ws('/', (select system_identifier from pg_control_system()),
        left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
        extract(epoch from pg_postmaster_start_time()),
        (select oid from pg_database where datname = current_database()),
        'tenants'::regclass::oid)
    end as timeline
  `);
}

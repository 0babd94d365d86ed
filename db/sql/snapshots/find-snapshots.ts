import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { FALLBACK_LOCALE, type Locale, localeSchema } from '../../schema/locale.ts';
import { headSchema, SNAPSHOT_FORMAT, TEMPLATE_SEPARATOR } from './stored-menu.ts';

const storedMenuFields = {
  tenant_id: v.number(),
  slug: v.string(),
  default_locale: localeSchema,
  supported_locales: v.array(localeSchema),
  timezone: v.string(),
  embed_origins: v.string(),
  /** Null while the snapshot is of another format: one of the two is yet to be upgraded. */
  head: v.nullable(headSchema),
  /** Those templates of sections that have changed since the version that is held already. */
  templates: v.nullable(v.string()),
};
const storedSnapshotSchema = v.object({
  ...storedMenuFields,
  locale: localeSchema,
});
const changedSnapshotSchema = v.object(storedMenuFields);

/** The stored menu of a tenant, and the locale in which a request is answered from it. */
export type StoredSnapshot = v.InferOutput<typeof storedSnapshotSchema>;
/** The stored menu of a tenant for all its locales. */
export type ChangedSnapshot = v.InferOutput<typeof changedSnapshotSchema>;

const columns = sql.fragment`
  t.id as tenant_id, t.slug, s.default_locale, s.supported_locales, s.timezone,
  s.embed_origins, n.head
`;

/** @param since whatever was changed later; nothing without a snapshot of the present format */
function templates(since: number) {
  return sql.fragment`(
    select string_agg(p.template, ${TEMPLATE_SEPARATOR}) from snapshot_sections p
    where p.tenant_id = n.tenant_id and p.version > ${since}
  ) as templates`;
}

/**
 * The snapshot from which a request is answered, found by the tenant's slug in one statement: the
 * requested locale where the restaurant has it, Italian where it does not, the default where none
 * was asked for. Null when there is no such tenant.
 */
export function findSnapshot(
  db: Db,
  slug: string,
  requested: Locale | null,
): Promise<StoredSnapshot | null> {
  return db.maybeOne(sql.prepared('find-snapshot', storedSnapshotSchema)`
    select ${columns}, ${templates(-1)}, wanted.locale
    from tenants t
    join settings s on s.tenant_id = t.id
    cross join lateral (
      select case
        when ${requested}::text is null then s.default_locale
        when ${requested}::text = any (s.supported_locales) then ${requested}::text
        else ${FALLBACK_LOCALE}
      end as locale
    ) wanted
    left join snapshots n on n.tenant_id = t.id and n.format = ${SNAPSHOT_FORMAT}
    where t.slug = ${slug}
  `);
}

/**
 * A tenant's present snapshot with the templates that have changed since a version; null when there
 * is no such tenant.
 */
export function findChangedSnapshot(
  db: Db,
  tenantId: number,
  since: number,
): Promise<ChangedSnapshot | null> {
  return db.maybeOne(sql.prepared('find-changed-snapshot', changedSnapshotSchema)`
    select ${columns}, ${templates(since)}
    from tenants t
    join settings s on s.tenant_id = t.id
    left join snapshots n on n.tenant_id = t.id and n.format = ${SNAPSHOT_FORMAT}
    where t.id = ${tenantId}
  `);
}

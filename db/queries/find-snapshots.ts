import * as v from 'valibot';
import { type Db, sql } from '../connection.ts';
import { FALLBACK_LOCALE, type Locale, localeSchema } from '../records/locale.ts';
import { SNAPSHOT_FORMAT } from '../snapshot/pack.ts';

const storedSnapshotSchema = v.object({
  tenant_id: v.number(),
  slug: v.string(),
  default_locale: localeSchema,
  supported_locales: v.array(localeSchema),
  timezone: v.string(),
  locale: localeSchema,
  /** Null while a worker has not yet rebuilt a snapshot of an older format. */
  pack: v.nullable(v.instance(Buffer)),
});
export type StoredSnapshot = v.InferOutput<typeof storedSnapshotSchema>;

const columns = sql.fragment`
  t.id as tenant_id, t.slug, s.default_locale, s.supported_locales, s.timezone,
  wanted.locale, n.pack
`;

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
  return db.maybeOne(sql.type(storedSnapshotSchema)`
    select ${columns}
    from tenants t
    join settings s on s.tenant_id = t.id
    cross join lateral (
      select case
        when ${requested}::text is null then s.default_locale
        when ${requested}::text = any (s.supported_locales) then ${requested}::text
        else ${FALLBACK_LOCALE}
      end as locale
    ) wanted
    left join snapshots n
      on n.tenant_id = t.id and n.locale = wanted.locale and n.format = ${SNAPSHOT_FORMAT}
    where t.slug = ${slug}
  `);
}

/** The tenant's present snapshots in those of `locales` that it still has. */
export function findSnapshots(
  db: Db,
  tenantId: number,
  locales: readonly Locale[],
): Promise<readonly StoredSnapshot[]> {
  return db.any(sql.type(storedSnapshotSchema)`
    select ${columns}
    from tenants t
    join settings s on s.tenant_id = t.id
    cross join unnest(${sql.array([...locales], 'text')}) as wanted (locale)
    join snapshots n
      on n.tenant_id = t.id and n.locale = wanted.locale and n.format = ${SNAPSHOT_FORMAT}
    where t.id = ${tenantId}
  `);
}

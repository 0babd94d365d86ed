import * as v from 'valibot';
import { type Db, sql } from '../connection.ts';
import { FALLBACK_LOCALE, type Locale, localeSchema } from '../records/locale.ts';
import { headSchema, SNAPSHOT_FORMAT, TEXT_SEPARATOR } from '../snapshot/parts.ts';

const storedSnapshotSchema = v.object({
  tenant_id: v.number(),
  slug: v.string(),
  default_locale: localeSchema,
  supported_locales: v.array(localeSchema),
  timezone: v.string(),
  locale: localeSchema,
  /** Null while a worker has not yet rebuilt a snapshot of an older format. */
  head: v.nullable(headSchema),
  /** Those parts that have changed since the version that is held already. */
  parts: v.nullable(v.string()),
  encodings: v.nullable(v.instance(Buffer)),
});
export type StoredSnapshot = v.InferOutput<typeof storedSnapshotSchema>;

const columns = sql.fragment`
  t.id as tenant_id, t.slug, s.default_locale, s.supported_locales, s.timezone,
  wanted.locale, n.head, n.encodings, (
    select string_agg(p.part, ${TEXT_SEPARATOR}) from snapshot_sections p
    where p.tenant_id = t.id and p.locale = wanted.locale and p.version > wanted.since
  ) as parts
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
  return db.maybeOne(sql.prepared('find-snapshot', storedSnapshotSchema)`
    select ${columns}
    from tenants t
    join settings s on s.tenant_id = t.id
    cross join lateral (
      select -1 as since, case
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

/** A snapshot that is held in some version. */
export interface HeldVersion {
  locale: Locale;
  version: number;
}

/**
 * The tenant's present snapshots in those locales that it still has, each with the parts that have
 * changed since the version that is held of it.
 */
export function findSnapshots(
  db: Db,
  tenantId: number,
  held: readonly HeldVersion[],
): Promise<readonly StoredSnapshot[]> {
  const locales = held.map(({ locale }) => locale);
  const versions = held.map(({ version }) => version);
  return db.any(sql.prepared('find-snapshots', storedSnapshotSchema)`
    select ${columns}
    from tenants t
    join settings s on s.tenant_id = t.id
    cross join unnest(${sql.array(locales, 'text')}, ${sql.array(versions, 'int8')})
      as wanted (locale, since)
    join snapshots n
      on n.tenant_id = t.id and n.locale = wanted.locale and n.format = ${SNAPSHOT_FORMAT}
    where t.id = ${tenantId}
  `);
}

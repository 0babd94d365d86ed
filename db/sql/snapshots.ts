import * as v from 'valibot';
import {
  column,
  type Db,
  type Fragment,
  type Statement,
  sql,
  TEXT_SEPARATOR,
  textColumn,
} from '../postgres/sql.ts';
import { type VersionNotice, versionsChannel } from '../schema/notices.ts';
import { type Locale, localeSchema, type RequestedLocale } from '../schema/values/locale.ts';
import { mainHost } from './hosts.ts';
import { writeRecords } from './records.ts';
import { isOpenRelease } from './releases.ts';

/** Raised when what an earlier build stored cannot be read any more, or gives other answers. */
const SNAPSHOT_FORMAT = 11;

/** Between the templates of sections that a statement returns as one text. */
export const TEMPLATE_SEPARATOR = TEXT_SEPARATOR;

/** A section and the sections below it, in display order. */
export type Branch = [id: number, children: Branch[]];

/** The parts of a menu around its sections, and the order of the sections. */
export interface MenuHead {
  version: number;
  /** ISO 8601 with offset: the time at which the menu was built. */
  generatedAt: string;
  /** Finished JSON in each of the locales. */
  settings: Partial<Record<Locale, string>>;
  theme: Partial<Record<Locale, string>>;
  /** The sections in the order of `/menu` and `/items`. */
  order: number[];
  /** The sections as `/categories` nests them. */
  tree: Branch[];
  /** The locales that the restaurant is served in. */
  locales: Locale[];
  defaultLocale: Locale;
  fallbackLocale: Locale;
}

/** A head in the database is written by our own build, in the same format: its JSON is not checked. */
export const headSchema = v.pipe(
  v.string(),
  v.transform((text): MenuHead => JSON.parse(text)),
);

const storedMenuFields = {
  tenant_id: v.number(),
  slug: v.string(),
  /** The host that links name; null: its slug below the domain. */
  host: v.nullable(v.string()),
  default_locale: localeSchema,
  supported_locales: v.array(localeSchema),
  fallback_locale: localeSchema,
  currency: v.string(),
  timezone: v.string(),
  embed_origins: v.string(),
  /** Null while the snapshot is of another format: one of the two is yet to be upgraded. */
  head: v.nullable(headSchema),
  /** Those templates of sections that have changed since the version that is held already. */
  templates: v.nullable(v.string()),
};
/** So long is a text of several templates: a longer one takes more memory, and longer to make. */
const TEMPLATES_LENGTH = 262_144;

/** A cold menu in the default locale, as far as a gateway needs it. */
export interface ColdMenu {
  /** Of the plain answer, quotes included. */
  etag: string;
  /** The answer to `/menu`, compressed by brotli. */
  br: Buffer;
  /** JSON of its sections, compressed likewise: `db/snapshot/cold-menu.ts` writes and reads it. */
  about: Buffer;
}

const bytesSchema = v.nullable(v.instance(Buffer<ArrayBufferLike>));
const storedMenuSchema = v.object(storedMenuFields);

/** The stored menu of a tenant for all its locales. */
export interface ChangedSnapshot extends Omit<v.InferOutput<typeof storedMenuSchema>, 'templates'> {
  /** Texts of some templates each. */
  templates: readonly string[];
}
/** The stored menu of a tenant, and the locale in which a request is answered from it. */
export interface StoredSnapshot extends ChangedSnapshot {
  locale: Locale;
  /** In the default locale, where the menu is cold; it has no templates then. */
  cold: ColdMenu | null;
}

const columns = sql.fragment`
  t.id as tenant_id, t.slug, ${mainHost} as host, s.default_locale, s.supported_locales,
  s.fallback_locale, s.currency, s.timezone, s.embed_origins
`;

/** All templates; nothing without a snapshot of the present format. */
const templates = sql.fragment`(
  select string_agg(p.template, ${TEMPLATE_SEPARATOR}) from snapshot_sections p
  where p.tenant_id = n.tenant_id
)`;

/** A restaurant’s menu in a language; null asks for its default one. */
export interface SnapshotAsk {
  slug: string;
  requested: RequestedLocale | null;
}

const askedSchema = v.pipe(
  v.object({
    /** The place of the question, from 1. */
    n: v.number(),
    ...storedMenuFields,
    locale: localeSchema,
    etag: v.nullable(v.string()),
    br: bytesSchema,
    about: bytesSchema,
  }),
  v.transform(({ etag, br, about, templates, ...row }) => ({
    ...row,
    templates: templates === null ? [] : [templates],
    cold: etag !== null && br && about ? { etag, br, about } : null,
  })),
);

/**
 * The snapshots from which requests are answered, found by their tenants' slugs in one statement: the
 * requested locale where the restaurant has it, its fallback where it does not, the default where none
 * was asked for. In the order of `asks`; null where there is no such tenant.
 */
export async function findSnapshots(db: Db, asks: readonly SnapshotAsk[]) {
  const rows = await db.any(sql.prepared('find-snapshots', askedSchema)`
    select a.n::int4 as n, ${columns}, n.head, wanted.locale, r.etag, r.br, r.about,
      case when r.br is null then ${templates} end as templates
    from unnest(
      ${column(asks, ({ slug }) => slug, 'text')},
      ${column(asks, ({ requested }) => requested, 'text')}
    ) with ordinality as a (slug, requested, n)
    join tenants t on t.slug = a.slug and t.suspended_at is null
    join settings s on s.tenant_id = t.id
    cross join lateral (
      select case
        when a.requested is null then s.default_locale
        when a.requested = any (s.supported_locales) then a.requested
        else s.fallback_locale
      end as locale
    ) wanted
    left join snapshots n on n.tenant_id = t.id and n.format = ${SNAPSHOT_FORMAT}
    left join rested_menus r on r.tenant_id = t.id and r.version = n.version
      and wanted.locale = s.default_locale
  `);
  const found = new Map(rows.map(({ n, ...stored }) => [n, stored]));
  return asks.map((_, index) => found.get(index + 1) ?? null);
}

/**
 * A tenant's present snapshot with the templates that have changed since a version; null when there
 * is no such tenant.
 */
export async function findChangedSnapshot(db: Db, tenantId: number, since: number) {
  const rows = await db.any(sql.prepared('find-changed-snapshot', storedMenuSchema)`
    select ${columns}, case when p.at is null or p.at = 0 then n.head end as head, p.templates
    from tenants t
    join settings s on s.tenant_id = t.id
    left join snapshots n on n.tenant_id = t.id and n.format = ${SNAPSHOT_FORMAT}
    left join lateral (
      select row_number() over () - 1 as at, string_agg(x.template, ${TEMPLATE_SEPARATOR}) as templates
      from (
        select template,
          sum(octet_length(template)) over (order by section_id) / ${TEMPLATES_LENGTH}::int as text
        from snapshot_sections where tenant_id = n.tenant_id and version > ${since}
      ) x
      group by x.text
    ) p on true
    where t.id = ${tenantId}
  `);
  const head = rows.find((row) => row.head !== null)?.head ?? null;
  const [first] = rows;
  return first ? { ...first, head, templates: rows.flatMap((row) => row.templates ?? []) } : null;
}

const tenantHeadSchema = v.object({
  tenant_id: v.number(),
  slug: v.string(),
  host: v.nullable(v.string()),
  default_locale: localeSchema,
  fallback_locale: localeSchema,
  currency: v.string(),
  /** Null while the snapshot is of another format. */
  head: v.nullable(headSchema),
  suspended: v.boolean(),
  suspension_reason: v.nullable(v.string()),
});
export type StoredHead = v.InferOutput<typeof tenantHeadSchema>;

/**
 * Restaurants without their sections, by slug; a slug without a tenant is missing.
 *
 * @param suspended which are wanted: those that are served, or those that are suspended
 */
export async function findHeads(db: Db, slugs: readonly string[], suspended = false) {
  const rows = await db.any(sql.type(tenantHeadSchema)`
    select t.id as tenant_id, t.slug, ${mainHost} as host, s.default_locale, s.fallback_locale,
      s.currency, n.head, t.suspended_at is not null as suspended, t.suspension_reason
    from tenants t
    join settings s on s.tenant_id = t.id
    left join snapshots n on n.tenant_id = t.id and n.format = ${SNAPSHOT_FORMAT}
    where t.slug = any (${sql.array(slugs, 'text')}) and (t.suspended_at is not null) = ${suspended}
  `);
  return new Map(rows.map((row) => [row.slug, row]));
}

/** Up to `limit` tenants above the id `after` without snapshots of the present format, by id. */
export function findOutdatedTenants(db: Db, after: number, limit: number) {
  return db.any(sql.value(v.number())`
    select id from tenants t where id > ${after} and not exists (
      select from snapshots n where n.tenant_id = t.id and n.format = ${SNAPSHOT_FORMAT}
    )
    order by id limit ${limit}
  `);
}

const builtSchema = v.object({ tenant_id: v.number(), built_at: v.date() });

/**
 * When the stored snapshots of tenants were built, by the tenants' ids; without those that are of
 * another format, or of another version than the menu.
 */
export async function findBuiltAt(db: Db, tenantIds: readonly number[]) {
  const rows = await db.any(sql.type(builtSchema)`
    select t.id as tenant_id, (n.head::json ->> 'generatedAt')::timestamptz as built_at
    from snapshots n join tenants t on t.id = n.tenant_id and t.version = n.version
    where n.tenant_id = any (${sql.array(tenantIds, 'int4')}) and n.format = ${SNAPSHOT_FORMAT}
  `);
  return new Map(rows.map((row) => [row.tenant_id, row.built_at]));
}

/** A version of a tenant's snapshots, as far as it differs from what is stored. */
export interface SnapshotChange {
  /** For the gateways. */
  notice: VersionNotice;
  /** As JSON. */
  head: string;
  /** Sections that are new or changed. */
  sections: { id: number; template: string }[];
  /** All sections that there are: what is stored of others goes. Null: nothing has to go. */
  sectionIds: readonly number[] | null;
}

/** Deletes the stored sections that a menu has no more. */
function deleteGone(changes: readonly SnapshotChange[]): Fragment {
  const counted = changes.filter(({ sectionIds }) => sectionIds !== null);
  if (counted.length === 0) return sql.fragment``;
  const kept = counted.flatMap(({ notice, sectionIds }) =>
    (sectionIds ?? []).map((id) => ({ id, tenantId: notice.tenant_id })),
  );
  return sql.fragment`gone as (
    delete from snapshot_sections s
    where s.tenant_id = any (${column(counted, ({ notice }) => notice.tenant_id, 'int4')})
      and (s.tenant_id, s.section_id) not in (
        select * from unnest(
          ${column(kept, ({ tenantId }) => tenantId, 'int4')},
          ${column(kept, ({ id }) => id, 'int4')}
        )
      )
  ),`;
}

type SavedSection = SnapshotChange['sections'][number] & VersionNotice;

/** Sections in portions, so that no statement takes long to make. */
function* sectionPortions(sections: readonly SavedSection[]): Generator<SavedSection[]> {
  let portion: SavedSection[] = [];
  let length = 0;
  for (const section of sections) {
    portion.push(section);
    length += section.template.length;
    if (length < TEMPLATES_LENGTH) continue;
    yield portion;
    portion = [];
    length = 0;
  }
  yield portion;
}

function saveSections(sections: readonly SavedSection[]): Fragment {
  return sql.fragment`
    insert into snapshot_sections (tenant_id, section_id, version, template)
    select * from unnest(
      ${column(sections, ({ tenant_id }) => tenant_id, 'int4')},
      ${column(sections, ({ id }) => id, 'int4')},
      ${column(sections, ({ version }) => version, 'int8')},
      ${textColumn(sections, ({ template }) => template)}
    )
    on conflict (tenant_id, section_id) do update
      set version = excluded.version, template = excluded.template
      where snapshot_sections.template <> excluded.template
  `;
}

function* sectionStatements(portions: readonly SavedSection[][]): Generator<Fragment> {
  for (const portion of portions) yield saveSections(portion);
}

/**
 * Brings tenants and their stored snapshots to a version each, which is announced when the transaction
 * commits.
 *
 * @param changes one at least, each of another tenant
 */
export async function saveSnapshots(db: Db, changes: readonly SnapshotChange[]): Promise<void> {
  const sections = changes.flatMap(({ notice, sections }) =>
    sections.map((section) => ({ ...section, ...notice })),
  );
  const portions = [...sectionPortions(sections)];
  const last = portions.pop() ?? [];
  await writeRecords(db, sectionStatements(portions));
  await db.run(finalStatement(changes, last));
}

/** The statement that does it, with the sections that are not saved yet. */
function finalStatement(
  changes: readonly SnapshotChange[],
  sections: readonly SavedSection[],
): Statement {
  return sql.nothing`
    with given as materialized (
      select * from unnest(
        ${column(changes, ({ notice }) => notice.tenant_id, 'int4')},
        ${column(changes, ({ notice }) => notice.version, 'int8')},
        ${textColumn(changes, ({ head }) => head)},
        ${textColumn(changes, ({ notice }) => JSON.stringify(notice))}
      ) as n (tenant_id, version, head, notice)
    ), bumped as (
      update tenants t set version = given.version from given
      where t.id = given.tenant_id and t.version <> given.version
    ), ${deleteGone(changes)} saved_sections as (${saveSections(sections)}), unchecked as (
      update releases r set is_checked = false from given
      where r.tenant_id = given.tenant_id and ${isOpenRelease} and r.is_checked
    ), saved as (
      insert into snapshots (tenant_id, version, format, head)
      select tenant_id, version, ${SNAPSHOT_FORMAT}::int, head from given
      on conflict (tenant_id) do update
        set version = excluded.version, format = excluded.format, head = excluded.head
    )
    select from given, pg_notify(${versionsChannel}, given.notice)
  `;
}

const claimedSchema = v.object({ tenant_id: v.number(), version: v.number() });
type ClaimedMenu = v.InferOutput<typeof claimedSchema>;

/**
 * Up to `limit` menus that nothing has changed for `rest` ms and that are not cold. No other caller
 * is given the same version: its row stands there without bytes.
 */
export function claimMenusToCool(db: Db, rest: number, limit: number) {
  return db.any(sql.type(claimedSchema)`
    insert into rested_menus as r (tenant_id, version)
    select n.tenant_id, n.version
    from snapshots n
    left join rested_menus r using (tenant_id)
    where n.format = ${SNAPSHOT_FORMAT} and r.version is distinct from n.version
      and not exists (
        select from versions v
        where v.tenant_id = n.tenant_id and v.version = n.version
          and v.at > now() - ${rest} * interval '1 ms'
      )
    limit ${limit}
    on conflict (tenant_id) do update
      set version = excluded.version, etag = null, br = null, about = null
      where r.version <> excluded.version
    returning r.tenant_id, r.version
  `);
}

/** Stores the bytes of a claimed menu, unless another version was claimed since. */
export async function saveColdMenu(
  db: Db,
  { tenant_id, version }: ClaimedMenu,
  { etag, br, about }: ColdMenu,
): Promise<void> {
  await db.run(sql.nothing`
    update rested_menus set etag = ${etag}, br = ${sql.binary(br)}, about = ${sql.binary(about)}
    where tenant_id = ${tenant_id} and version = ${version}
  `);
}

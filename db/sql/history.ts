import * as v from 'valibot';
import { type Db, type Fragment, sql, textColumn } from '../postgres/sql.ts';
import { inSlices } from '../runtime/in-slices.ts';
import { jsonTextInSteps } from '../runtime/write-json.ts';
import type { Resource } from '../schema/values/resource.ts';
import {
  type Actor,
  type Change,
  type ChangeAction,
  countChanges,
  type NewEntry,
  originSchema,
} from '../schema/version.ts';

// The journal (`versions`): who changed what in each version of a menu.

/** The bytes of a difference that is shown among others. */
const STORY_ENTRY_BYTES = 8_192;

/** Versions of a history that one statement reads, and the bytes of their differences as stored. */
const HISTORY_PAGE_VERSIONS = 100;
const HISTORY_PAGE_BYTES = 1_048_576;

/** The entries of one version of a restaurant. */
export interface VersionEntries {
  tenantId: number;
  version: number;
  /** In the order in which they changed the menu; one at least. */
  entries: readonly NewEntry[];
}

function rowOf({ actor, origin, jobId, confirmedBy, changes }: NewEntry, part: number) {
  return {
    ...{ part, actor_kind: actor.kind, actor_id: actor.id, given_name: actor.name ?? null },
    ...{ origin, job_id: jobId },
    ...{ confirmed_by: confirmedBy ?? null, ...countChanges(changes ?? []) },
  };
}

const columns = sql.fragment`
  part, actor_kind, actor_id, origin, job_id, confirmed_by, created, changed, deleted, restored
`;
const columnTypes = sql.fragment`
  part int, actor_kind text, actor_id int, origin text, job_id uuid, confirmed_by text,
  created int, changed int, deleted int, restored int
`;

/** Names an actor as it is called now; `n` is the row that is inserted. */
const actorName = sql.fragment`
  coalesce(n.given_name, case n.actor_kind
    when 'token' then (
      select name from tokens k where k.tenant_id = n.tenant_id and k.id = n.actor_id
    )
    when 'user' then (
      select coalesce(nullif(u.name, ''), u.email) from users u where u.tenant_id = n.tenant_id and u.id = n.actor_id
    )
  end)
`;

/** The differences of entries as JSON; a long one takes some steps. */
function* differencesInSteps(entries: readonly NewEntry[]): Generator<void, string[]> {
  const texts: string[] = [];
  for (const { changes } of entries) texts.push(yield* jsonTextInSteps(changes));
  return texts;
}

/**
 * Saves the entries of versions, in the transaction that makes these. Differences travel beside the
 * rows: Postgres would read those in the rows three times.
 */
export async function saveEntries(db: Db, versions: readonly VersionEntries[]): Promise<void> {
  const rows = versions.flatMap(({ tenantId, version, entries }) =>
    entries.map((entry, part) => ({ tenant_id: tenantId, version, ...rowOf(entry, part) })),
  );
  const all = versions.flatMap(({ entries }) => entries);
  const differences = await inSlices(differencesInSteps(all));
  await db.run(sql.nothing`
    insert into versions (tenant_id, version, actor_name, ${columns}, changes)
    select tenant_id, version, ${actorName}, ${columns}, nullif(changes, 'null')::jsonb
    from rows from (
      json_to_recordset(${JSON.stringify(rows)}::json)
        as (tenant_id int, version bigint, given_name text, ${columnTypes}),
      unnest(${textColumn(differences, (text) => text)})
    ) as n (tenant_id, version, given_name, ${columns}, changes)
  `);
}

const spanSchema = v.object({
  latest: v.number(),
  /** The first version whose menu is known; the present one where nothing is kept. */
  oldest: v.number(),
  /** Whether the difference is known that made the first version. */
  is_oldest_whole: v.boolean(),
});
/** How far a restaurant's history goes back. */
export type HistorySpan = v.InferOutput<typeof spanSchema>;

/** @returns null when there is no such restaurant */
export function findHistorySpan(db: Db, tenantId: number): Promise<HistorySpan | null> {
  return db.maybeOne(sql.type(spanSchema)`
    select t.version as latest, coalesce(o.version, t.version) as oldest,
      o.changes is not null as is_oldest_whole
    from tenants t left join lateral (
      select version, changes from versions where tenant_id = t.id order by version, part limit 1
    ) o on true
    where t.id = ${tenantId}
  `);
}

/** Which versions: later than one, or earlier. */
interface VersionRange {
  after?: number | undefined;
  before?: number | undefined;
}

/** The rows of versions of a restaurant, some versions at most and so many bytes of differences. */
function entriesOf(
  tenantId: number,
  { after = 0, before }: VersionRange,
  direction: Fragment,
  maxVersions: number,
  maxBytes: number,
): Fragment {
  const end = before === undefined ? sql.fragment`` : sql.fragment`and version < ${before}`;
  return sql.fragment`(
    select * from (
      select v.*, rank() over (order by v.version ${direction}) as place,
        sum(coalesce(pg_column_size(v.changes), 0)) over (order by v.version ${direction}) as bytes
      from versions v
      where v.tenant_id = ${tenantId} and v.version in (
        select distinct version from versions
        where tenant_id = ${tenantId} and version > ${after} ${end}
        order by version ${direction} limit ${maxVersions}
      )
    ) s
    where place = 1 or bytes <= ${maxBytes}
  ) v`;
}

const ascending = sql.fragment`asc`;
const descending = sql.fragment`desc`;

const actorEntries = {
  actor_kind: v.picklist(['token', 'user', 'operator', 'clock']),
  actor_id: v.nullable(v.number()),
  actor_name: v.nullable(v.string()),
};
const entrySchema = v.pipe(
  v.object({
    ...{ version: v.number(), part: v.number(), at: v.date(), ...actorEntries },
    ...{ origin: originSchema, job_id: v.nullable(v.string()) },
    confirmed_by: v.nullable(v.string()),
    ...{ created: v.number(), changed: v.number(), deleted: v.number(), restored: v.number() },
    /** Finished JSON; null where it was not asked for. */
    changes: v.nullable(v.string()),
  }),
  v.transform(({ actor_kind, actor_id, actor_name, job_id, confirmed_by, changes, ...row }) => {
    const { created, changed, deleted, restored, ...rest } = row;
    const actor: Actor = { kind: actor_kind, id: actor_id, name: actor_name };
    const counts = { created, changed, deleted, restored };
    return { head: { ...rest, actor, counts, job_id, confirmed_by }, changes };
  }),
);
export type HistoryEntry = v.InferOutput<typeof entrySchema>;

const entryColumns = sql.fragment`
  v.version, v.part, v.at, v.actor_kind, v.actor_id, v.actor_name, v.origin, v.job_id,
  v.confirmed_by, v.created, v.changed, v.deleted, v.restored
`;

/** Entries of the versions before one, the newest version first, the parts of each in their order. */
export function listEntries(db: Db, tenantId: number, range: VersionRange, maxVersions: number) {
  const rows = entriesOf(tenantId, range, descending, maxVersions, Number.MAX_SAFE_INTEGER);
  return db.any(sql.type(entrySchema)`
    select ${entryColumns}, null::text as changes from ${rows} order by v.version desc, v.part
  `);
}

/**
 * Entries of the versions after one with their differences, the oldest first: all parts of some
 * versions, `maxVersions` at most, and fewer where their differences are long.
 */
export function readForward(db: Db, tenantId: number, range: VersionRange, maxVersions: number) {
  const rows = entriesOf(tenantId, range, ascending, maxVersions, HISTORY_PAGE_BYTES);
  return db.any(sql.type(entrySchema)`
    select ${entryColumns}, coalesce(v.changes, '[]')::text as changes
    from ${rows} order by v.version, v.part
  `);
}

/** The parts of one version; none when it is not kept. */
export function findVersion(db: Db, tenantId: number, version: number) {
  return db.any(sql.type(entrySchema)`
    select ${entryColumns}, coalesce(v.changes, '[]')::text as changes from versions v
    where v.tenant_id = ${tenantId} and v.version = ${version} order by v.part
  `);
}

/** Which entries a page of the history shows. */
export interface StoryFilter {
  /** Only versions before this one. */
  before: number | null;
  actor: Pick<Actor, 'kind' | 'id'> | null;
  /** Entries that have a record with this action. */
  action: ChangeAction | null;
  record: { resource: Resource; id: number } | null;
  /** Entries that have a record whose name contains it, in the restaurant's language. */
  name: string | null;
}

/** The last entries that a filter shows, with their differences where these are short. */
export function listStory(
  db: Db,
  tenantId: number,
  { before, actor, action, record, name }: StoryFilter,
  limit: number,
): Promise<readonly HistoryEntry[]> {
  const wanted = sql.and(
    before !== null && sql.fragment`v.version < ${before}`,
    actor &&
      sql.fragment`v.actor_kind = ${actor.kind} and v.actor_id is not distinct from ${actor.id}`,
    action && sql.fragment`${sql.identifier(['v', action])} > 0`,
    record && sql.fragment`v.changes @> ${JSON.stringify([record])}::jsonb`,
    name !== null &&
      sql.fragment`exists (
        select from jsonb_array_elements(v.changes) c
        where strpos(lower(c->>'name'), lower(${name})) > 0
      )`,
  );
  return db.any(sql.type(entrySchema)`
    select ${entryColumns}, case when pg_column_size(v.changes) <= ${STORY_ENTRY_BYTES}
      then v.changes::text end as changes
    from versions v where v.tenant_id = ${tenantId} ${wanted}
    order by v.version desc, v.part limit ${limit}
  `);
}

const actorRowSchema = v.object(actorEntries);

/** Those who have changed a menu, as far as its history goes back. */
export async function listActors(db: Db, tenantId: number): Promise<Actor[]> {
  const rows = await db.any(sql.type(actorRowSchema)`
    select actor_kind, actor_id, max(actor_name) as actor_name from versions
    where tenant_id = ${tenantId} group by actor_kind, actor_id order by actor_kind, 3 limit 100
  `);
  return rows.map(({ actor_kind: kind, actor_id: id, actor_name: name }) => ({ kind, id, name }));
}

const entryKeySchema = v.object({ version: v.number(), part: v.number() });

/** The entry of a write, or null. */
export function findEntryOfJob(db: Db, tenantId: number, jobId: string) {
  return db.maybeOne(sql.type(entryKeySchema)`
    select version, part from versions where tenant_id = ${tenantId} and job_id = ${jobId}
  `);
}

const differenceSchema = v.pipe(
  v.object({
    ...{ version: v.number(), at: v.date(), ...actorEntries },
    // A worker wrote them. They may be thousands, and are not checked again.
    changes: v.custom<Change[]>(Array.isArray),
  }),
  v.transform(({ version, at, changes, ...actor }) => {
    const { actor_kind: kind, actor_id: id, actor_name: name } = actor;
    return { version, at, actor: { kind, id, name }, changes };
  }),
);
/** The difference that one write made. */
export type Difference = v.InferOutput<typeof differenceSchema>;

const differenceColumns = sql.fragment`
  v.version, v.at, v.actor_kind, v.actor_id, v.actor_name, coalesce(v.changes, '[]') as changes
`;

/** Differences of the versions of a range, the last change first; some of many. */
export function findDifferences(db: Db, tenantId: number, range: VersionRange) {
  const rows = entriesOf(tenantId, range, descending, HISTORY_PAGE_VERSIONS, HISTORY_PAGE_BYTES);
  return db.any(sql.type(differenceSchema)`
    select ${differenceColumns} from ${rows} order by v.version desc, v.part desc
  `);
}

/** The differences of one version in the order of its parts. @param part null for all of them */
export function findDifferencesOf(db: Db, tenantId: number, version: number, part: number | null) {
  const which = part === null ? sql.fragment`` : sql.fragment`and v.part = ${part}`;
  return db.any(sql.type(differenceSchema)`
    select ${differenceColumns} from versions v
    where v.tenant_id = ${tenantId} and v.version = ${version} ${which} order by v.part
  `);
}

/** The differences of those that share a version and came after a part of it, the last one first. */
export function findLaterParts(db: Db, tenantId: number, version: number, part: number) {
  return db.any(sql.type(differenceSchema)`
    select ${differenceColumns} from versions v
    where v.tenant_id = ${tenantId} and v.version = ${version} and v.part > ${part}
    order by v.part desc
  `);
}

/**
 * Resolves when all that was read before is safe, whatever happens to Postgres: a commit is seen before
 * its wait for a standby is over. A message in the write-ahead log waits behind it.
 */
export async function waitUntilSafe(db: Db): Promise<void> {
  await db.run(sql.nothing`select from pg_logical_emit_message(true, 'lavagna', '')`);
}

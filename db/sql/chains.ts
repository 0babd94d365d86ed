import * as v from 'valibot';
import { column, type Db, type Fragment, pipelined, sql } from '../postgres/sql.ts';
import { type Follow, recordKey } from '../schema/chain.ts';
import { type FieldRules, type PriceList, wholeRules } from '../schema/chain-policy.ts';
import { type Resource, resourceSchema } from '../schema/values/resource.ts';
import type { Following } from './menus.ts';

// Which restaurants belong to a chain, and which records of a branch follow which of its master.

const houseSchema = v.object({ id: v.number(), slug: v.string(), name: v.string() });

/** The master of a branch; null for a restaurant that is no branch. */
export function findMaster(db: Db, tenantId: number) {
  return db.maybeOne(sql.type(houseSchema)`
    select t.id, t.slug, s.name from chain_branches b
    join tenants t on t.id = b.master_id join settings s on s.tenant_id = t.id
    where b.tenant_id = ${tenantId}
  `);
}

const branchSchema = v.object({
  ...houseSchema.entries,
  /** How many versions of the master's menu it has not taken. */
  behind: v.number(),
  /** How many fields are its own. */
  deviations: v.number(),
});
export type ChainBranch = v.InferOutput<typeof branchSchema>;

/** The branches of a master, by their slugs. */
export function listBranches(db: Db, masterId: number): Promise<readonly ChainBranch[]> {
  return db.any(sql.type(branchSchema)`
    select t.id, t.slug, s.name, m.version - coalesce(b.taken_version, 0) as behind, (
      select count(*)::int from chain_follows f, jsonb_object_keys(f.own_fields)
      where f.tenant_id = b.tenant_id
    ) as deviations
    from chain_branches b
    join tenants m on m.id = b.master_id
    join tenants t on t.id = b.tenant_id join settings s on s.tenant_id = t.id
    where b.master_id = ${masterId} order by t.slug
  `);
}

export function countBranches(db: Db, masterId: number): Promise<number> {
  return db.one(sql.value(v.number())`
    select count(*)::int from chain_branches where master_id = ${masterId}
  `);
}

/** Lets no other transaction change which restaurants belong to chains, until this one ends. */
export async function lockChains(db: Db): Promise<void> {
  await db.run(sql.nothing`
    select from (select pg_advisory_xact_lock(hashtext('lavagna chains'))) locked
  `);
}

export async function insertBranch(db: Db, tenantId: number, masterId: number): Promise<void> {
  await db.run(sql.nothing`
    insert into chain_branches (tenant_id, master_id) values (${tenantId}, ${masterId})
    on conflict (tenant_id) do nothing
  `);
}

/** Lets a branch keep its menu and follow no more. @returns whether it was a branch */
export function deleteBranch(db: Db, tenantId: number): Promise<boolean> {
  return db.touches(sql.nothing`
    delete from chain_branches where tenant_id = ${tenantId}
  `);
}

/** Notes the version of the master's menu that a branch has taken. */
export async function saveTaken(db: Db, tenantId: number, version: number): Promise<void> {
  await db.run(sql.nothing`
    update chain_branches set taken_version = ${version} where tenant_id = ${tenantId}
  `);
}

/** Notes that a branch has values as they were when it had taken a version of its master's menu. */
export async function lowerTaken(db: Db, tenantId: number, version: number): Promise<void> {
  await db.run(sql.nothing`
    update chain_branches set taken_version = least(taken_version, ${version})
    where tenant_id = ${tenantId} and taken_version is not null
  `);
}

/** Workers of our own builds write them: a branch has hundreds, which are not checked again. */
const followsSchema = v.custom<Follow[]>(Array.isArray);

/** The records of a branch that follow others. */
export function listFollows(db: Db, tenantId: number): Promise<readonly Follow[]> {
  return db.one(sql.value(followsSchema)`
    select coalesce(json_agg(f), '[]') from (
      select resource, id, master_id, own_fields from chain_follows where tenant_id = ${tenantId}
    ) f
  `);
}

const termsSchema = v.object({
  percent: v.nullable(v.number()),
  rounding: v.nullable(v.custom<PriceList['rounding']>((one) => typeof one === 'string')),
  fields: v.nullable(v.custom<FieldRules>((one) => typeof one === 'object')),
});

/** The part of a chain that a branch's turn knows, but for the master's menu. */
export async function loadFollowing(
  db: Db,
  tenantId: number,
  masterId: number,
): Promise<Following> {
  const [follows, { percent, rounding, fields }] = await pipelined(
    listFollows(db, tenantId),
    db.one(sql.type(termsSchema)`
      select b.price_percent::float8 as percent, b.price_rounding as rounding, p.fields
      from chain_branches b left join chain_policies p on p.tenant_id = b.master_id
      where b.tenant_id = ${tenantId}
    `),
  );
  return {
    masterId,
    follows: new Map(follows.map((one) => [recordKey(one.resource, one.id), one])),
    rules: wholeRules(fields ?? {}),
    prices: percent === null || rounding === null ? null : { percent, rounding },
    master: null,
    undone: null,
  };
}

/** The rules that a master has set. */
export async function findRules(db: Db, masterId: number): Promise<FieldRules> {
  const found = await db.maybeOne(sql.value(v.custom<FieldRules>((one) => Boolean(one)))`
    select fields from chain_policies where tenant_id = ${masterId}
  `);
  return found ?? {};
}

export async function saveRules(db: Db, masterId: number, rules: FieldRules): Promise<void> {
  await db.run(sql.nothing`
    insert into chain_policies (tenant_id, fields) values (${masterId}, ${JSON.stringify(rules)}::json)
    on conflict (tenant_id) do update set fields = excluded.fields
  `);
}

const priceListSchema = v.object({
  /** Of the branch. */
  id: v.number(),
  branch: v.string(),
  percent: v.number(),
  rounding: v.custom<PriceList['rounding']>((one) => typeof one === 'string'),
});

/** The price lists of a master's branches, by their slugs. */
export function listPriceLists(db: Db, masterId: number) {
  return db.any(sql.type(priceListSchema)`
    select t.id, t.slug as branch, b.price_percent::float8 as percent, b.price_rounding as rounding
    from chain_branches b join tenants t on t.id = b.tenant_id
    where b.master_id = ${masterId} and b.price_percent is not null order by t.slug
  `);
}

/** Gives branches the price lists that they have from now on, the others none. */
export async function savePriceLists(
  db: Db,
  masterId: number,
  lists: readonly (PriceList & { branch: string })[],
): Promise<void> {
  await db.run(sql.nothing`
    with given as (
      select b.tenant_id, n.percent, n.rounding
      from chain_branches b join tenants t on t.id = b.tenant_id
      left join jsonb_to_recordset(${JSON.stringify(lists)}::jsonb)
        as n (branch text, percent numeric, rounding text) on n.branch = t.slug
      where b.master_id = ${masterId}
    )
    update chain_branches b set price_percent = g.percent, price_rounding = g.rounding,
      taken_version = null
    from given g
    where b.tenant_id = g.tenant_id
      and (b.price_percent, b.price_rounding) is distinct from (g.percent, g.rounding)
  `);
}

/** A record that begins to follow, with the fields that are the branch's own from then on. */
export interface NewFollow {
  resource: Resource;
  id: number;
  master_id: number;
  own: readonly string[];
}

/** JSON of own fields by their names: each with its version and moment, and the master's version. */
const marks = (fields: Fragment, tenantId: number, version: number) => sql.fragment`(
  select coalesce(jsonb_object_agg(name, jsonb_build_object(
    'version', ${version}::bigint, 'at', now(),
    'taken', (select taken_version from chain_branches where tenant_id = ${tenantId})
  )), '{}')
  from unnest(${fields}) name
)`;

const ownNames = sql.fragment`array(select jsonb_array_elements_text(n.own))`;

/** Lets records follow. @param version the branch's, in which they do */
export async function insertFollows(
  db: Db,
  tenantId: number,
  follows: readonly NewFollow[],
  version: number,
): Promise<void> {
  if (follows.length === 0) return;
  await db.run(sql.nothing`
    insert into chain_follows (tenant_id, resource, id, master_id, own_fields)
    select ${tenantId}, n.resource, n.id, n.master_id, ${marks(ownNames, tenantId, version)}
    from jsonb_to_recordset(${JSON.stringify(follows)}::jsonb)
      as n (resource text, id int, master_id int, own jsonb)
    on conflict (tenant_id, resource, id) do nothing
  `);
}

/** Names records of a branch. */
type Named = Pick<Follow, 'resource' | 'id'>;

const namedRows = (records: readonly Named[]) => sql.fragment`unnest(
  ${column(records, ({ resource }) => resource, 'text')}, ${column(records, ({ id }) => id, 'int4')}
) as n (resource, id)`;

export async function deleteFollows(db: Db, tenantId: number, records: readonly Named[]) {
  if (records.length === 0) return;
  await db.run(sql.nothing`
    delete from chain_follows f using ${namedRows(records)}
    where f.tenant_id = ${tenantId} and f.resource = n.resource and f.id = n.id
  `);
}

/** Fields of a record that become the branch's own, and one that follows again. */
export interface OwnChange extends Named {
  own: readonly string[];
  follows: readonly string[];
}

/** Makes fields the branch's own; those that are so already keep their time. */
export async function saveOwnFields(
  db: Db,
  tenantId: number,
  changes: readonly OwnChange[],
  version: number,
): Promise<void> {
  if (changes.length === 0) return;
  await db.run(sql.nothing`
    update chain_follows f set own_fields = (${marks(ownNames, tenantId, version)} || f.own_fields)
      - array(select jsonb_array_elements_text(n.follows))
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
      as n (resource text, id int, own jsonb, follows jsonb)
    where f.tenant_id = ${tenantId} and f.resource = n.resource and f.id = n.id
  `);
}

const publicationSchema = v.object({
  slug: v.string(),
  name: v.string(),
  /** Null for a branch that was never asked, or whose result is older than results are kept. */
  id: v.nullable(v.string()),
  is_finished: v.boolean(),
  version: v.nullable(v.number()),
  outcome: v.nullable(v.unknown()),
});

/** The results of the last publications of a master in its branches, by their slugs. */
export function findLastPublications(db: Db, masterId: number) {
  return db.any(sql.type(publicationSchema)`
    select t.slug, s.name, w.id, w.finished_at is not null as is_finished, w.version, w.outcome
    from chain_branches b
    join tenants t on t.id = b.tenant_id join settings s on s.tenant_id = t.id
    left join lateral (
      select id, finished_at, version, outcome from writes
      where tenant_id = b.tenant_id and action = 'publish'
        and input ->> 'master_id' = ${String(masterId)}
      order by batch desc limit 1
    ) w on true
    where b.master_id = ${masterId} order by t.slug
  `);
}

const ownFieldSchema = v.object({
  resource: resourceSchema,
  id: v.number(),
  field: v.string(),
  at: v.string(),
  by: v.nullable(v.string()),
});

/** The own fields of a branch, with the person or token that made each its own, and when. */
export function listOwnFields(db: Db, tenantId: number) {
  return db.any(sql.type(ownFieldSchema)`
    select f.resource, f.id, o.field, o.mark ->> 'at' as at, (
      select v.actor_name from versions v
      where v.tenant_id = ${tenantId} and v.version = (o.mark ->> 'version')::bigint
        and exists (
          select from jsonb_array_elements(v.changes) c
          where c ->> 'resource' = f.resource and (c ->> 'id')::int = f.id
        )
      order by v.part limit 1
    ) as by
    from chain_follows f, jsonb_each(f.own_fields) o (field, mark)
    where f.tenant_id = ${tenantId} order by f.resource, f.id, o.field
  `);
}

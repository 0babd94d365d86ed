import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { groupBy } from '../runtime/group-by.ts';
import { type NewRelease, type Problem, type Release, releaseRow } from '../schema/release.ts';
import type { ScheduledPublication } from '../schema/scheduled-publication.ts';
import { isoMoment } from './record-columns.ts';

// Releases, and what workers know of them.

const columns = sql.fragment`
  r.id, r.name, r.operations, r.state, r.problems, r.secret, r.published_by, r.confirmed_by, r.chain,
  ${isoMoment(sql.fragment`r.starts_at`)} as starts_at, ${isoMoment(sql.fragment`r.ends_at`)} as ends_at,
  r.created_at, r.updated_at
`;

/** Releases that workers check: those that wait, and those that an end will take back. */
export const isOpenRelease = sql.fragment`
  (state in ('draft', 'scheduled') or (state = 'live' and ends_at is not null))
`;

/** A value that opens a preview: 256 bits. */
export function makePreviewSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** All releases of a restaurant, the last one first. */
export function listReleases(db: Db, tenantId: number): Promise<readonly Release[]> {
  return db.any(sql.type(releaseRow)`
    select ${columns} from releases r where r.tenant_id = ${tenantId} order by r.id desc
  `);
}

export function findRelease(db: Db, tenantId: number, id: number): Promise<Release | null> {
  return db.maybeOne(sql.type(releaseRow)`
    select ${columns} from releases r where r.tenant_id = ${tenantId} and r.id = ${id}
  `);
}

/** The same, locked until the transaction ends. */
export function lockRelease(db: Db, tenantId: number, id: number): Promise<Release | null> {
  return db.maybeOne(sql.type(releaseRow)`
    select ${columns} from releases r where r.tenant_id = ${tenantId} and r.id = ${id} for update
  `);
}

const openSchema = v.object({ tenant_id: v.number(), ...releaseRow.entries });

/**
 * The releases of locked tenants that are yet to be published or taken back, by the tenants' ids; locks
 * them.
 */
export async function lockOpenReleases(db: Db, tenantIds: readonly number[]) {
  const rows = await db.any(sql.type(openSchema)`
    select r.tenant_id, ${columns} from releases r
    where r.tenant_id = any (${sql.array(tenantIds, 'int4')})
      and r.state in ('draft', 'scheduled', 'live')
    order by r.tenant_id, r.id for update
  `);
  return groupBy(rows, (one) => one.tenant_id);
}

/** Lets workers look again at the open releases of a restaurant. */
async function markUnchecked(db: Db, tenantId: number): Promise<void> {
  await db.run(sql.nothing`
    update releases set is_checked = false
    where tenant_id = ${tenantId} and ${isOpenRelease} and is_checked
  `);
}

/** Null when the restaurant has as many as it may have. It belongs in a transaction. */
export async function insertRelease(
  db: Db,
  tenantId: number,
  { name, operations, starts_at, ends_at, is_preview_open, confirmed_by }: NewRelease,
  chain: ScheduledPublication | null = null,
): Promise<Release | null> {
  const secret = is_preview_open ? makePreviewSecret() : null;
  await db.run(sql.nothing`select from tenants where id = ${tenantId} for no key update`);
  const made = await db.maybeOne(sql.type(releaseRow)`
    insert into releases as r (tenant_id, name, operations, starts_at, ends_at, state, secret,
      confirmed_by, chain)
    select ${tenantId}, ${name}, ${JSON.stringify(operations)}::json, ${starts_at}::timestamptz,
      ${ends_at}::timestamptz, ${starts_at === null ? 'draft' : 'scheduled'}, ${secret},
      ${confirmed_by}, ${chain && JSON.stringify(chain)}::json
    where (
      select count(*) from releases where tenant_id = ${tenantId} and state <> 'ended'
    ) < ${constants.maxReleases}
    returning ${columns}
  `);
  if (made) {
    await dropEnded(db, tenantId);
    await markUnchecked(db, tenantId);
  }
  return made;
}

/** Deletes the ended releases that follow the newest ones; the journal tells what they did. */
async function dropEnded(db: Db, tenantId: number): Promise<void> {
  await db.run(sql.nothing`
    delete from releases where tenant_id = ${tenantId} and id in (
      select id from releases where tenant_id = ${tenantId} and state = 'ended'
      order by id desc offset ${constants.maxReleases}
    )
  `);
}

/** Stores what of a locked release may change, and returns it; workers check the open ones again. */
export function storeRelease(db: Db, tenantId: number, release: Release): Promise<Release> {
  const { id, name, operations, starts_at, ends_at, state, problems, secret } = release;
  return db.one(sql.type(releaseRow)`
    with others as (
      update releases set is_checked = false
      where tenant_id = ${tenantId} and id <> ${id} and ${isOpenRelease} and is_checked
    )
    update releases r set name = ${name}, operations = ${JSON.stringify(operations)}::json,
      starts_at = ${starts_at}::timestamptz, ends_at = ${ends_at}::timestamptz, state = ${state},
      problems = ${JSON.stringify(problems)}::json, secret = ${secret},
      published_by = ${release.published_by}::uuid, confirmed_by = ${release.confirmed_by},
      recheck_at = null, is_checked = false,
      updated_at = now()
    where r.tenant_id = ${tenantId} and r.id = ${id}
    returning ${columns}
  `);
}

/** @returns whether there was one */
export async function deleteRelease(db: Db, tenantId: number, id: number): Promise<boolean> {
  const isGone = await db.touches(sql.nothing`
    delete from releases where tenant_id = ${tenantId} and id = ${id}
  `);
  if (isGone) await markUnchecked(db, tenantId);
  return isGone;
}

const uncheckedSchema = v.object({
  tenant_id: v.number(),
  id: v.number(),
  is_preview_wanted: v.boolean(),
});
export type UncheckedRelease = v.InferOutput<typeof uncheckedSchema>;

/** Which open releases of restaurants are to be checked, or have a preview to be made. */
export function findUnchecked(db: Db, tenantIds: readonly number[]) {
  return db.any(sql.type(uncheckedSchema)`
    select tenant_id, id, is_preview_wanted from releases
    where tenant_id = any (${sql.array(tenantIds, 'int4')}) and (
      (${isOpenRelease} and (not is_checked or is_preview_wanted)) or recheck_at <= now()
    )
  `);
}

/**
 * Notes what is wrong with a release in the present version of the menu.
 *
 * @param recheckAt when that may change without a new version; null for never
 */
export async function saveProblems(
  db: Db,
  tenantId: number,
  id: number,
  problems: readonly Problem[],
  recheckAt: Date | null,
): Promise<void> {
  await db.run(sql.nothing`
    update releases set problems = ${JSON.stringify(problems)}::json, is_checked = true,
      recheck_at = ${recheckAt && sql.timestamp(recheckAt)}
    where tenant_id = ${tenantId} and id = ${id}
  `);
}

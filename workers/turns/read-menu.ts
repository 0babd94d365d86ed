import type { KnownMenus } from '../../db/menu/working-menu.ts';
import { type Db, pipelined } from '../../db/postgres/sql.ts';
import { certain } from '../../db/runtime/certain.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { hasBounds } from '../../db/schema/chain-policy.ts';
import type { Release } from '../../db/schema/release.ts';
import { type FormerMenu, storedAs } from '../../db/snapshot/build.ts';
import { loadFollowing } from '../../db/sql/chains.ts';
import { findDueSoon } from '../../db/sql/clock.ts';
import { type Following, loadMenu, type StoredMenu } from '../../db/sql/menus.ts';
import { lockOpenReleases } from '../../db/sql/releases.ts';
import { findBuiltAt } from '../../db/sql/snapshots.ts';
import { findStamp, type LockedTenant } from '../../db/sql/tenants.ts';
import type { GoesOn } from '../housekeeping/rounds.ts';
import { loadMaster } from '../writes/masters.ts';

/** The menu of a restaurant, and what is stored of its snapshots. */
interface Known {
  menu: StoredMenu;
  built: FormerMenu | undefined;
}

/**
 * The menus of restaurants by their ids. Each is read by a statement of its own: Postgres estimates one
 * for several of them so high that it would compile it.
 */
async function readKnown(db: Db, tenantIds: readonly number[]): Promise<Map<number, Known>> {
  if (tenantIds.length === 0) return new Map();
  const [builtAt, ...menus] = await pipelined(
    findBuiltAt(db, tenantIds),
    ...tenantIds.map((id) => loadMenu(db, id)),
  );
  const known = tenantIds.map((id, at) => {
    const menu = certain(menus[at], 'a restaurant has no menu');
    const builtThen = builtAt.get(id);
    return [id, { menu, built: builtThen && storedAs(menu, builtThen) }] as const;
  });
  return new Map(known);
}

/** The part of its chain that the turn of a branch needs to know; null for others. */
async function followingOf(tx: Db, { id, master_id: masterId }: LockedTenant) {
  if (masterId === null) return null;
  const following = await loadFollowing(tx, id, masterId);
  if (hasBounds(following.rules)) following.master = await loadMaster(tx, masterId);
  return following;
}

/** A restaurant as its turn finds it. */
export interface Opening extends Known {
  /** Null for one that is no branch. */
  following: Following | null;
  /** Its locked releases, where something is due. */
  open: readonly Release[];
}

/**
 * Reads restaurants as their turns find them, all together; by their ids.
 *
 * @param due those of the locked restaurants for which something is due
 */
export async function readOpenings(
  tx: Db,
  menus: KnownMenus,
  tenants: readonly LockedTenant[],
  due: readonly number[],
): Promise<Map<number, Opening>> {
  const kept = new Map<number, Known>();
  for (const { id, stamp } of tenants) {
    const latest = menus.get(id);
    if (latest?.stamp === stamp) kept.set(id, latest);
  }
  const unknown = tenants.flatMap(({ id }) => (kept.has(id) ? [] : [id]));
  const [read, open, followings] = await pipelined(
    readKnown(tx, unknown),
    due.length > 0 ? lockOpenReleases(tx, due) : undefined,
    pipelined(...tenants.map((tenant) => followingOf(tx, tenant))),
  );
  const openings = tenants.map(({ id }, at) => {
    const known = kept.get(id) ?? certain(read.get(id), 'a locked restaurant has no menu');
    const following = followings[at] ?? null;
    return [id, { ...known, following, open: open?.get(id) ?? [] }] as const;
  });
  return new Map(openings);
}

/**
 * Reads the menu of a restaurant into the memory of the worker, while the turn of another one is made.
 * Its own turn takes it from there if it is still in that version.
 */
export async function readAhead(db: Db, menus: KnownMenus, tenantId: number): Promise<void> {
  const stamp = await findStamp(db, tenantId);
  if (stamp === null || menus.get(tenantId)?.stamp === stamp) return;
  const { menu, built } = (await readKnown(db, [tenantId])).get(tenantId) ?? {};
  // Each statement sees what is committed by then.
  const isSame = (await findStamp(db, tenantId)) === stamp;
  if (menu && built && isSame) menus.set(tenantId, { stamp, menu, built });
}

/** Menus that are read ahead take so much of the memory for menus; writes need the rest. */
const SHARE_AHEAD = 3 / 4;

/**
 * Reads ahead the menus that soon change on their own. So where many do at one moment, few of their
 * turns have to read them.
 */
export async function readDueSoon(
  db: Db,
  menus: KnownMenus,
  goesOn: GoesOn,
  { dueSoon, menusAhead }: Pick<Constants, 'dueSoon' | 'menusAhead'>,
): Promise<void> {
  const startedAt = performance.now();
  let bytesLeft = menus.maxSize * SHARE_AHEAD;
  for (const { id, stamp, left } of await findDueSoon(db, dueSoon, menusAhead)) {
    if (!goesOn() || bytesLeft <= 0) return;
    // From its moment on the turns have the time.
    if (performance.now() - startedAt >= left) continue;
    if (menus.get(id)?.stamp !== stamp) await readAhead(db, menus, id);
    bytesLeft -= menus.info(id)?.size ?? 0;
  }
}

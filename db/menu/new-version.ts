import { movedPairs } from '../history/stale-texts.ts';
import type { Db } from '../postgres/sql.ts';
import { inSlices } from '../runtime/in-slices.ts';
import { type NewEntry, UPKEEP } from '../schema/version.ts';
import type { NewWrite } from '../schema/write.ts';
import type { FormerMenu, NextMenu } from '../snapshot/build.ts';
import { rebuildMenu } from '../snapshot/rebuild.ts';
import { saveEntries, type VersionEntries } from '../sql/history.ts';
import { loadMenu, type StoredMenu } from '../sql/menus.ts';
import { saveSnapshots } from '../sql/snapshots.ts';
import { type MovedTexts, saveStaleStatement } from '../sql/stale-texts.ts';
import { type LockedTenant, lockTenant } from '../sql/tenants.ts';

/** A menu after changes, and the entries that these have in the history. */
export interface Entered {
  menu: StoredMenu;
  entries: readonly NewEntry[];
  /** Writes of other restaurants that follow from the changes. */
  toSend?: readonly NewWrite[];
}

/** The next version of a tenant's menu, whose records are stored, and nothing else of it. */
export interface NewVersion {
  menu: StoredMenu;
  entered: VersionEntries;
  /** The translations that it has parted from their sources. */
  moved: MovedTexts;
  /** When it was made, by Postgres' clock. */
  at: Date;
  /** The snapshots that are stored, if the caller knows them. */
  before: FormerMenu | undefined;
}

/**
 * Makes the next version of a locked tenant's menu; nothing is sent to Postgres.
 *
 * @param menu with its changes
 * @param entries its changes and their authors; one at least
 * @param before what is stored, if the caller knows it
 */
export async function makeVersion(
  { id: tenantId, version: latest, locked_at: at }: LockedTenant,
  menu: StoredMenu,
  entries: readonly NewEntry[],
  before?: FormerMenu,
): Promise<NewVersion> {
  const version = latest + 1;
  const changes = entries.flatMap((entry) => entry.changes ?? []);
  return {
    menu: { ...menu, version },
    entered: { tenantId, version, entries },
    moved: { tenantId, pairs: await inSlices(movedPairs(changes, menu.settings)) },
    ...{ at, before },
  };
}

/** The built menus of versions. */
export type BuiltVersions = ReadonlyMap<NewVersion, NextMenu>;

/**
 * Stores versions, in the transaction that has stored their records. Where its `run` does not wait,
 * Postgres writes the history while the snapshots are made.
 */
export async function saveVersions(
  db: Db,
  versions: readonly NewVersion[],
): Promise<BuiltVersions> {
  if (versions.length === 0) return new Map();
  await saveEntries(
    db,
    versions.map(({ entered }) => entered),
  );
  const moved = versions.map((one) => one.moved).filter(({ pairs }) => pairs.length > 0);
  if (moved.length > 0) await db.run(saveStaleStatement(moved));
  const rebuilds = await Promise.all(
    versions.map(async (version) => {
      const { menu, at, before } = version;
      return { version, ...(await rebuildMenu(menu, at, before)) };
    }),
  );
  await saveSnapshots(
    db,
    rebuilds.map(({ change }) => change),
  );
  return new Map(rebuilds.map(({ version, built }) => [version, built]));
}

/**
 * Publishes a tenant's menu as its tables have it, in a transaction of the caller.
 *
 * @param entries what has changed; an upkeep that changes nothing without it
 * @param isFirst whether it is the version of a new tenant, whose row has its number already
 * @returns the version; null when there is no such tenant
 */
export async function publishVersion(
  db: Db,
  tenantId: number,
  entries: readonly NewEntry[] = [UPKEEP],
  isFirst = false,
): Promise<number | null> {
  const tenant = await lockTenant(db, tenantId, 'wait');
  if (!tenant) return null;
  const latest = isFirst ? tenant.version - 1 : tenant.version;
  const menu = await loadMenu(db, tenantId);
  const next = await makeVersion({ ...tenant, version: latest }, menu, entries);
  await saveVersions(db, [next]);
  return next.menu.version;
}

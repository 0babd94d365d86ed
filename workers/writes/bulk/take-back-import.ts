import { randomUUID } from 'node:crypto';
import type { Db } from '../../../db/postgres/sql.ts';
import { isUniqueViolation } from '../../../db/postgres/unique-violation.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { inSlices } from '../../../db/runtime/in-slices.ts';
import {
  MENU_COLLECTIONS,
  purgeOrder,
  type Resource,
  records,
  referencesFrom,
  SINGLETONS,
} from '../../../db/schema/registry.ts';
import { timestamp } from '../../../db/schema/timestamp.ts';
import type { Write } from '../../../db/schema/write.ts';
import { markDeleted } from '../../../db/sql/deletions.ts';
import {
  type FormerRecords,
  findFormerRecords,
  restoreFormerRecords,
} from '../../../db/sql/former-records.ts';
import { loadMenu, type StoredMenu } from '../../../db/sql/menus.ts';
import { freeExternalIds } from '../../../db/sql/records.ts';
import { allowIdleTransaction, inSavepoint } from '../../../db/sql/transactions.ts';
import { growsBeyondBound } from '../menu-size.ts';
import { type Applied, invalid, missing, outdatedMenu } from '../outcome.ts';
import { menuFull } from '../rules.ts';
import { listOf, recordOf } from '../working-menu.ts';
import { createDraft, type Deletion } from './draft.ts';

/** The menu would not be right, so the savepoint takes all of it back. */
class RefusedError extends Error {
  readonly applied: Applied;
  constructor(applied: Applied) {
    super('the import stays');
    this.applied = applied;
  }
}

/** The records that the import created; a section takes along those that stand in it. */
function* createdRecords(
  menu: StoredMenu,
  { created }: FormerRecords,
): Generator<void, Deletion[]> {
  const draft = createDraft(menu);
  for (const collection of purgeOrder().toReversed()) {
    for (const id of created[collection] ?? []) {
      draft.remove(collection, id, randomUUID());
      yield;
    }
  }
  return [...draft.changes().deleted];
}

/** Whether a record that the import did not write would be gone, or without one that it names. */
function* harmsOthers(
  before: StoredMenu,
  after: StoredMenu,
  { created, present }: FormerRecords,
): Generator<void, boolean> {
  for (const collection of MENU_COLLECTIONS) {
    const record = records[collection];
    const own = new Set([...(created[collection] ?? []), ...(present[collection] ?? [])]);
    for (const one of listOf(before, record)) {
      yield;
      if (own.has(one.id)) continue;
      const now = recordOf(after, record, one.id);
      const isLost = ({ field }: { field: string }) =>
        (one[field] ?? null) !== null && (now?.[field] ?? null) === null;
      if (!now || referencesFrom(record).some(isLost)) return true;
    }
  }
  return false;
}

/** Whether every record stands in a section that is there, and none of these in itself or too deep. */
function* isInPlace(menu: StoredMenu): Generator<void, boolean> {
  for (const collection of MENU_COLLECTIONS) {
    const record = records[collection];
    const { parent } = record;
    if (parent === undefined) continue;
    const deepest = constants.maxSectionDepth - (collection === 'categories' ? 1 : 0);
    for (const one of listOf(menu, record)) {
      yield;
      let above = one[parent] ?? null;
      for (let level = 0; above !== null; level += 1) {
        const section = recordOf(menu, records.categories, above);
        if (!section || level === deepest) return false;
        above = section.parent_id ?? null;
      }
    }
  }
  return true;
}

/** Deletes what the import created, and brings back what it found. */
async function restore(
  db: Db,
  tenantId: number,
  importId: string,
  former: FormerRecords,
  menu: StoredMenu,
): Promise<void> {
  const { writeSlice } = constants;
  const gone = await inSlices(createdRecords(menu, former), writeSlice);
  const order = purgeOrder().toReversed();
  for (const collection of order) {
    const record = records[collection];
    const own = gone.filter(({ resource }) => resource === collection);
    await markDeleted(db, record, tenantId, own);
    await freeExternalIds(db, record, tenantId, former.present[collection] ?? []);
  }
  for (const resource of [...order, ...SINGLETONS] as Resource[]) {
    if (!former.present[resource]) continue;
    await restoreFormerRecords(db, resource, tenantId, importId);
  }
}

/** The menu as it is after that. */
async function checkedMenu(
  db: Db,
  tenantId: number,
  before: StoredMenu,
  former: FormerRecords,
): Promise<StoredMenu> {
  const { writeSlice } = constants;
  const after = await loadMenu(db, tenantId);
  const isHarmful =
    !(await inSlices(isInPlace(after), writeSlice)) ||
    (await inSlices(harmsOthers(before, after, former), writeSlice));
  if (isHarmful) throw new RefusedError(outdatedMenu());
  if (await inSlices(growsBeyondBound(before, after), writeSlice)) {
    throw new RefusedError(invalid(menuFull(), null));
  }
  return after;
}

/**
 * Takes an import back as one write: deletes what it created, and gives what it changed or deleted
 * the former rows. When a later write has touched one of its records, or has put another one where it
 * could not stay, nothing is done.
 *
 * @param menu the menu as it is
 */
export async function takeBackImport(db: Db, write: Write, menu: StoredMenu): Promise<Applied> {
  const { tenant_id: tenantId, input } = write;
  const importId = String(input.write);
  await allowIdleTransaction(db, constants.documentExpirySeconds);
  const former = await findFormerRecords(db, tenantId, importId);
  if (!former) return missing(null);
  if (!former.is_untouched) return outdatedMenu();
  try {
    const after = await inSavepoint(db, async () => {
      await restore(db, tenantId, importId, former, menu);
      return checkedMenu(db, tenantId, menu, former);
    });
    const at = timestamp(new Date());
    return {
      outcome: { kind: 'bulk', applied: true, dry_run: false, results: [], ignored: [], at },
      recordId: null,
      change: { kind: 'loaded', menu: after },
    };
  } catch (error) {
    if (error instanceof RefusedError) return error.applied;
    // Another record has the external id of one of them by now.
    if (isUniqueViolation(error)) return outdatedMenu();
    throw error;
  }
}

import { appearances } from '../../db/history/appearances.ts';
import { differenceInSteps } from '../../db/history/difference.ts';
import { movedPairs } from '../../db/history/stale-texts.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import type { NewEntry } from '../../db/schema/version.ts';
import { rebuildMenu } from '../../db/snapshot/rebuild.ts';
import { foreseeNextChange } from '../../db/sql/clock.ts';
import { saveEntriesStatement } from '../../db/sql/history.ts';
import { loadMenu, type StoredMenu } from '../../db/sql/menus.ts';
import { saveSnapshotsStatement } from '../../db/sql/snapshots.ts';
import { saveStaleStatement } from '../../db/sql/stale-texts.ts';
import { type LockedTenant, lockTenant } from '../../db/sql/tenants.ts';
import { checkReleases } from '../releases/check-releases.ts';
import { type Entered, publishDueReleases } from '../releases/due-releases.ts';
import { createDraft } from '../writes/bulk/draft.ts';
import { planOperations, type SentOperation } from '../writes/bulk/plan.ts';
import { storeDraft } from '../writes/bulk/store.ts';

/** The operations that make dishes available whose time of being sold out is over. */
function endSoldOut({ dishes }: StoredMenu, at: Date): SentOperation[] {
  const isOver = (until: string | null) => until !== null && Date.parse(until) <= at.getTime();
  return dishes
    .filter(({ sold_out_until }) => isOver(sold_out_until))
    .map(({ id }) => ({
      operation: { resource: 'items', action: 'update', id, data: { sold_out_until: null } },
      path: '',
      isChecked: true,
    }));
}

/** Does operations of the clock and returns the menu with them. @throws Error when one fails */
async function run(
  tx: Db,
  tenantId: number,
  menu: StoredMenu,
  operations: readonly SentOperation[],
): Promise<StoredMenu> {
  if (operations.length === 0) return menu;
  const draft = createDraft(menu);
  const steps = planOperations(draft, operations, { namesOnce: true, earliest: null });
  const { results } = await inSlices(steps, constants.writeSlice);
  const wrong = results.find(({ outcome }) => outcome !== 'updated');
  if (wrong) throw new Error(`the clock cannot change item ${wrong.id}: ${wrong.outcome}`);
  return (await storeDraft(tx, tenantId, draft)).menu;
}

/** Ends times of being sold out, and tells what appears and leaves at the moments of a span. */
async function passMoments(
  tx: Db,
  tenantId: number,
  before: StoredMenu,
  since: Date,
  at: Date,
): Promise<Entered> {
  const menu = await run(tx, tenantId, before, endSoldOut(before, at));
  const changes = [
    ...(await inSlices(differenceInSteps(before, menu), constants.writeSlice)),
    ...appearances(menu, since, at),
  ];
  const actor = { kind: 'clock', id: null } as const;
  const entry: NewEntry = { actor, origin: 'clock', jobId: null, changes };
  return { menu, entries: changes.length > 0 ? [entry] : [] };
}

/** Does all that is due, as one version, and returns the menu. */
async function publish(tx: Db, tenant: LockedTenant, since: Date): Promise<StoredMenu> {
  const { id: tenantId, locked_at: at } = tenant;
  const passed = await passMoments(tx, tenantId, await loadMenu(tx, tenantId), since, at);
  const released = await publishDueReleases(tx, tenant, passed.menu);
  const entries = [...passed.entries, ...released.entries];
  let { menu } = released;
  if (entries.length > 0) {
    const version = tenant.version + 1;
    menu = { ...menu, version };
    const { change } = await rebuildMenu(menu, at);
    await tx.run(saveEntriesStatement([{ tenantId, version, entries }]));
    const pairs = movedPairs(
      entries.flatMap(({ changes }) => changes ?? []),
      menu.settings,
    );
    if (pairs.length > 0) await tx.run(saveStaleStatement([{ tenantId, pairs }]));
    await tx.run(saveSnapshotsStatement([change]));
  }
  await foreseeNextChange(tx, tenantId, at);
  return menu;
}

/**
 * Publishes the changes of a tenant whose moment has come, as one version, in the job's transaction. A
 * write may have changed them meanwhile, and the tenant may be gone: then there is nothing to publish.
 * After that it looks whether the releases that wait still fit.
 */
export async function publishDue(tx: Db, tenantId: number): Promise<void> {
  const tenant = await lockTenant(tx, tenantId, 'wait');
  if (!tenant) return;
  const { locked_at: at, next_change_at: since } = tenant;
  const menu = since !== null && since <= at ? await publish(tx, tenant, since) : null;
  await checkReleases(tx, tenantId, menu);
}

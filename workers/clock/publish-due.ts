import { appearances } from '../../db/history/appearances.ts';
import { differenceInSteps } from '../../db/history/difference.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { rebuildMenu } from '../../db/snapshot/rebuild.ts';
import { foreseeNextChange } from '../../db/sql/clock.ts';
import { loadMenu, type StoredMenu } from '../../db/sql/menus.ts';
import { saveSnapshotsStatement } from '../../db/sql/snapshots.ts';
import { lockTenant } from '../../db/sql/tenants.ts';
import { bumpVersion } from '../../db/sql/versions.ts';
import { createDraft } from '../writes/bulk/draft.ts';
import { planOperations, type SentOperation } from '../writes/bulk/plan.ts';
import { storeDraft } from '../writes/bulk/store.ts';

const CLOCK = { actor: { kind: 'clock', id: null }, origin: 'clock', jobId: null } as const;

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

/**
 * Publishes the changes of a tenant whose moment has come, as one version, in the job's transaction. A
 * write may have changed them meanwhile, and the tenant may be gone: then there is nothing to publish.
 */
export async function publishDue(tx: Db, tenantId: number): Promise<void> {
  const tenant = await lockTenant(tx, tenantId, 'wait');
  if (!tenant) return;
  const { locked_at: at, next_change_at: since } = tenant;
  if (since === null || since > at) return;
  const before = await loadMenu(tx, tenantId);
  const after = await run(tx, tenantId, before, endSoldOut(before, at));
  const changes = [
    ...(await inSlices(differenceInSteps(before, after), constants.writeSlice)),
    ...appearances(after, since, at),
  ];
  if (changes.length > 0) {
    const version = await bumpVersion(tx, tenantId, { ...CLOCK, changes });
    const { change } = await rebuildMenu({ ...after, version }, at);
    await tx.run(saveSnapshotsStatement([change]));
  }
  await foreseeNextChange(tx, tenantId, at);
}

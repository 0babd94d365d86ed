import { appearances } from '../../db/history/appearances.ts';
import { differenceInSteps } from '../../db/history/difference.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import { rebuildMenu } from '../../db/snapshot/rebuild.ts';
import { endSoldOut, foreseeNextChange } from '../../db/sql/clock.ts';
import { loadMenu } from '../../db/sql/menus.ts';
import { saveSnapshotsStatement } from '../../db/sql/snapshots.ts';
import { lockTenant } from '../../db/sql/tenants.ts';
import { bumpVersion } from '../../db/sql/versions.ts';

const CLOCK = { actor: { kind: 'clock', id: null }, origin: 'clock', jobId: null } as const;

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
  const isAnyBack = (await endSoldOut(tx, tenantId, at)) > 0;
  const after = isAnyBack ? await loadMenu(tx, tenantId) : before;
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

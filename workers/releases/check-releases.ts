import type { Db } from '../../db/postgres/sql.ts';
import { isWaiting } from '../../db/schema/release.ts';
import { loadMenu, type StoredMenu } from '../../db/sql/menus.ts';
import { deletePreview } from '../../db/sql/release-previews.ts';
import { findUnchecked, lockOpenReleases, saveProblems } from '../../db/sql/releases.ts';
import { keepPreview } from './keep-preview.ts';
import { createForecast, planRelease } from './plan-release.ts';

/**
 * Notes which waiting releases of a tenant do not fit its menu any more, and makes the previews that
 * somebody waits for. The tenant is locked.
 *
 * @param known the menu, or null to have it loaded
 */
export async function checkReleases(
  tx: Db,
  tenantId: number,
  known: StoredMenu | null,
): Promise<void> {
  const unchecked = await findUnchecked(tx, tenantId);
  if (unchecked.length === 0) return;
  const menu = known ?? (await loadMenu(tx, tenantId));
  const open = await lockOpenReleases(tx, tenantId);
  const forecast = createForecast(tx, tenantId, menu, open);
  const wanted = new Set(unchecked.flatMap((one) => (one.is_preview_wanted ? [one.id] : [])));
  for (const release of open) {
    if (!isWaiting(release)) continue;
    const before = await forecast.before(release);
    const plan = await planRelease(tx, tenantId, release, before);
    await saveProblems(tx, tenantId, release.id, plan.problems);
    if (!wanted.has(release.id)) await deletePreview(tx, tenantId, release.id);
    else await keepPreview(tx, tenantId, release, plan.draft.menu);
  }
}

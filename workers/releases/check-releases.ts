import { createForecast, planEnd } from '../../db/actions/plan-release.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import type { Field } from '../../db/schema/field.ts';
import { records } from '../../db/schema/registry.ts';
import { isWaiting, type Release } from '../../db/schema/release.ts';
import { buildInSteps } from '../../db/snapshot/build.ts';
import { encodeTemplate } from '../../db/snapshot/template.ts';
import { readClock } from '../../db/sql/clock.ts';
import { loadMenu, type StoredMenu } from '../../db/sql/menus.ts';
import { deletePreview, savePreview } from '../../db/sql/release-previews.ts';
import { lockOpenReleases, saveProblems, type UncheckedRelease } from '../../db/sql/releases.ts';
import type { LockedTenant } from '../../db/sql/tenants.ts';

/** Stores the menu that guests will see when a release is published. */
async function keepPreview(tx: Db, tenantId: number, { id, starts_at }: Release, menu: StoredMenu) {
  const at = starts_at === null ? await readClock(tx) : new Date(starts_at);
  const { head, sections } = await inSlices(buildInSteps(menu, at));
  const templates = [...sections.values()].map(({ template }) => encodeTemplate(template));
  await savePreview(tx, tenantId, id, { head: JSON.stringify(head), templates });
}

/** The first moment to come that the operations of a release set; null for none. */
function nextMoment({ operations }: Release, now: Date): Date | null {
  const moments = operations.flatMap(({ resource, data = {} }) => {
    const fields: Record<string, Field> = records[resource].fields;
    return Object.entries(data).flatMap(([name, value]) => {
      const isMoment = fields[name]?.kind === 'moment' || fields[name]?.kind === 'instant';
      const at = isMoment ? Date.parse(String(value)) : Number.NaN;
      return at > now.getTime() ? [at] : [];
    });
  });
  return moments.length > 0 ? new Date(moments.reduce((a, b) => Math.min(a, b))) : null;
}

/**
 * Notes which waiting releases of a locked tenant do not fit its menu any more, and what the ends of
 * its live ones will leave; makes the previews that somebody waits for.
 *
 * @param known the menu, or null to have it loaded
 * @param unchecked those of its open releases that are to be checked, one at least
 */
export async function checkReleases(
  tx: Db,
  { id: tenantId, locked_at: now }: Pick<LockedTenant, 'id' | 'locked_at'>,
  known: StoredMenu | null,
  unchecked: readonly UncheckedRelease[],
): Promise<void> {
  const menu = known ?? (await loadMenu(tx, tenantId));
  const open = (await lockOpenReleases(tx, [tenantId])).get(tenantId) ?? [];
  const forecast = createForecast(tx, tenantId, menu, open, now);
  const wanted = new Set(unchecked.flatMap((one) => (one.is_preview_wanted ? [one.id] : [])));
  for (const release of open) {
    if (!isWaiting(release)) {
      if (release.ends_at === null) continue;
      const { problems } = await planEnd(tx, tenantId, release, menu);
      await saveProblems(tx, tenantId, release.id, problems, null);
      continue;
    }
    const plan = await forecast(release);
    // The moments of a scheduled one are compared with its beginning, which stays.
    const recheckAt = release.state === 'draft' ? nextMoment(release, now) : null;
    await saveProblems(tx, tenantId, release.id, plan.problems, recheckAt);
    if (!wanted.has(release.id)) await deletePreview(tx, tenantId, release.id);
    else await keepPreview(tx, tenantId, release, plan.draft.menu);
  }
}

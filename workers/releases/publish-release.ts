import type { Db } from '../../db/postgres/sql.ts';
import type { Problem, Release } from '../../db/schema/release.ts';
import { broken } from '../../db/schema/validation/rule.ts';
import { findEntryOfJob } from '../../db/sql/history.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { storeRelease } from '../../db/sql/releases.ts';
import { isEmpty } from '../writes/bulk/draft.ts';
import { storeDraft } from '../writes/bulk/store.ts';
import { planTakingBack } from '../writes/history/apply-way-back.ts';
import { planRelease, type ReleasePlan } from './plan-release.ts';

/** The result of a publication. */
interface Published {
  plan: ReleasePlan;
  /** The ids of new records, by their provisional ones. */
  ids: ReadonlyMap<number, number>;
  /** Null when nothing has changed. */
  menu: StoredMenu | null;
}

/**
 * Publishes a locked release on the tenant's menu; one that does not fit changes nothing, and the caller
 * says what becomes of it.
 *
 * @param job names the write in the history
 */
export async function publishRelease(
  tx: Db,
  tenantId: number,
  release: Release,
  menu: StoredMenu,
  job: string,
): Promise<Published> {
  const plan = await planRelease(tx, tenantId, release, menu);
  if (plan.problems.length > 0) return { plan, ids: new Map(), menu: null };
  const hasChanged = !isEmpty(plan.draft.changes());
  const stored = hasChanged ? await storeDraft(tx, tenantId, plan.draft) : null;
  await storeRelease(tx, tenantId, {
    ...{ ...release, state: 'live', problems: [], published_by: job },
  });
  return { plan, ids: stored?.ids ?? new Map(), menu: stored?.menu ?? null };
}

const CHANGED = { path: '', external_id: null } as const;

/**
 * Takes back what is still as a live release left it, and notes what is not. Returns the menu when it
 * has changed, else null.
 *
 * @param version the menu's
 */
export async function endRelease(
  tx: Db,
  tenantId: number,
  release: Release,
  menu: StoredMenu,
  version: number,
): Promise<StoredMenu | null> {
  const { published_by: job } = release;
  const entry = job === null ? null : await findEntryOfJob(tx, tenantId, job);
  const back = entry && (await planTakingBack(tx, tenantId, menu, entry, version));
  const hasChanged = back !== null && !isEmpty(back.draft.changes());
  const stored = hasChanged ? await storeDraft(tx, tenantId, back.draft) : null;
  const problems = (back?.conflicts ?? []).map(
    ({ resource, id, field }): Problem => ({
      ...{ ...CHANGED, resource, id },
      errors: { [field ?? 'id']: [broken('outdated')] },
    }),
  );
  await storeRelease(tx, tenantId, { ...release, state: 'ended', problems });
  return stored?.menu ?? null;
}

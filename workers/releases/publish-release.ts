import type { Db } from '../../db/postgres/sql.ts';
import type { Release } from '../../db/schema/release.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { storeRelease } from '../../db/sql/releases.ts';
import { isEmpty } from '../menu/draft.ts';
import type { Earliest } from '../menu/rules.ts';
import { storeDraft } from '../menu/store.ts';
import { planEnd, planRelease, type ReleasePlan } from './plan-release.ts';

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
  earliest: Earliest,
): Promise<Published> {
  const plan = await planRelease(tx, tenantId, release, menu, earliest);
  if (plan.problems.length > 0) return { plan, ids: new Map(), menu: null };
  const hasChanged = !isEmpty(plan.draft.changes());
  const stored = hasChanged ? await storeDraft(tx, tenantId, plan.draft) : null;
  await storeRelease(tx, tenantId, {
    ...{ ...release, state: 'live', problems: [], published_by: job },
  });
  return { plan, ids: stored?.ids ?? new Map(), menu: stored?.menu ?? null };
}

/**
 * Takes back what is still as a live release left it, and notes what is not. Returns the menu when it
 * has changed, else null.
 */
export async function endRelease(
  tx: Db,
  tenantId: number,
  release: Release,
  menu: StoredMenu,
): Promise<StoredMenu | null> {
  const { draft, problems } = await planEnd(tx, tenantId, release, menu);
  const hasChanged = draft !== null && !isEmpty(draft.changes());
  const stored = hasChanged ? await storeDraft(tx, tenantId, draft) : null;
  await storeRelease(tx, tenantId, { ...release, state: 'ended', problems });
  return stored?.menu ?? null;
}

import { checkWhole } from '../../db/menu/check-whole.ts';
import { createDraft, type Draft, isEmpty } from '../../db/menu/draft.ts';
import { planOperations } from '../../db/menu/plan.ts';
import { type Earliest, noPast } from '../../db/menu/rules.ts';
import { storeDraft } from '../../db/menu/store.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import type { OperationResult } from '../../db/schema/bulk.ts';
import type { Problem, Release } from '../../db/schema/release.ts';
import { broken } from '../../db/schema/validation/rule.ts';
import { findEntryOfJob } from '../../db/sql/history.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { storeRelease } from '../../db/sql/releases.ts';
import { planTakingBack } from '../writes/history/apply-way-back.ts';

/** The menu as a release would make it. */
export interface ReleasePlan {
  draft: Draft;
  results: readonly OperationResult[];
  ignored: readonly string[];
  /** Why it does not fit; none when it does. */
  problems: Problem[];
}

function problemsOf(results: readonly OperationResult[]): Problem[] {
  return results
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ path, resource, id, external_id, errors }) => ({
      ...{ path, resource, external_id, errors },
      // A record that the release itself makes has no id yet.
      id: id !== null && id > 0 ? id : null,
    }));
}

/** The moment from which on a release may set moments: its own where it has one. */
export function earliestOf({ state, starts_at }: Release, now: Date): Earliest {
  const isSet = state === 'scheduled' && starts_at !== null;
  return isSet ? { at: new Date(starts_at), rule: 'later' } : noPast(now);
}

/** Plans the operations of a release on a draft of a menu, all of them or none. */
export async function planRelease(
  db: Db,
  { operations }: Pick<Release, 'operations'>,
  menu: StoredMenu,
  earliest: Earliest,
): Promise<ReleasePlan> {
  const draft = createDraft(menu);
  const sent = operations.map((operation, at) => ({ operation, path: `operations.${at}` }));
  const planning = planOperations(draft, sent, { namesOnce: false, earliest });
  const { results, ignored } = await inSlices(planning, constants.writeSlice);
  const errors = await checkWhole(db, draft);
  const whole: Problem[] =
    Object.keys(errors).length > 0
      ? [{ path: '', resource: null, id: null, external_id: null, errors }]
      : [];
  return { draft, results, ignored, problems: [...problemsOf(results), ...whole] };
}

/** The end of a live release, as it would come out now. */
interface EndPlan {
  /** The menu without the release; null when there is nothing to take back. */
  draft: Draft | null;
  results: readonly OperationResult[];
  /** The fields that stay, since somebody has changed them. */
  problems: Problem[];
}

/** Plans to take back what is still as a live release left it. */
export async function planEnd(
  db: Db,
  tenantId: number,
  { published_by: job }: Pick<Release, 'published_by'>,
  menu: StoredMenu,
): Promise<EndPlan> {
  const entry = job === null ? null : await findEntryOfJob(db, tenantId, job);
  const back = entry && (await planTakingBack(db, tenantId, menu, entry, menu.version));
  const problems = (back?.conflicts ?? []).map(
    ({ resource, id, field }): Problem => ({
      ...{ path: '', external_id: null, resource, id },
      errors: { [field ?? 'id']: [broken('outdated')] },
    }),
  );
  return { draft: back?.draft ?? null, results: back?.results ?? [], problems };
}

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
  const plan = await planRelease(tx, release, menu, earliest);
  if (plan.problems.length > 0) return { plan, ids: new Map(), menu: null };
  const hasChanged = !isEmpty(plan.draft.changes());
  const stored = hasChanged ? await storeDraft(tx, tenantId, plan.draft) : null;
  await storeRelease(tx, tenantId, {
    ...{ ...release, state: 'live', problems: [], published_by: job },
  });
  return { plan, ids: stored?.ids ?? new Map(), menu: stored?.menu ?? null };
}

/**
 * Takes back what is still as a live release left it, and notes what is not. Returns what it did, and
 * the menu when it has changed, else null.
 */
export async function endRelease(
  tx: Db,
  tenantId: number,
  release: Release,
  menu: StoredMenu,
): Promise<{ results: readonly OperationResult[]; menu: StoredMenu | null }> {
  const { draft, results, problems } = await planEnd(tx, tenantId, release, menu);
  const hasChanged = draft !== null && !isEmpty(draft.changes());
  const stored = hasChanged ? await storeDraft(tx, tenantId, draft) : null;
  await storeRelease(tx, tenantId, { ...release, state: 'ended', problems });
  return { results, menu: stored?.menu ?? null };
}

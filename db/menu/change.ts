import type { Db } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { inSlices } from '../runtime/in-slices.ts';
import type { OperationResult } from '../schema/bulk.ts';
import type { FieldErrors } from '../schema/validation/rule.ts';
import type { StoredMenu } from '../sql/menus.ts';
import { checkWhole } from './check-whole.ts';
import { createDraft, type Draft, isEmpty } from './draft.ts';
import { NOTHING, type Stored, storeDraft } from './store.ts';

/** The results of a change's parts, with provisional ids of new records. */
interface Planned {
  results: readonly OperationResult[];
  /** Paths of fields that have no meaning. */
  ignored?: readonly string[];
  /** The questions that are open before anything is changed. */
  errors?: FieldErrors;
}

/** Makes a change to a draft, a part a step. */
type Steps = (draft: Draft) => Generator<void, Planned>;

/** A change of a menu, which is not stored. */
export interface Plan extends Required<Planned> {
  draft: Draft;
}

/** @param most as for `inSlices` */
export async function planChange(menu: StoredMenu, steps: Steps, most?: number): Promise<Plan> {
  const draft = createDraft(menu);
  return {
    ignored: [],
    errors: {},
    ...(await inSlices(steps(draft), constants.slice, most)),
    draft,
  };
}

export interface Changed extends Plan, Stored {
  /** The errors of the menu as a whole. */
  errors: FieldErrors;
  isDryRun: boolean;
  /** Whether the menu is as it was asked for, also where it was so before. */
  isApplied: boolean;
}

/** A plan that is only looked at, and not checked. */
export function tried(plan: Plan): Changed {
  return { ...plan, ...NOTHING, errors: {}, isDryRun: true, isApplied: false };
}

/** The way in which a change is made. */
interface Way {
  isDryRun?: boolean;
  /** Whether the rest is done where parts have failed. */
  skipsFailed?: boolean;
  /** Whether the result has the only record of the change. */
  isShown?: boolean;
  /** How long the plan may take, in ms. */
  maxPlanTime?: number;
}

/**
 * The way of everything that changes a menu: plans the change, checks it, and stores it.
 *
 * @throws {TooSlowError} when the plan takes longer than it may; nothing is stored
 */
export async function applyChange(
  db: Db,
  tenantId: number,
  menu: StoredMenu,
  steps: Steps,
  { isDryRun = false, skipsFailed = false, isShown = false, maxPlanTime }: Way = {},
): Promise<Changed> {
  const plan = await planChange(menu, steps, maxPlanTime);
  const whole = isEmpty(plan.draft.changes()) ? {} : await checkWhole(db, tenantId, plan.draft);
  const errors = { ...plan.errors, ...whole };
  const isRight = skipsFailed || plan.results.every(({ outcome }) => outcome !== 'failed');
  const isApplied = !isDryRun && isRight && Object.keys(errors).length === 0;
  const stored = isApplied ? await storeDraft(db, tenantId, plan.draft, isShown) : NOTHING;
  return { ...plan, ...stored, errors, isDryRun, isApplied };
}

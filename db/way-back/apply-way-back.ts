import { menuAsOf, type PastMenu, pastMenu } from '../history/past-menu.ts';
import { applyChange, type Plan, planChange } from '../menu/change.ts';
import { checkWhole } from '../menu/check-whole.ts';
import type { Draft } from '../menu/draft.ts';
import { type Applied, bulkDone, missing, refused } from '../menu/outcome.ts';
import { currentOf } from '../menu/prepare-input.ts';
import { recordOf } from '../menu/working-menu.ts';
import type { Db } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { inSlices } from '../runtime/in-slices.ts';
import { withPresentAvailability } from '../schema/availability.ts';
import type { Conflict, OperationResult } from '../schema/bulk.ts';
import { isOfChain } from '../schema/chain-policy.ts';
import { isSame, toDocument } from '../schema/record.ts';
import { records, referencesFrom } from '../schema/registry.ts';
import type { FieldErrors } from '../schema/validation/rule.ts';
import type { Write } from '../schema/write.ts';
import { findDifferencesOf, findHistorySpan } from '../sql/history.ts';
import type { StoredMenu } from '../sql/menus.ts';
import { findKeptIds } from '../sql/records.ts';
import { areAvailability } from './apart-from-availability.ts';
import { netChanges, readLaterChanges } from './later-changes.ts';
import { planUndo, type UndoPlan } from './plan-undo.ts';
import { type RecordTarget, reachTargets } from './targets.ts';

/** A version, and one of the writes that share it; null for all of them. */
interface Part {
  version: number;
  part: number | null;
}

/**
 * Plans to take a part of a version back, without the fields that somebody has changed since
 * (`conflicts`), and with the errors of settings that stay; null when the history does not have it.
 */
export async function planTakingBack(db: Db, tenantId: number, menu: StoredMenu, part: Part) {
  const planned = await planUndoOf(db, tenantId, menu, part, true);
  if (!planned) return null;
  const own = freeing(menu, part, planned);
  const { plan, errors } = await reach(db, tenantId, own, planned.targets);
  return { ...plan, errors, conflicts: planned.conflicts };
}

/** The records in which a menu differs from a past one, as they were. */
function* targetsOf(
  present: PastMenu,
  past: PastMenu,
): Generator<void, Pick<UndoPlan, 'targets' | 'unchanged'>> {
  const targets: RecordTarget[] = [];
  let unchanged = 0;
  for (const [resource, rows] of present) {
    const former = past.get(resource);
    for (const [id, row] of rows) {
      yield;
      const was = former?.get(id);
      const before = was ? withPresentAvailability(resource, was, row) : null;
      if (before && isSame(before, row)) unchanged += 1;
      else targets.push({ resource, id, row: before });
    }
    for (const [id, row] of former ?? []) {
      if (!rows.has(id)) targets.push({ resource, id, row });
    }
  }
  return { targets, unchanged };
}

/** The records of the menu of a version. */
async function planRestore(
  db: Db,
  tenantId: number,
  menu: StoredMenu,
  version: number,
): Promise<UndoPlan> {
  const present = await inSlices(pastMenu(menu));
  const past = await menuAsOf(db, tenantId, menu, version);
  return { ...(await inSlices(targetsOf(present, past))), conflicts: [] };
}

/** @param isWhole whether what is sold out goes back, too; that of a version that says it alone does */
async function planUndoOf(
  db: Db,
  tenantId: number,
  menu: StoredMenu,
  { version, part }: Part,
  isWhole: boolean,
): Promise<UndoPlan | null> {
  const present = await inSlices(pastMenu(menu));
  const differences = await findDifferencesOf(db, tenantId, version, part);
  if (differences.length === 0) return null;
  const nets = netChanges(differences.flatMap(({ changes }) => changes));
  const later = await readLaterChanges(db, tenantId, { version, part }, menu.version);
  const planned = planUndo(present, nets, later, isWhole || areAvailability(nets));
  const at = differences[0] && { undoneAt: differences[0].at };
  return { ...planned, ...at, conflicts: distinct(planned.conflicts) };
}

const stepsTo = (targets: readonly RecordTarget[]) =>
  function* (draft: Draft) {
    return { results: yield* reachTargets(draft, targets) };
  };

/** A target with some fields as they are now. */
function withPresent(
  target: RecordTarget,
  menu: StoredMenu,
  isKept: (name: string) => boolean,
): RecordTarget {
  const { resource, id, row } = target;
  const now = currentOf(menu, resource, id);
  if (!row || !now) return target;
  const present = Object.entries(toDocument(records[resource], now));
  const kept = Object.fromEntries(present.filter(([name]) => isKept(name)));
  return { ...target, row: { ...row, ...kept } };
}

/** The fields of a record that the chain alone decides, where nothing else is wrong with it. */
function barredFields({ errors }: Pick<OperationResult, 'errors'>): Set<string> {
  const isBarred = Object.values(errors).every((all) => all.every(({ rule }) => isOfChain(rule)));
  const names = Object.keys(errors).map((path) => path.split('.')[0] ?? '');
  return new Set(isBarred ? names : []);
}

interface Reached {
  targets: readonly RecordTarget[];
  plan: Plan;
  errors: FieldErrors;
  /** Paths of the fields that stay because the chain decides them. */
  barred: readonly string[];
}

/**
 * The targets without the records and settings that break a rule, and without the fields that the chain
 * decides, and the plan that reaches them.
 */
async function reach(
  db: Db,
  tenantId: number,
  menu: StoredMenu,
  targets: readonly RecordTarget[],
): Promise<Reached> {
  const plan = await planChange(menu, stepsTo(targets));
  const failed = plan.results.filter(({ outcome }) => outcome === 'failed');
  if (failed.length > 0) {
    const wrong = new Map(
      failed.map((one) => [`${one.resource}/${one.id}`, barredFields(one)] as const),
    );
    const barred: string[] = [];
    const left = targets.flatMap((target) => {
      const { resource, id } = target;
      const names = wrong.get(`${resource}/${id}`);
      if (!names) return [target];
      barred.push(...[...names].map((name) => `${resource}.${id}.${name}`));
      return names.size > 0 ? [withPresent(target, menu, (name) => names.has(name))] : [];
    });
    const reached = await reach(db, tenantId, menu, left);
    return { ...reached, barred: [...barred, ...reached.barred] };
  }
  const errors = await checkWhole(db, tenantId, plan.draft);
  if (!Object.keys(errors).some((path) => path.startsWith('settings.'))) {
    return { targets, plan, errors: {}, barred: [] };
  }
  const left = targets.map((target) =>
    target.resource === 'settings'
      ? withPresent(target, menu, (name) => `settings.${name}` in errors)
      : target,
  );
  const reached = await reach(db, tenantId, menu, left);
  return { ...reached, errors: { ...errors, ...reached.errors } };
}

/** Each conflict once, and no more than an answer may have. */
function distinct(conflicts: readonly Conflict[]): Conflict[] {
  const byName = new Map(conflicts.map((one) => [`${one.resource}/${one.id}/${one.field}`, one]));
  return [...byName.values()].slice(0, constants.maxDiffNames);
}

/** Takes a version back, or brings its menu back, in the transaction of its tenant's queue. */
export async function applyWayBack(db: Db, write: Write, menu: StoredMenu): Promise<Applied> {
  const { tenant_id: tenantId, action, input } = write;
  const version = Number(input.version);
  const part = typeof input.part === 'number' ? input.part : null;
  const skipsConflicts = input.skip_conflicts === true;
  const span = await findHistorySpan(db, tenantId);
  if (!span || version > menu.version) return missing(null);
  if (version < span.oldest) return refused({ kind: 'gone' });
  const planned =
    action === 'restore'
      ? await planRestore(db, tenantId, menu, version)
      : // An older version knows nothing of what is sold out now.
        await planUndoOf(db, tenantId, menu, { version, part }, version === menu.version);
  if (!planned) return missing(null);
  const { conflicts, unchanged } = planned;
  if (conflicts.length > 0 && !skipsConflicts) return refused({ kind: 'conflict', conflicts });
  const own = freeing(menu, { version, part }, planned);
  const found = await withoutLostUploads(db, tenantId, own, planned.targets);
  const { targets, barred } = skipsConflicts
    ? await reach(db, tenantId, own, found.targets)
    : { ...found, barred: [] };
  const isDryRun = input.dry_run === true;
  const changed = await applyChange(db, tenantId, own, stepsTo(targets), { isDryRun });
  const left = conflicts.length > 0 && { conflicts };
  const ignored = [...found.ignored, ...barred];
  return bulkDone(changed, { isForPeople: input.diff === true }, { ...left, ignored, unchanged });
}

/** The menu of a branch in which fields follow again that the version has made own. */
function freeing(
  menu: StoredMenu,
  { version, part }: Part,
  { undoneAt: at }: UndoPlan,
): StoredMenu {
  // A field may have been own before the later writes of a version.
  if (!menu.following || !at || (part ?? 0) > 0) return menu;
  return { ...menu, following: { ...menu.following, undone: { version, at } } };
}

/**
 * Targets without photos that were purged: their files cannot come back. Records that named them come
 * back without them.
 *
 * @returns the targets, and the paths that were left out
 */
async function withoutLostUploads(
  db: Db,
  tenantId: number,
  menu: StoredMenu,
  targets: readonly RecordTarget[],
): Promise<{ targets: readonly RecordTarget[]; ignored: string[] }> {
  const { photos } = records;
  const back = targets.flatMap(({ resource, id, row }) =>
    resource === 'photos' && row && !recordOf(menu, photos, id) ? [id] : [],
  );
  if (back.length === 0) return { targets, ignored: [] };
  const kept = new Set(await findKeptIds(db, photos, tenantId, back));
  const lost = new Set<unknown>(back.filter((id) => !kept.has(id)));
  const ignored: string[] = [];
  const left = targets.flatMap((target): RecordTarget[] => {
    const { resource, id, row } = target;
    if (resource === 'photos' && lost.has(id)) {
      ignored.push(`${resource}.${id}`);
      return [];
    }
    if (!row) return [target];
    const fields = referencesFrom(records[resource]).filter(
      ({ field, to }) => to.isUploaded && lost.has(row[field]),
    );
    ignored.push(...fields.map(({ field }) => `${resource}.${id}.${field}`));
    const without = Object.fromEntries(fields.map(({ field }) => [field, null]));
    return [{ ...target, row: { ...row, ...without } }];
  });
  return { targets: left, ignored };
}

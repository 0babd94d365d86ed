import { publicationWrite } from '../chain/publication-writes.ts';
import { boundResults } from '../menu/bound-results.ts';
import { applyChange, type Changed, planChange, tried } from '../menu/change.ts';
import { createDraft, type Draft } from '../menu/draft.ts';
import { planOperations, type SentOperation } from '../menu/plan.ts';
import { type Earliest, noPast } from '../menu/rules.ts';
import { storeDraft } from '../menu/store.ts';
import type { Db } from '../postgres/sql.ts';
import { soldOutPart } from '../schema/availability.ts';
import type { OperationResult } from '../schema/bulk.ts';
import type { RecordType } from '../schema/record.ts';
import { records } from '../schema/registry.ts';
import { type Problem, type Release, type ReleaseStep, stepsBefore } from '../schema/release.ts';
import { broken, type FieldErrors } from '../schema/validation/rule.ts';
import { type Row, rowsIn } from '../schema/values/row.ts';
import type { NewWrite } from '../schema/write.ts';
import { listBranches } from '../sql/chains.ts';
import { findEntryOfJob } from '../sql/history.ts';
import { recordsOf, type StoredMenu } from '../sql/menus.ts';
import { storeRelease } from '../sql/releases.ts';
import { planTakingBack } from '../way-back/apply-way-back.ts';

/** The menu as the beginning or the end of a release makes it, or would. */
interface ReleasePlan extends Changed {
  /** Why it does not fit; at its end the fields that stay, since somebody has changed them. */
  problems: Problem[];
  /** Writes by which branches of the restaurant take the menu that it has published. */
  publications?: readonly NewWrite[];
}

function problemsOf(results: readonly OperationResult[]): Problem[] {
  return boundResults(results)
    .results.filter(({ outcome }) => outcome === 'failed')
    .map(({ path, resource, id, external_id, errors }) => ({
      ...{ path, resource, external_id, errors },
      // A record that the release itself makes has no id yet.
      id: id !== null && id > 0 ? id : null,
    }));
}

/** The problem of a release as a whole, where it has one. */
export function problemOfWhole(errors: FieldErrors): Problem[] {
  if (Object.keys(errors).length === 0) return [];
  return [{ path: '', resource: null, id: null, external_id: null, errors }];
}

/** The moment from which on a release may set moments: its own where it has one. */
export function earliestOf({ state, starts_at }: Release, now: Date): Earliest {
  const isSet = state === 'scheduled' && starts_at !== null;
  return isSet ? { at: new Date(starts_at), rule: 'later' } : noPast(now);
}

/**
 * Plans the operations of a release on a menu, all of them or none.
 *
 * @param isStored whether they are done, too, where they fit
 */
async function planRelease(
  db: Db,
  tenantId: number,
  { operations }: Pick<Release, 'operations'>,
  menu: StoredMenu,
  earliest: Earliest,
  isStored = false,
): Promise<ReleasePlan> {
  const sent = operations.map((operation, at) => ({ operation, path: `operations.${at}` }));
  const steps = (draft: Draft) => planOperations(draft, sent, { namesOnce: false, earliest });
  const changed = await applyChange(db, tenantId, menu, steps, { isDryRun: !isStored });
  const { results, errors } = changed;
  return { ...changed, problems: [...problemsOf(results), ...problemOfWhole(errors)] };
}

/** Plans to take back what is still as a live release left it. */
export async function planEnd(
  db: Db,
  tenantId: number,
  { published_by: job }: Pick<Release, 'published_by'>,
  menu: StoredMenu,
): Promise<ReleasePlan> {
  const entry = job === null ? null : await findEntryOfJob(db, tenantId, job);
  const back = entry && (await planTakingBack(db, tenantId, menu, entry));
  if (!back) {
    const plan = { draft: createDraft(menu), results: [], ignored: [], errors: {} };
    return { ...tried(plan), problems: [] };
  }
  const problems = back.conflicts.map(
    ({ resource, id, field }): Problem => ({
      ...{ path: '', external_id: null, resource, id },
      errors: { [field ?? 'id']: [broken('outdated')] },
    }),
  );
  const { errors } = back;
  return { ...tried(back), problems: [...problems, ...problemOfWhole(errors)] };
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
): Promise<ReleasePlan> {
  const plan = await planRelease(tx, tenantId, release, menu, earliest, true);
  if (!plan.isApplied) return plan;
  const live = { ...release, problems: [], published_by: job };
  await storeRelease(tx, tenantId, { ...live, state: 'live' });
  const { chain } = release;
  if (!chain) return plan;
  const branches = await listBranches(tx, tenantId);
  const chosen = branches.filter(({ slug }) => chain.branches?.includes(slug) ?? true);
  const publisher = { kind: 'clock', name: chain.by } as const;
  const how = { masterId: tenantId, publisher, isDryRun: false, key: null };
  return { ...plan, publications: chosen.map(({ id }) => publicationWrite(id, how)) };
}

/** Takes back what is still as a live release left it, and notes what is not. */
export async function endRelease(
  tx: Db,
  tenantId: number,
  release: Release,
  menu: StoredMenu,
): Promise<Changed> {
  const { problems, ...plan } = await planEnd(tx, tenantId, release, menu);
  const stored = await storeDraft(tx, tenantId, plan.draft);
  await storeRelease(tx, tenantId, { ...release, state: 'ended', problems });
  return { ...plan, ...stored, isDryRun: false, isApplied: true };
}

/**
 * Plans releases on the menus on which they will be published: with the scheduled releases before them
 * that fit and are still in force then, without the live ones that end, and with the dishes that are
 * back by then.
 *
 * @param now the present moment
 */
export function createForecast(
  db: Db,
  tenantId: number,
  menu: StoredMenu,
  all: readonly Release[],
  now: Date,
): (release: Release) => Promise<ReleasePlan> {
  /** The menu after some steps, by the ids of their releases. */
  const known = new Map<string, StoredMenu>([['', menu]]);
  const planOn = async (release: Release, before: StoredMenu): Promise<ReleasePlan> => {
    const earliest = earliestOf(release, now);
    const ready = (await endSoldOut(before, earliest.at))?.menu ?? before;
    return planRelease(db, tenantId, release, ready, earliest);
  };
  const take = async ({ release, isEnd }: ReleaseStep, before: StoredMenu): Promise<StoredMenu> => {
    if (isEnd) return (await planEnd(db, tenantId, release, before)).draft.menu;
    const { draft, problems } = await planOn(release, before);
    return problems.length > 0 ? draft.before : draft.menu;
  };
  const menuWith = async (steps: readonly ReleaseStep[]): Promise<StoredMenu> => {
    const key = steps.map(({ release }) => release.id).join();
    const found = known.get(key);
    if (found) return found;
    const after = await take(steps.at(-1) as ReleaseStep, await menuWith(steps.slice(0, -1)));
    known.set(key, after);
    return after;
  };
  return async (release) => planOn(release, await menuWith(stepsBefore(all, release)));
}

/**
 * Makes dishes, sizes and options available whose time of being sold out is over at a moment; null when
 * there are none.
 *
 * @throws Error when the engine refuses one
 */
export async function endSoldOut(menu: StoredMenu, at: Date): Promise<Draft | null> {
  const isOver = ({ sold_out_until: end }: Row) =>
    typeof end === 'string' && Date.parse(end) <= at.getTime();
  const operationsOf = (record: RecordType, list: string): SentOperation[] => {
    const back = (rows: readonly Row[]) =>
      rows.map((row) => (isOver(row) ? soldOutPart(row, null) : row));
    return recordsOf(menu, record).flatMap((row): SentOperation[] => {
      const rows = rowsIn(row[list]);
      const data = {
        ...(isOver(row) && { sold_out_until: null }),
        ...(rows.some(isOver) && { [list]: back(rows) }),
      };
      const operation = { resource: record.resource, id: row.id, action: 'update', data };
      return Object.keys(data).length > 0 ? [{ operation, path: '', isChecked: true }] : [];
    });
  };
  const { items, modifier_groups: groups } = records;
  const operations = [...operationsOf(items, 'variants'), ...operationsOf(groups, 'options')];
  if (operations.length === 0) return null;
  const rules = { namesOnce: true, earliest: null };
  const { draft, results } = await planChange(menu, (to) => planOperations(to, operations, rules));
  const wrong = results.find(({ outcome }) => outcome !== 'updated');
  if (wrong)
    throw new Error(`the clock cannot change ${wrong.resource} ${wrong.id}: ${wrong.outcome}`);
  return draft;
}

import type { Db } from '../../db/postgres/sql.ts';
import { constants } from '../../db/runtime/constants.ts';
import { inSlices } from '../../db/runtime/in-slices.ts';
import type { OperationResult } from '../../db/schema/bulk.ts';
import type { Problem, Release } from '../../db/schema/release.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { checkWhole } from '../writes/bulk/check-whole.ts';
import { createDraft, type Draft } from '../writes/bulk/draft.ts';
import { planOperations } from '../writes/bulk/plan.ts';

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

/** Plans the operations of a release on a draft of a menu, all of them or none. */
export async function planRelease(
  db: Db,
  tenantId: number,
  { operations }: Pick<Release, 'operations'>,
  menu: StoredMenu,
): Promise<ReleasePlan> {
  const draft = createDraft(menu);
  const sent = operations.map((operation, at) => ({ operation, path: `operations.${at}` }));
  // Moments of its operations may be over by now.
  const planning = planOperations(draft, sent, { namesOnce: false, earliest: null });
  const { results, ignored } = await inSlices(planning, constants.writeSlice);
  const errors = await checkWhole(db, tenantId, draft);
  const whole: Problem[] =
    Object.keys(errors).length > 0
      ? [{ path: '', resource: null, id: null, external_id: null, errors }]
      : [];
  return { draft, results, ignored, problems: [...problemsOf(results), ...whole] };
}

/** Whether a release is still in force when another one begins. */
function isOnAt({ ends_at }: Release, { starts_at }: Release): boolean {
  return ends_at === null || starts_at === null || ends_at > starts_at;
}

/** The scheduled releases that are published before another one, in their order. */
export function releasesBefore(all: readonly Release[], { id, starts_at }: Release): Release[] {
  if (starts_at === null) return [];
  const isEarlier = (one: Release) =>
    one.starts_at !== null &&
    (one.starts_at < starts_at || (one.starts_at === starts_at && one.id < id));
  return all
    .filter((one) => one.state === 'scheduled' && isEarlier(one))
    .sort(
      (left, right) =>
        ((left.starts_at ?? '') < (right.starts_at ?? '') ? -1 : 1) || left.id - right.id,
    );
}

/**
 * The menu on which a release will be published: with the scheduled releases before it that fit and are
 * still in force then.
 */
export function createForecast(
  db: Db,
  tenantId: number,
  menu: StoredMenu,
  all: readonly Release[],
) {
  /** The menu after some releases, by their ids. */
  const known = new Map<string, StoredMenu>([['', menu]]);
  const menuWith = async (releases: readonly Release[]): Promise<StoredMenu> => {
    const key = releases.map(({ id }) => id).join();
    const found = known.get(key);
    if (found) return found;
    const before = await menuWith(releases.slice(0, -1));
    const { draft, problems } = await planRelease(db, tenantId, releases.at(-1) as Release, before);
    const after = problems.length > 0 ? before : draft.menu;
    known.set(key, after);
    return after;
  };
  return {
    /** The menu before a release is published. */
    before: (release: Release) =>
      menuWith(releasesBefore(all, release).filter((one) => isOnAt(one, release))),
  };
}

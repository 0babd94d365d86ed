import { planChange } from '../../db/menu/change.ts';
import type { Draft } from '../../db/menu/draft.ts';
import { planOperations } from '../../db/menu/plan.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { type Release, type ReleaseStep, stepsBefore } from '../../db/schema/release.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { earliestOf, planEnd, planRelease } from './plan-release.ts';

/**
 * The menu on which a release will be published: with the scheduled releases before it that fit and are
 * still in force then, without the live ones that end, and with the dishes that are back by then.
 *
 * @param now the present moment
 */
export function createForecast(
  db: Db,
  tenantId: number,
  menu: StoredMenu,
  all: readonly Release[],
  now: Date,
) {
  /** The menu after some steps, by the ids of their releases. */
  const known = new Map<string, StoredMenu>([['', menu]]);
  const take = async ({ release, isEnd }: ReleaseStep, before: StoredMenu): Promise<StoredMenu> => {
    if (isEnd) return (await planEnd(db, tenantId, release, before)).draft?.menu ?? before;
    const earliest = earliestOf(release, now);
    const ready = (await endSoldOut(before, earliest.at))?.menu ?? before;
    const { draft, problems } = await planRelease(db, tenantId, release, ready, earliest);
    return problems.length > 0 ? ready : draft.menu;
  };
  const menuWith = async (steps: readonly ReleaseStep[]): Promise<StoredMenu> => {
    const key = steps.map(({ release }) => release.id).join();
    const found = known.get(key);
    if (found) return found;
    const after = await take(steps.at(-1) as ReleaseStep, await menuWith(steps.slice(0, -1)));
    known.set(key, after);
    return after;
  };
  return {
    /** The menu before a release is published. */
    before: async (release: Release): Promise<StoredMenu> => {
      const before = await menuWith(stepsBefore(all, release));
      return (await endSoldOut(before, earliestOf(release, now).at))?.menu ?? before;
    },
  };
}

/**
 * Makes dishes available whose time of being sold out is over at a moment; null when there are none.
 *
 * @throws Error when the engine refuses one
 */
export async function endSoldOut(menu: StoredMenu, at: Date): Promise<Draft | null> {
  const isOver = (until: string | null) => until !== null && Date.parse(until) <= at.getTime();
  const operations = menu.dishes
    .filter(({ sold_out_until }) => isOver(sold_out_until))
    .map(({ id }) => ({
      operation: { resource: 'items', action: 'update', id, data: { sold_out_until: null } },
      path: '',
      isChecked: true as const,
    }));
  if (operations.length === 0) return null;
  const rules = { namesOnce: true, earliest: null };
  const { draft, results } = await planChange(menu, (to) => planOperations(to, operations, rules));
  const wrong = results.find(({ outcome }) => outcome !== 'updated');
  if (wrong) throw new Error(`the clock cannot change item ${wrong.id}: ${wrong.outcome}`);
  return draft;
}

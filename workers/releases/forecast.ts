import type { Db } from '../../db/postgres/sql.ts';
import type { Release } from '../../db/schema/release.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { endSoldOut } from './end-sold-out.ts';
import { earliestOf, planEnd, planRelease } from './plan-release.ts';

/** A release that begins or ends before another one. */
export interface Step {
  release: Release;
  isEnd: boolean;
  moment: string;
}

/** Whether a step comes first; an end comes before a beginning of the same moment. */
function inOrder(left: Step, right: Step): number {
  if (left.moment !== right.moment) return left.moment < right.moment ? -1 : 1;
  return Number(right.isEnd) - Number(left.isEnd) || left.release.id - right.release.id;
}

/** The step of a release that the clock takes next; null for none. */
function nextStep(release: Release): Step | null {
  const { state, starts_at, ends_at } = release;
  const moment = state === 'scheduled' ? starts_at : state === 'live' ? ends_at : null;
  return moment === null ? null : { release, isEnd: state === 'live', moment };
}

/** The steps of releases that the clock takes until a moment, in their order. */
export function stepsUntil(all: readonly Release[], until: string): Step[] {
  return all
    .flatMap((one) => nextStep(one) ?? [])
    .filter(({ moment }) => moment <= until)
    .sort(inOrder);
}

/** The steps before a scheduled release begins. One that ends by then leaves nothing to it. */
function stepsBefore(all: readonly Release[], release: Release): Step[] {
  const own = nextStep(release);
  if (release.state !== 'scheduled' || own === null) return [];
  return stepsUntil(all, own.moment).filter(
    (step) =>
      inOrder(step, own) < 0 &&
      (step.isEnd || step.release.ends_at === null || step.release.ends_at > own.moment),
  );
}

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
  const take = async ({ release, isEnd }: Step, before: StoredMenu): Promise<StoredMenu> => {
    if (isEnd) return (await planEnd(db, tenantId, release, before)).draft?.menu ?? before;
    const earliest = earliestOf(release, now);
    const ready = (await endSoldOut(before, earliest.at))?.menu ?? before;
    const { draft, problems } = await planRelease(db, tenantId, release, ready, earliest);
    return problems.length > 0 ? ready : draft.menu;
  };
  const menuWith = async (steps: readonly Step[]): Promise<StoredMenu> => {
    const key = steps.map(({ release }) => release.id).join();
    const found = known.get(key);
    if (found) return found;
    const after = await take(steps.at(-1) as Step, await menuWith(steps.slice(0, -1)));
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

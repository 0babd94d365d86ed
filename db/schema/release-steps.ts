import type { Release } from './release.ts';

/** A release that begins or ends before another one. */
export interface ReleaseStep {
  release: Release;
  isEnd: boolean;
  moment: string;
}

/** Whether a step comes first; an end comes before a beginning of the same moment. */
function inOrder(left: ReleaseStep, right: ReleaseStep): number {
  if (left.moment !== right.moment) return left.moment < right.moment ? -1 : 1;
  return Number(right.isEnd) - Number(left.isEnd) || left.release.id - right.release.id;
}

/** The step of a release that the clock takes next; null for none. */
function nextStep(release: Release): ReleaseStep | null {
  const { state, starts_at, ends_at } = release;
  const moment = state === 'scheduled' ? starts_at : state === 'live' ? ends_at : null;
  return moment === null ? null : { release, isEnd: state === 'live', moment };
}

/** The steps of releases that the clock takes until a moment, in their order. */
export function stepsUntil(all: readonly Release[], until: string): ReleaseStep[] {
  return all
    .flatMap((one) => nextStep(one) ?? [])
    .filter(({ moment }) => moment <= until)
    .sort(inOrder);
}

/** The steps before a scheduled release begins. One that ends by then leaves nothing to it. */
export function stepsBefore(all: readonly Release[], release: Release): ReleaseStep[] {
  const own = nextStep(release);
  if (release.state !== 'scheduled' || own === null) return [];
  return stepsUntil(all, own.moment).filter(
    (step) =>
      inOrder(step, own) < 0 &&
      (step.isEnd || step.release.ends_at === null || step.release.ends_at > own.moment),
  );
}

import type { Settings } from '../schema/settings.ts';

/** Below this a dish may say 0 (21 CFR 101.11 (b)(2)(i)(A)(2)). */
const NOTHING_BELOW = 5;
/** Up to this calories are said to the nearest 5, above it to the nearest 10. */
const FINE_UP_TO = 50;

/** Calories as menus of the United States round them. */
function roundCalories(kcal: number): number {
  if (kcal < NOTHING_BELOW) return 0;
  const step = kcal <= FINE_UP_TO ? 5 : 10;
  return Math.round(kcal / step) * step;
}

/** The energy of a dish as the restaurant's country writes it. */
export function shownCalories(kcal: number, { country }: Partial<Pick<Settings, 'country'>>) {
  return country === 'US' ? `${roundCalories(kcal)} Cal` : `${kcal} kcal`;
}

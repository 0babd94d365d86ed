import type { Dish } from '../../../db/schema/dish.ts';
import type { Reading } from '../menu-view.ts';

/** Narrow spaces at which no line ends: the marks of a dish stay together. */
const DOT = '\u202f·\u202f';

/** The numbers of the allergens that a dish contains or may contain, in order. */
export function allergenNumbers({ allergens, traces }: Dish, reading: Reading): number[] {
  return [...allergens, ...traces]
    .map((key) => Number(reading.allergens.get(key)?.mark ?? 0))
    .filter(Boolean)
    .sort((a, b) => a - b);
}

/** The signs under which the legend has what a dish contains: allergens, then additives. */
export function marksOf(dish: Dish, reading: Reading): string {
  const contained = allergenNumbers({ ...dish, traces: [] }, reading);
  const letters = dish.additives.map((key) => reading.additives.get(key)?.mark ?? '').sort();
  return [...contained, ...letters].join(DOT);
}

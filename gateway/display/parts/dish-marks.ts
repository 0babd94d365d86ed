import type { Dish } from '../../../db/schema/dish.ts';
import type { Reading } from '../menu-view.ts';

/** Between two marks: where they need two lines, one ends behind the dot. */
const DOT = '\u2009\u2060·\u2009';

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

import type { Dish } from '../schema/dish.ts';
import { EU_COUNTRIES } from '../schema/values/country.ts';
import type { Sentence } from './countries/country-law.ts';
import { holdsFor, type LegalPlace, lawsOf } from './laws.ts';

/** The fields of a dish on which sentences of laws depend. */
type StatedDish = Pick<Dish, 'kcal' | 'labels' | 'origins'>;

const MEAT: ReadonlySet<string> = new Set(['beef', 'pork', 'sheep', 'poultry', 'meat']);

/** Countries whose law forbids hormones and antibiotics that make animals grow, as the Swiss does. */
function forbidsPromoters(code: string): boolean {
  return code === 'CH' || code === 'LI' || code === 'EU' || EU_COUNTRIES.has(code);
}

/** Meat from another country, unless its note says how it was produced. */
function hasForeignMeat({ origins = [] }: StatedDish): boolean {
  return origins.some(({ kind, country, reared, note }) => {
    const place = reared ?? country;
    return MEAT.has(kind) && note === '' && place !== null && !forbidsPromoters(place);
  });
}

/** Whether a menu has what a sentence is about. */
const FOUND: Record<Sentence['about'], (dishes: readonly StatedDish[]) => boolean> = {
  always: () => true,
  kcal: (dishes) => dishes.some(({ kcal }) => kcal !== null),
  frozen: (dishes) => dishes.some(({ labels }) => labels.includes('frozen')),
  foreign_meat: (dishes) => dishes.some(hasForeignMeat),
};

/**
 * The sentences that laws print on a menu, by the names of their texts.
 *
 * @param place with the restaurant's own words about allergens, which stand for ours
 * @param dishes that guests see
 */
export function statementsOf(
  place: LegalPlace & { allergen_info: string },
  dishes: readonly StatedDish[],
): Sentence['text'][] {
  const all = lawsOf(place).flatMap(({ sentences }) => sentences);
  return all
    .filter((one) => holdsFor(one, place) && FOUND[one.about](dishes))
    .filter(({ text }) => text !== 'askStaff' || place.allergen_info === '')
    .map(({ text }) => text);
}

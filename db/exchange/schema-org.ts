import type { MenuItem, MenuSection, Offer, RestrictedDiet } from 'schema-dts';
import { currencyDecimals } from '../schema/values/currency.ts';
import { SCHEMA_DIETS } from './allergen-crosswalk.ts';

// The menu in the words of schema.org, from what a reader of one language sees.

interface Choice {
  name: string;
  price: number;
  isSoldOut: boolean;
}

/** A dish as schema.org has words for it. */
export interface DescribedDish {
  name: string;
  description: string;
  image: string;
  kcal: number | null;
  labels: readonly string[];
  price: number;
  price_on_request: boolean;
  is_sold_out: boolean;
  variants: readonly { label: string; price: number; is_sold_out?: boolean | undefined }[];
  offers: readonly {
    label: string;
    price: number;
    date_start: string | null;
    date_end: string | null;
    time_start: string | null;
    time_end: string | null;
  }[];
  /** The courses of a set menu, then the groups of options. */
  choices: readonly { name: string; options: readonly Choice[] }[];
}

export interface DescribedSection {
  name: string;
  dishes: readonly DescribedDish[];
  children: readonly DescribedSection[];
}

const SOLD_OUT = 'https://schema.org/SoldOut' as const;

const priced = (price: number, currency: string) => ({
  price: price.toFixed(currencyDecimals(currency)),
  priceCurrency: currency,
});

function offersOf(dish: DescribedDish, currency: string): Offer[] {
  if (dish.price_on_request) return [];
  const { variants, price: usual, is_sold_out: isGone } = dish;
  const one = usual > 0 ? [{ price: usual, is_sold_out: false }] : [];
  return (variants.length > 0 ? variants : one).map((size) => ({
    '@type': 'Offer',
    ...('label' in size && { name: size.label }),
    ...priced(size.price, currency),
    ...((isGone || size.is_sold_out) && { availability: SOLD_OUT }),
  }));
}

/** A price that holds at certain times, with those that schema.org has words for. */
function timedOffer(one: DescribedDish['offers'][number], currency: string): Offer {
  const { label, price, date_start, date_end, time_start, time_end } = one;
  return {
    '@type': 'Offer',
    ...(label && { name: label }),
    ...priced(price, currency),
    ...(date_start && { validFrom: date_start }),
    ...(date_end && { validThrough: date_end }),
    ...(time_start && time_end && { availabilityStarts: time_start, availabilityEnds: time_end }),
  };
}

/** A choice of a course or a group; it costs what it adds to the price of the dish. */
function choice({ name, price, isSoldOut }: Choice, currency: string): MenuItem {
  const offer = {
    ...(price > 0 && priced(price, currency)),
    ...(isSoldOut && { availability: SOLD_OUT }),
  };
  const hasOffer = Object.keys(offer).length > 0;
  return { '@type': 'MenuItem', name, ...(hasOffer && { offers: { '@type': 'Offer', ...offer } }) };
}

function menuItem(dish: DescribedDish, currency: string): MenuItem {
  const timed = dish.offers.map((one) => timedOffer(one, currency));
  const offers = [...offersOf(dish, currency), ...timed];
  const [offer, ...others] = offers;
  const sections = dish.choices.map(
    ({ name, options }): MenuSection => ({
      '@type': 'MenuSection',
      ...(name && { name }),
      hasMenuItem: options.map((one) => choice(one, currency)),
    }),
  );
  const diets = dish.labels.flatMap((label) => SCHEMA_DIETS[label] ?? []) as RestrictedDiet[];
  return {
    '@type': 'MenuItem',
    name: dish.name,
    ...(dish.description && { description: dish.description }),
    ...(dish.image && { image: dish.image }),
    ...(dish.kcal !== null && {
      nutrition: { '@type': 'NutritionInformation' as const, calories: `${dish.kcal} kcal` },
    }),
    ...(diets.length > 0 && { suitableForDiet: diets }),
    ...(sections.length > 0 && { menuAddOn: sections }),
    ...(offer && { offers: others.length === 0 ? offer : offers }),
  };
}

/** A section with its dishes and those below it. A step is one dish. */
export function* describeSection(
  { name, dishes, children }: DescribedSection,
  currency: string,
): Generator<void, MenuSection> {
  const items: MenuItem[] = [];
  for (const dish of dishes) {
    items.push(menuItem(dish, currency));
    yield;
  }
  const sections: MenuSection[] = [];
  for (const child of children) sections.push(yield* describeSection(child, currency));
  return {
    '@type': 'MenuSection',
    name,
    ...(items.length > 0 && { hasMenuItem: items }),
    ...(sections.length > 0 && { hasMenuSection: sections }),
  };
}

/** The facts about a menu beside its sections. */
export const describedMenu = (address: string, language: string, modified: string) => ({
  '@type': 'Menu' as const,
  '@id': `${address}#menu`,
  url: address,
  inLanguage: language,
  dateModified: modified,
});

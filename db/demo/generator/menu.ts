import { ALLERGEN_KEYS } from '../../records/allergen.ts';
import type { Locale } from '../../records/locale.ts';
import type { DemoDish, DemoSection, DemoWinery, Texts } from '../restaurant.ts';
import { boards } from './boards.ts';
import type { Course, Fragment, FullTexts } from './course.ts';
import { desserts } from './desserts.ts';
import { firsts } from './firsts.ts';
import { fish } from './fish.ts';
import { meats } from './meats.ts';
import { pizzas } from './pizzas.ts';
import type { Random } from './random.ts';
import { sides } from './sides.ts';
import { starters } from './starters.ts';
import { SEASONAL, SECTION_NOTES, TRADITIONAL } from './tenants.ts';
import {
  DENOMINATIONS,
  type Denomination,
  ESTATE_KINDS,
  ESTATE_PLACES,
  ESTATE_STORIES,
  PAIRINGS,
  WINE_COLOURS,
  WINE_SECTION,
} from './wines.ts';

/** In the order of a meal, which is the order in which a menu lists those it has. */
const COURSES = [starters, boards, firsts, meats, fish, pizzas, sides, desserts];

/** The languages a menu is written in, the restaurant's own first. */
export type Languages = readonly [Locale, ...Locale[]];

/** Four to seven sections of five to eight dishes: 20 to 56 dishes in all. */
export function composeSections(random: Random, languages: Languages): DemoSection[] {
  const chosen = random.sample(COURSES, random.between(4, 7));
  return COURSES.filter((course) => chosen.includes(course)).map((course) =>
    composeSection(random, languages, course),
  );
}

function composeSection(random: Random, languages: Languages, course: Course): DemoSection {
  const divided = random.chance(0.3);
  const pairs = course.bases.flatMap((base) =>
    course.companions.map((companion) => [base, companion] as const),
  );
  return {
    name: cut(course.name, languages),
    menu_type: 'standard',
    notes: random.chance(0.3) ? random.pick(SECTION_NOTES)[languages[0]] : '',
    show_subcategories: divided,
    types: divided ? [TRADITIONAL, SEASONAL].map((name) => ({ name: cut(name, languages) })) : [],
    dishes: random.sample(pairs, random.between(5, 8)).map(([base, companion]) => ({
      ...composeDish(random, languages, base, companion),
      ...(divided ? { type: random.pick([TRADITIONAL, SEASONAL]).it } : {}),
    })),
    children: [],
  };
}

function composeDish(
  random: Random,
  languages: Languages,
  base: Fragment,
  companion: Fragment,
): DemoDish {
  return {
    name: write(languages, (locale) => `${base.name[locale]} ${companion.name[locale]}`),
    description: write(
      languages,
      (locale) => `${base.description[locale]}. ${companion.description[locale]}.`,
    ),
    price: inCents(base.price + companion.price + random.pick([0, 0, 0.5, 0.9, 1, 1.5])),
    allergens: ALLERGEN_KEYS.filter(
      (key) => base.allergens.includes(key) || companion.allergens.includes(key),
    ),
    is_recommended: random.chance(0.12),
    is_active: !random.chance(0.04),
  };
}

/** Up to ten wines in one section, with a winery for each region that they come from. */
export function composeWines(
  random: Random,
  languages: Languages,
): { wineries: DemoWinery[]; sections: DemoSection[] } {
  const denominations = random.sample(DENOMINATIONS, random.between(0, 10));
  if (denominations.length === 0) return { wineries: [], sections: [] };

  const regions = [...new Set(denominations.map(({ region }) => region))];
  const places = random.sample(ESTATE_PLACES, regions.length);
  const wineries = regions.map((region, index) =>
    composeWinery(random, languages, region, places[index] ?? region),
  );
  const section: DemoSection = {
    name: cut(WINE_SECTION, languages),
    menu_type: 'wine',
    notes: '',
    show_subcategories: true,
    types: Object.values(WINE_COLOURS).map((name) => ({ name: cut(name, languages) })),
    dishes: denominations.map((denomination) => ({
      ...composeWine(random, languages, denomination),
      winery: wineries[regions.indexOf(denomination.region)]?.name ?? denomination.region,
    })),
    children: [],
  };
  return { wineries, sections: [section] };
}

function composeWinery(
  random: Random,
  languages: Languages,
  region: string,
  place: string,
): DemoWinery {
  const host = place.toLowerCase().replaceAll(' ', '-');
  return {
    name: `${random.pick(ESTATE_KINDS)} ${place}`,
    region,
    country: 'Italia',
    website: random.chance(0.7) ? `https://${host}.example` : null,
    description: cut(random.pick(ESTATE_STORIES), languages),
  };
}

function composeWine(random: Random, languages: Languages, wine: Denomination): DemoDish {
  const vintage = random.between(2018, 2023);
  const pairing = random.pick(PAIRINGS[wine.colour]);
  return {
    name: write(languages, () => `${wine.name} ${vintage}`),
    description: write(languages, (locale) => `${wine.character[locale]}. ${pairing[locale]}.`),
    price: inCents(wine.price + random.between(-2, 8)),
    allergens: ['solfiti'],
    type: WINE_COLOURS[wine.colour].it,
    is_recommended: random.chance(0.12),
    is_active: !random.chance(0.04),
  };
}

function cut(texts: FullTexts, languages: Languages): Texts {
  return write(languages, (locale) => texts[locale]);
}

function write(languages: Languages, text: (locale: Locale) => string): Texts {
  const texts: Texts = {};
  for (const locale of languages) texts[locale] = text(locale);
  return texts;
}

/** Sums of decimal fractions carry binary dust; a price has two decimals. */
function inCents(price: number): number {
  return Math.round(price * 100) / 100;
}

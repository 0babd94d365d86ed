import { HEADER_STYLES, LAYOUT_VARIANTS } from '../../schema/theme.ts';
import type { Locale, Translations } from '../../schema/values/locale.ts';
import { trattoria } from './menus.ts';
import { type Random, seededRandom } from './random.ts';
import type { DemoRestaurant, DishEntry, SectionEntry } from './restaurant.ts';

const HOUSE_KINDS = ['Osteria', 'Trattoria', 'Locanda', 'Taverna', 'Ristorante', 'Bistrot'];
const HOUSE_PLACES = [
  'del Borgo',
  'al Ponte',
  'della Piazza',
  'del Mulino',
  'ai Due Leoni',
  'alla Fontana',
  'al Vecchio Forno',
  'dei Cacciatori',
];

/** Which languages a restaurant publishes, its own first; Italian is in all of them. */
const LANGUAGE_SETS: [Locale, ...Locale[]][] = [
  ['it'],
  ['it', 'en'],
  ['it', 'en', 'de'],
  ['it', 'en', 'fr', 'de', 'es'],
  ['de', 'it', 'en'],
  ['fr', 'it'],
];

/** Menus that differ; restaurants beyond these have the same ones again. */
export const GENERATED_MENUS = 1_000;

function dishesOf({ external_id }: SectionEntry): DishEntry[] {
  return trattoria.items.filter((dish) => dish.category_external_id === external_id);
}

/** The sections of `trattoria` with enough dishes to choose from, whichever stand above them. */
const SECTIONS = trattoria.categories.filter((section) => dishesOf(section).length >= 5);

/** The texts of a record in some languages. */
function cut(texts: Translations, languages: readonly Locale[]): Translations {
  return Object.fromEntries(languages.map((locale) => [locale, texts[locale]]));
}

/** Some dishes of a section. */
function chooseDishes(section: SectionEntry, random: Random, languages: readonly Locale[]) {
  return random.sample(dishesOf(section), random.between(5, 8)).map((dish) => ({
    ...dish,
    name: cut(dish.name, languages),
    description: cut(dish.description ?? {}, languages),
  }));
}

function generateName(random: Random): string {
  return `${random.pick(HOUSE_KINDS)} ${random.pick(HOUSE_PLACES)}`;
}

function slugOf(name: string, index: number): string {
  return `${name.toLowerCase().replaceAll(' ', '-')}-${String(index).padStart(5, '0')}`;
}

/** The slug of the restaurant that `generateRestaurant` makes. */
export function generateSlug(index: number): string {
  return slugOf(generateName(seededRandom(index % GENERATED_MENUS)), index);
}

/**
 * A restaurant with a choice of the sections and dishes of `trattoria`, always the same one for the
 * same index: some 35 dishes and wines, in Italian and up to four more languages. Its slug ends in
 * the index and is therefore unique; a name may occur more than once.
 *
 * @param index a whole number from 0
 */
export function generateRestaurant(index: number): DemoRestaurant {
  const random = seededRandom(index % GENERATED_MENUS);
  const name = generateName(random);
  const languages = random.pick(LANGUAGE_SETS);
  const sections = random.sample(SECTIONS, random.between(4, 8));
  const chosen = new Set(sections.map(({ external_id }) => external_id));
  return {
    slug: slugOf(name, index),
    format: trattoria.format,
    settings: {
      ...trattoria.settings,
      name,
      default_locale: languages[0],
      supported_locales: [...languages],
    },
    theme: {
      ...trattoria.theme,
      layout_variant: random.pick(LAYOUT_VARIANTS),
      header_style: random.pick(HEADER_STYLES),
    },
    wineries: trattoria.wineries.map((winery) => ({
      ...winery,
      description: cut(winery.description, languages),
    })),
    categories: sections.map(({ parent_external_id, ...section }) => ({
      ...section,
      name: cut(section.name, languages),
    })),
    types: trattoria.types
      .filter(({ category_external_id }) => chosen.has(category_external_id))
      .map((type) => ({ ...type, name: cut(type.name, languages) })),
    items: sections.flatMap((section) => chooseDishes(section, random, languages)),
  };
}

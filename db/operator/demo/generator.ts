import type { Database } from '../../postgres/connection.ts';
import type { Db } from '../../postgres/sql.ts';
import { HEADER_STYLES, LAYOUT_VARIANTS } from '../../schema/theme.ts';
import type { Locale, Translations } from '../../schema/values/locale.ts';
import { copyTenant, findTenantId } from '../../sql/tenants.ts';
import {
  type DemoRestaurant,
  type DishEntry,
  plantRestaurant,
  type SectionEntry,
  trattoria,
} from './restaurant.ts';

/** A repeatable source of choices. */
export interface Random {
  /** An integer from `least` to `most`, both included. */
  between(least: number, most: number): number;
  pick<T>(choices: readonly T[]): T;
  /** `count` different elements in random order, or all of them when there are fewer. */
  sample<T>(choices: readonly T[], count: number): T[];
}

/** mulberry32: 32 bits of state are plenty for menus, and every seed gives its own sequence. */
export function seededRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1);

  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  function between(least: number, most: number): number {
    return least + Math.floor(next() * (most - least + 1));
  }

  return {
    between,
    pick(choices) {
      return choices[between(0, choices.length - 1)] as (typeof choices)[number];
    },
    sample(choices, count) {
      const left = [...choices];
      const taken: typeof left = [];
      while (taken.length < count && left.length > 0) {
        taken.push(...left.splice(between(0, left.length - 1), 1));
      }
      return taken;
    },
  };
}

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
const GENERATED_MENUS = 1_000;

function dishesOf({ external_id }: SectionEntry): DishEntry[] {
  return trattoria.items.filter((dish) => dish.category_external_id === external_id);
}

/** The sections of `trattoria` with enough dishes to choose from, whichever stand above them. */
const SECTIONS = trattoria.categories.filter((section) => dishesOf(section).length >= 5);

function cut(texts: Translations, languages: readonly Locale[]): Translations {
  return Object.fromEntries(languages.map((locale) => [locale, texts[locale]]));
}

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

/** Menus planted at a time. */
const concurrency = 4;

/** The head of a copy's snapshots: that of its origin, but for what names the restaurant. */
function headFor(head: string, { tenantId, slug }: { tenantId: number; slug: string }): string {
  const { settings, ...rest }: { settings: Record<string, string> } = JSON.parse(head);
  const own = Object.entries(settings).map(([locale, text]) => {
    return [locale, JSON.stringify({ ...JSON.parse(text), id: tenantId, slug })];
  });
  return JSON.stringify({ ...rest, settings: Object.fromEntries(own) });
}

/** Plants a generated menu in the first restaurant that has it, and copies it to the others. */
async function plantMenu(db: Db, index: number, count: number, menus: number): Promise<number> {
  const origin = generateRestaurant(index);
  const planted = await plantRestaurant(db, origin);
  const originId = planted ?? (await findTenantId(db, origin.slug));
  if (originId === null) return 0;
  const slugs: string[] = [];
  for (let other = index + menus; other < count; other += menus) {
    slugs.push(generateSlug(other));
  }
  const copied = slugs.length > 0 ? await copyTenant(db, originId, slugs, headFor) : 0;
  return copied + (planted === null ? 0 : 1);
}

/**
 * Plants the first `count` generated restaurants, passing over those that are there already, and
 * returns how many are new.
 *
 * @param menus how many of them are built; the others are copies
 */
export async function plantGenerated(
  database: Database,
  count: number,
  progressOf: (what: string, done: number, total: number) => void,
  menus = GENERATED_MENUS,
): Promise<number> {
  let next = 0;
  let done = 0;
  let planted = 0;
  const plantNext = async () => {
    while (next < Math.min(count, menus)) {
      const index = next;
      next += 1;
      const added = await database.transaction((db) => plantMenu(db, index, count, menus));
      planted += added;
      done += Math.ceil((count - index) / menus);
      progressOf('planting', done, count);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, plantNext));
  return planted;
}

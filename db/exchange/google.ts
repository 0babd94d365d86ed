import { type Locale, localize, type Translations } from '../schema/values/locale.ts';
import type { Row } from '../schema/values/row.ts';
import { GOOGLE_ALLERGENS, GOOGLE_DIETS, GOOGLE_WHEAT } from './allergen-crosswalk.ts';
import {
  containedKinds,
  joinedNames,
  namedSettings,
  nameSizes,
  type OutFormat,
  type OutMenu,
  type SentDish,
} from './out-menu.ts';
import type { Reported } from './report.ts';

// Food Menus of the Google Business Profile: one document that replaces the menu of a place.

/** In characters. */
const MOST = { displayName: 140, description: 1_000 };

export const googleOut: OutFormat = {
  write,
  hasNoKeys: true,
  carries: {
    items: [
      ...['description', 'variants', 'allergens', 'allergen_detail', 'labels', 'kcal'],
      ...['serves', 'ingredients'],
    ],
    categories: ['notes'],
    groups: [],
    settings: ['name', 'currency', 'default_locale'],
  },
};

/** A label a language; the texts of other languages are named in the report. */
function labelsOf(
  { locales, losses, settings }: OutMenu,
  record: Reported,
  field: string,
  name: Translations,
  description: Translations = {},
) {
  const isSent = (code: string) => locales.includes(code as Locale);
  for (const [texts, own] of [
    [name, field],
    [description, 'description'],
  ] as const) {
    if (Object.keys(texts).some((code) => !isSent(code))) {
      losses.lossy(record, own, 'languageLeftOut');
    }
  }
  const label = (languageCode: string, displayName: string, more = '') => ({
    displayName: losses.cut(record, field, displayName, MOST.displayName),
    ...(more && {
      description: losses.cut(record, 'description', more, MOST.description),
    }),
    languageCode,
  });
  const labels = locales.flatMap((locale) => {
    const text = name[locale];
    if (text) return [label(locale, text, description[locale])];
    if (description[locale]) losses.lossy(record, 'description', 'languageLeftOut');
    return [];
  });
  if (labels.length > 0) return labels;
  // A label must have a text: the one that readers of the first language see.
  const fallback = settings.fallback_locale as Locale;
  const usual = settings.default_locale as Locale;
  const [locale = usual] = locales;
  const reading = { locale, fallback, usual };
  losses.lossy(record, field, 'languageAssumed');
  return [label(locale, localize(name, reading), localize(description, reading))];
}

function moneyOf({ currency }: OutMenu, amount: number) {
  const units = Math.trunc(amount);
  const nanos = Math.round((amount - units) * 1_000_000) * 1_000;
  return { currencyCode: currency, units: String(units), ...(nanos !== 0 && { nanos }) };
}

/** Google's words for the allergens of a dish; those without a word are named. */
function allergensOf(menu: OutMenu, dish: SentDish): string[] {
  const { losses } = menu;
  const { allergens } = dish.row;
  const kinds = containedKinds(menu, dish);
  if (allergens === null) return [];
  if (allergens.length === 0) losses.lossy(dish, 'allergens', 'noneLeftOut');
  const words = new Set<string>();
  for (const key of allergens) {
    const word = GOOGLE_ALLERGENS[key];
    // Gluten of wheat alone is carried whole.
    if (key === 'cereali_glutine' && kinds.includes('grano')) continue;
    if (word === undefined) losses.lossy(dish, 'allergens', 'unsupportedAllergen');
    else words.add(word);
    if (word === 'SHELLFISH') losses.lossy(dish, 'allergens', 'joinedAllergen');
  }
  if (kinds.includes('grano')) words.add(GOOGLE_WHEAT);
  if (kinds.some((kind) => kind !== 'grano')) {
    losses.lossy(dish, 'allergen_detail', 'unsupportedAllergen');
  }
  return [...words];
}

function dietsOf({ losses }: OutMenu, dish: SentDish): { diets: string[]; isSpicy: boolean } {
  const diets = dish.row.labels.flatMap((label) => GOOGLE_DIETS[label] ?? []);
  const isSpicy = dish.row.labels.includes('spicy');
  const known = diets.length + (isSpicy ? 1 : 0);
  if (known < dish.row.labels.length) losses.lossy(dish, 'labels', 'noPlace');
  return { diets, isSpicy };
}

function portionOf(menu: OutMenu, dish: SentDish, label: Translations) {
  return { portionSize: { quantity: 1, unit: labelsOf(menu, dish, 'variants', label) } };
}

function attributesOf(menu: OutMenu, dish: SentDish) {
  const { row } = dish;
  const { diets, isSpicy } = dietsOf(menu, dish);
  const allergen = allergensOf(menu, dish);
  const [first] = row.variants;
  const fact = { lowerAmount: row.kcal, upperAmount: row.kcal, unit: 'CALORIE' };
  const { ingredients = {} } = row;
  return {
    price: moneyOf(menu, first?.price ?? row.price),
    ...(isSpicy && { spiciness: 'MEDIUM' }),
    ...(allergen.length > 0 && { allergen }),
    ...(diets.length > 0 && { dietaryRestriction: diets }),
    ...(row.kcal !== null && { nutritionFacts: { calories: fact } }),
    ...(typeof row.serves === 'number' && { servesNumPeople: row.serves }),
    ...(Object.keys(ingredients).length > 0 && {
      ingredients: [{ labels: labelsOf(menu, dish, 'ingredients', ingredients) }],
    }),
    ...(first && portionOf(menu, dish, first.label)),
  };
}

function itemOf(menu: OutMenu, dish: SentDish) {
  const { row } = dish;
  nameSizes(menu, dish);
  // The item itself is the first size.
  const others = row.variants.slice(1).map(({ label, price }) => ({
    labels: labelsOf(menu, dish, 'variants', label),
    attributes: { price: moneyOf(menu, price), ...portionOf(menu, dish, label) },
  }));
  return {
    labels: labelsOf(menu, dish, 'name', row.name, row.description),
    attributes: attributesOf(menu, dish),
    ...(others.length > 0 && { options: others }),
  };
}

function* write(menu: OutMenu): Generator<void, Row> {
  const { settings, options, losses } = menu;
  const sections: Row[] = [];
  for (const section of menu.sections) {
    const items: Row[] = [];
    for (const dish of section.dishes) {
      items.push(itemOf(menu, dish));
      yield;
    }
    const named = labelsOf(menu, section, 'name', joinedNames(section));
    const notes = (section.row.notes ?? {}) as Translations;
    const labels = named.map((label) => {
      const text = notes[label.languageCode as Locale];
      if (!text) return label;
      return { ...label, description: losses.cut(section, 'notes', text, MOST.description) };
    });
    const said = new Set(labels.map(({ languageCode }) => languageCode));
    if (Object.keys(notes).some((code) => !said.has(code))) {
      losses.lossy(section, 'notes', 'languageLeftOut');
    }
    sections.push({ labels, items });
  }
  const restaurant = namedSettings(settings);
  const label = {
    displayName: losses.cut(restaurant, 'name', restaurant.name, MOST.displayName),
    languageCode: String(settings.default_locale),
  };
  const sourceUrl = `${options.origin}/`;
  return {
    // Google's name of the place, which only its owner knows.
    name: 'accounts/-/locations/-/foodMenus',
    menus: sections.length > 0 ? [{ labels: [label], sourceUrl, sections }] : [],
  };
}

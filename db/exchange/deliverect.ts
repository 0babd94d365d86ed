import { type Locale, localize, type Translations } from '../schema/values/locale.ts';
import type { Row } from '../schema/values/row.ts';
import {
  DELIVERECT_ALCOHOL,
  DELIVERECT_ALLERGENS,
  DELIVERECT_DIETS,
  DELIVERECT_KINDS,
} from './allergen-crosswalk.ts';
import { createFlatGroups, type FlatGroup, leastPrice } from './flat-groups.ts';
import {
  containedKinds,
  hundredthsOf,
  joinedNames,
  nameMissingVat,
  type OutFormat,
  type OutMenu,
  type SentDish,
  saysAlcohol,
  vatOf,
} from './out-menu.ts';
import type { Reported } from './report.ts';
import { englishAdditive } from './tag-names.ts';

// Deliverect’s products and categories, as a till pushes them.

const PRODUCT = 1;
const MODIFIER = 2;
const GROUP = 3;
/** Of a percent, for taxes. */
const THOUSANDTHS = 1_000;

export const deliverectOut: OutFormat = {
  write,
  carries: {
    items: [
      ...['description', 'variants', 'courses', 'modifier_group_ids', 'allergens', 'labels'],
      ...['allergen_detail', 'additives', 'ingredients', 'photo_id', 'photo_url'],
    ],
    categories: ['notes'],
    groups: ['min', 'max', 'options'],
    settings: [],
  },
};

/** A text with its translations, and the names of the fields in which they stand. */
function texts(
  menu: OutMenu,
  record: Reported,
  field: string,
  own: Translations,
  name: string,
): Row {
  const { locale, locales, losses, settings } = menu;
  const fallback = settings.fallback_locale as Locale;
  const text = localize(own, { locale, fallback, usual: locale });
  if (!text) return {};
  const sent = locales.flatMap((code) => (own[code] ? [[code, own[code]] as const] : []));
  const isWhole = Object.keys(own).every((code) => locales.includes(code as Locale));
  if (!isWhole) losses.lossy(record, field, 'languageLeftOut');
  return {
    [name]: text,
    ...(sent.length > 0 && { [`${name}Translations`]: Object.fromEntries(sent) }),
  };
}

function tagsOf(menu: OutMenu, dish: SentDish): number[] {
  const { row } = dish;
  const { losses } = menu;
  const { allergens, labels } = row;
  if (allergens?.length === 0) losses.lossy(dish, 'allergens', 'noneLeftOut');
  const diets = labels.flatMap((label) => DELIVERECT_DIETS[label] ?? []);
  if (diets.length < labels.length) losses.lossy(dish, 'labels', 'noPlace');
  return [
    ...(saysAlcohol(row) ? [DELIVERECT_ALCOHOL] : []),
    ...diets,
    ...(allergens ?? []).map((key) => DELIVERECT_ALLERGENS[key]),
    ...containedKinds(menu, dish).map((kind) => DELIVERECT_KINDS[kind]),
  ];
}

function supplementOf(menu: OutMenu, dish: SentDish): Row {
  const { additives, ingredients } = dish.row;
  const text = menu.one(dish, 'ingredients', ingredients);
  return {
    ...(text && { ingredients: [text] }),
    ...(additives.length > 0 && { additives: additives.map(englishAdditive) }),
  };
}

function taxesOf(menu: OutMenu, dish: SentDish): Row {
  const rate = vatOf(menu, dish);
  if (rate === null) return {};
  const tax = Math.round(rate * THOUSANDTHS);
  return { deliveryTax: tax, takeawayTax: tax, eatInTax: tax };
}

function productOf(menu: OutMenu, dish: SentDish, groups: readonly FlatGroup[]): Row {
  const { row, key } = dish;
  const tags = tagsOf(menu, dish);
  const supplement = supplementOf(menu, dish);
  return {
    productType: PRODUCT,
    plu: key,
    ...texts(menu, dish, 'name', row.name, 'name'),
    ...texts(menu, dish, 'description', row.description, 'description'),
    price: hundredthsOf(menu, dish, leastPrice(dish)),
    posCategoryIds: [dish.section.key],
    ...(dish.image && { imageUrl: dish.image }),
    ...(tags.length > 0 && { productTags: tags }),
    ...(groups.length > 0 && { subProducts: groups.map((group) => group.key) }),
    ...(Object.keys(supplement).length > 0 && { supplementalInfo: supplement }),
    ...taxesOf(menu, dish),
  };
}

function groupProducts(menu: OutMenu, group: FlatGroup): Row[] {
  const { of, field, key, min, max } = group;
  const inside = field === 'name' ? 'options' : field;
  const options = group.options.map((option): Row => {
    const { allergens } = option;
    if (option.isSoldOut) menu.losses.lossy(of, 'options', 'soldOut');
    if (allergens?.length === 0) menu.losses.lossy(of, 'options', 'noneLeftOut');
    if (option.abv_percent) menu.losses.lossy(of, field, 'noPlace');
    const tags = (allergens ?? []).map((one) => DELIVERECT_ALLERGENS[one]);
    return {
      productType: MODIFIER,
      plu: option.key,
      ...texts(menu, of, inside, option.name, 'name'),
      price: hundredthsOf(menu, of, option.price),
      ...(tags.length > 0 && { productTags: tags }),
    };
  });
  const own = {
    productType: GROUP,
    plu: key,
    ...texts(menu, of, field, group.name, 'name'),
    price: 0,
    min,
    // 0 is any number.
    max: max ?? 0,
    subProducts: group.options.map((option) => option.key),
  };
  return [own, ...options];
}

function* write(menu: OutMenu): Generator<void, Row> {
  nameMissingVat(menu);
  const groups = createFlatGroups(menu);
  const categories: Row[] = [];
  const products: Row[] = [];
  for (const section of menu.sections) {
    const notes = (section.row.notes ?? {}) as Translations;
    categories.push({
      ...texts(menu, section, 'name', joinedNames(section), 'name'),
      posCategoryId: section.key,
      ...(Object.keys(notes).length > 0 && { description: menu.one(section, 'notes', notes) }),
    });
    for (const dish of section.dishes) {
      products.push(productOf(menu, dish, [...groups.own(dish), ...groups.shared(dish)]));
      yield;
    }
  }
  for (const group of groups.all) {
    products.push(...groupProducts(menu, group));
    yield;
  }
  // The ids of the account and the place, which Deliverect gives.
  return { accountId: '', locationId: '', products, categories };
}

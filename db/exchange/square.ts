import { createHash } from 'node:crypto';
import { escapeUTF8 } from 'entities/escape';
import type { Translations } from '../schema/values/locale.ts';
import { type Row, rowsIn } from '../schema/values/row.ts';
import { SQUARE_DIETS, SQUARE_INGREDIENTS } from './allergen-crosswalk.ts';
import { DAY_END, timeOf, weekOf } from './day-spans.ts';
import { createFlatGroups, type FlatGroup } from './flat-groups.ts';
import {
  containedKinds,
  namedSettings,
  nameSizes,
  type OutFormat,
  type OutMenu,
  type SentDish,
  type SentSection,
  saysAlcohol,
} from './out-menu.ts';
import { englishKind, englishLabel } from './tag-names.ts';

// Square's catalog, as the body of POST /v2/catalog/batch-upsert.

/** In characters. */
const MOST = { item: 512, name: 255 };
/** The most objects of a batch, those within others counted. */
const MOST_OF_BATCH = 1_000;
export const SQUARE_DAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];
/** The name of the one variation of a dish without sizes. */
export const REGULAR = 'Regular';

export const squareOut: OutFormat = {
  write,
  nests: true,
  takesOnRequest: true,
  takesEmpty: true,
  carries: {
    items: [
      ...['description', 'variants', 'courses', 'modifier_group_ids', 'allergens', 'labels'],
      ...['allergen_detail', 'kcal', 'portion'],
    ],
    categories: ['parent_id', 'hours'],
    groups: ['min', 'max', 'options'],
    settings: ['currency'],
  },
};

/** Ids of Square are of one space, so ours name their collection. */
const temporary = (resource: string, key: string) => `#${resource}:${key}`;

const standard = (name: string) => ({ type: 'STANDARD', standard_name: name });
const custom = (name: string) => ({ type: 'CUSTOM', custom_name: name });

function foodDetails(menu: OutMenu, dish: SentDish): Row {
  const { allergens, labels, kcal } = dish.row;
  if (allergens?.length === 0) menu.losses.lossy(dish, 'allergens', 'noneLeftOut');
  const preferences = labels.map((label) => {
    const known = SQUARE_DIETS[label];
    return known ? standard(known) : custom(englishLabel(label));
  });
  const ingredients = [
    ...(allergens ?? []).map((key) => standard(SQUARE_INGREDIENTS[key])),
    ...containedKinds(menu, dish).map((kind) => custom(englishKind(kind))),
  ];
  return {
    ...(kcal !== null && { calorie_count: kcal }),
    ...(preferences.length > 0 && { dietary_preferences: preferences }),
    ...(ingredients.length > 0 && { ingredients }),
  };
}

/** A text as the small HTML that Square shows: a paragraph a line. */
function htmlOf(text: string): string {
  return text
    .split('\n')
    .map((line) => `<p>${escapeUTF8(line)}</p>`)
    .join('');
}

function money({ currency, units }: OutMenu, amount: number) {
  return { amount: units(amount), currency };
}

function variationsOf(menu: OutMenu, dish: SentDish): Row[] {
  const { row, key } = dish;
  nameSizes(menu, dish);
  const portion = menu.one(dish, 'portion', row.portion, MOST.name);
  if (portion && row.variants.length > 0) menu.losses.lossy(dish, 'portion', 'noPlace');
  if (row.variants.length === 1) {
    // Square’s one variation is the dish itself: its name comes back as that of a portion.
    menu.losses.lossy(dish, 'variants', 'noPlace');
    menu.losses.lossy(dish, 'portion', 'noPlace');
  }
  const sizes =
    row.variants.length > 0
      ? row.variants.map((size, at) => ({
          name: menu.one(dish, 'variants', size.label, MOST.name),
          price: size.price,
          own: menu.partKey(dish, 'variants', size, `${key}.size-${at + 1}`),
        }))
      : [{ name: portion || REGULAR, price: row.price, own: `${key}.size-1` }];
  return sizes.map(({ name, price, own }, at) => ({
    type: 'ITEM_VARIATION',
    id: temporary('variations', own),
    item_variation_data: {
      item_id: temporary('items', key),
      name,
      // The key by which an import finds the dish again, whose id Square replaces.
      ...(at === 0 && { sku: key }),
      ...(row.price_on_request
        ? { pricing_type: 'VARIABLE_PRICING' }
        : { pricing_type: 'FIXED_PRICING', price_money: money(menu, price) }),
    },
  }));
}

function itemOf(menu: OutMenu, dish: SentDish, groups: readonly FlatGroup[]): Row {
  const { row, section, key } = dish;
  const description = menu.one(dish, 'description', row.description);
  const details = foodDetails(menu, dish);
  const lists = groups.map((group, ordinal) => ({
    ...{ modifier_list_id: temporary('modifier_groups', group.key), enabled: true, ordinal },
  }));
  if (row.price_on_request) {
    if (row.price > 0) menu.losses.lossy(dish, 'price', 'priceOnRequest');
    if (row.variants.length > 0) menu.losses.lossy(dish, 'variants', 'priceOnRequest');
  }
  return {
    type: 'ITEM',
    id: temporary('items', key),
    item_data: {
      name: menu.one(dish, 'name', row.name, MOST.item),
      ...(description && { description_html: htmlOf(description) }),
      categories: [{ id: temporary('categories', section.key) }],
      ...(lists.length > 0 && { modifier_list_info: lists }),
      variations: variationsOf(menu, dish),
      product_type: 'FOOD_AND_BEV',
      ...(saysAlcohol(row) && { is_alcoholic: true }),
      ...(Object.keys(details).length > 0 && { food_and_beverage_details: details }),
    },
  };
}

function modifierList(menu: OutMenu, group: FlatGroup): Row {
  const { key, of, field } = group;
  const isShared = field === 'name';
  return {
    type: 'MODIFIER_LIST',
    id: temporary('modifier_groups', key),
    modifier_list_data: {
      name: menu.one(of, field, group.name, MOST.name),
      modifier_type: 'LIST',
      min_selected_modifiers: group.min,
      max_selected_modifiers: group.max ?? -1,
      modifiers: group.options.map(({ key: id, name, price, allergens, isSoldOut }, ordinal) => {
        if (allergens !== null) menu.losses.lossy(of, 'options', 'noPlace');
        if (isSoldOut) menu.losses.lossy(of, 'options', 'soldOut');
        return {
          type: 'MODIFIER',
          id: temporary('modifiers', id),
          modifier_data: {
            name: menu.one(of, isShared ? 'options' : field, name, MOST.name),
            price_money: money(menu, price),
            ordinal,
          },
        };
      }),
    },
  };
}

/** The hours of a section: an object for each day and span. */
function periodsOf({ key, row }: SentSection): Row[] {
  if (row.time_visibility_enabled !== true || rowsIn(row.hours).length === 0) return [];
  return weekOf(row.hours).flatMap((spans, day) =>
    spans.map(({ from, to }) => ({
      type: 'AVAILABILITY_PERIOD',
      id: temporary('hours', `${key}.${day + 1}-${from}`),
      availability_period_data: {
        start_local_time: `${timeOf(from)}:00`,
        end_local_time: to === DAY_END ? '23:59:59' : `${timeOf(to)}:00`,
        day_of_week: SQUARE_DAYS[day],
      },
    })),
  );
}

function categoryOf(menu: OutMenu, section: SentSection, ordinal: number, periods: Row[]): Row {
  const parent = section.path.at(-2);
  return {
    type: 'CATEGORY',
    id: temporary('categories', section.key),
    category_data: {
      name: menu.one(section, 'name', section.row.name as Translations, MOST.name),
      category_type: 'MENU_CATEGORY',
      is_top_level: parent === undefined,
      ...(parent && { parent_category: { id: temporary('categories', parent.key), ordinal } }),
      ...(periods.length > 0 && { availability_period_ids: periods.map(({ id }) => id) }),
    },
  };
}

/** How many objects an object is, with those within it. */
function sizeOf({ item_data, modifier_list_data }: Row): number {
  const within = [(item_data as Row)?.variations, (modifier_list_data as Row)?.modifiers];
  return 1 + within.reduce<number>((sum, list) => sum + rowsIn(list).length, 0);
}

/** Batches of objects in their order, each within the bound. */
function* inBatches(objects: readonly Row[]): Generator<void, { objects: Row[] }[]> {
  const batches: { objects: Row[] }[] = [];
  let size = MOST_OF_BATCH;
  for (const object of objects) {
    const own = sizeOf(object);
    if (size + own > MOST_OF_BATCH) {
      batches.push({ objects: [] });
      size = 0;
    }
    batches.at(-1)?.objects.push(object);
    size += own;
    yield;
  }
  return batches;
}

function* write(menu: OutMenu): Generator<void, Row> {
  const { losses, options } = menu;
  const groups = createFlatGroups(menu);
  const sections: Row[] = [];
  const items: { object: Row; dish: SentDish }[] = [];
  for (const [ordinal, section] of menu.sections.entries()) {
    const periods = periodsOf(section);
    sections.push(...periods, categoryOf(menu, section, ordinal, periods));
    for (const dish of section.dishes) {
      const all = [...groups.shared(dish), ...groups.courses(dish)];
      items.push({ object: itemOf(menu, dish, all), dish });
      yield;
    }
  }
  if (items.every(({ dish }) => dish.row.price_on_request)) {
    losses.lossy(namedSettings(menu.settings), 'currency', 'noPlace');
  }
  const lists: Row[] = [];
  for (const group of groups.all) {
    lists.push(modifierList(menu, group));
    yield;
  }
  const objects = [...sections, ...lists, ...items.map(({ object }) => object)];
  const batches = yield* inBatches(objects);
  const first = new Set(batches[0]?.objects);
  for (const { object, dish } of items) {
    // Square’s temporary ids hold within a batch: those of an earlier one are to be replaced.
    if (!first.has(object)) losses.lossy(dish, 'category_id', 'inLaterBatch');
  }
  const content = createHash('sha256').update(options.at.toISOString());
  const idempotency_key = content.update(String(menu.settings.slug)).digest('hex').slice(0, 45);
  return { idempotency_key, batches };
}

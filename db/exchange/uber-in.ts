import type { AllergenKey } from '../schema/dictionary.ts';
import { isLocale, type Translations } from '../schema/values/locale.ts';
import { listIn, type Row, rowsIn } from '../schema/values/row.ts';
import { byWord, UBER_ALLERGENS, UBER_DIETS } from './allergen-crosswalk.ts';
import { dayNamed, limitedWindows, readSpan } from './day-spans.ts';
import {
  type ExchangeImport,
  fieldsOf,
  type InDish,
  type InOption,
  type InOptions,
  numberOf,
  type Text,
  textOf,
  textsInList,
} from './in-menu.ts';
import { createIncoming, type Incoming } from './incoming.ts';
import { hoursBySection } from './menus-by-hours.ts';
import { additivesNamed } from './tag-names.ts';
import { FAR } from './uber.ts';

const ALLERGENS = byWord<AllergenKey, string>(UBER_ALLERGENS);
const DIETS = byWord(UBER_DIETS);
const KNOWN_DIETS = new Set(Object.keys(UBER_DIETS));

/** A text of Uber: by language and country, such as `en_us`; a plain text in other documents. */
function words(value: unknown): Text {
  if (typeof value === 'string') return value;
  const texts: Translations = {};
  const entries = Object.entries(fieldsOf(fieldsOf(value).translations));
  for (const [code, text] of entries) {
    const [language = ''] = code.toLowerCase().split(/[_-]/);
    const locale = language === 'zh' ? 'zh-Hans' : language;
    if (isLocale(locale) && typeof text === 'string') texts[locale] ??= text;
  }
  const [first] = entries;
  return Object.keys(texts).length > 0 ? texts : textOf(first?.[1]);
}

/** Keys of allergens by exact names; undefined where nothing is said for certain. */
function allergensOf(incoming: Incoming, record: ReturnType<Incoming['record']>, list: unknown) {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const keys = list.map((name) => ALLERGENS.get(textOf(name)));
  if (keys.some((key) => key === undefined)) {
    // A list that is understood in part is no declaration.
    incoming.losses.lossy(record, 'allergens', 'unknownTag');
    return undefined;
  }
  return keys as AllergenKey[];
}

function soldOutOf(item: Row, at: Date): string | null {
  const until = numberOf(fieldsOf(fieldsOf(item.suspension_info).suspension).suspend_until);
  if (until === null || until * 1_000 <= at.getTime()) return null;
  return until >= FAR ? 'indefinitely' : new Date(until * 1_000).toISOString();
}

const priceIn = (item: Row) => {
  const price = numberOf(fieldsOf(item.price_info).price);
  return price === null ? null : price / 100;
};

/** A number that is the same at both ends of an interval, in steps of a hundred-thousandth. */
function kcalOf(nutrition: Row): number | null {
  const { lower, upper } = fieldsOf(fieldsOf(nutrition.calories).energy_interval);
  const least = numberOf(lower);
  return least !== null && (upper === undefined || numberOf(upper) === least)
    ? Math.round(least / 100_000)
    : null;
}

/** Fields of Uber that have no place here. */
const NO_PLACE = [
  ...['quantity_info', 'product_info', 'bundled_items', 'selling_info', 'medication_info'],
  ...['visibility_info', 'tax_label_info'],
];

function dishOf(incoming: Incoming, item: Row, section: string, at: Date): InDish {
  const key = textOf(item.id);
  const name = words(item.title);
  const record = incoming.record('items', key, name);
  const nutrition = fieldsOf(item.nutritional_info);
  const facts = fieldsOf(fieldsOf(item.dish_info).classifications);
  const diets = fieldsOf(facts.dietary_label_info).labels;
  const kcal = kcalOf(nutrition);
  if (nutrition.calories !== undefined && kcal === null) {
    incoming.losses.lossy(record, 'kcal', 'noPlace');
  }
  const abv = numberOf(fieldsOf(item.beverage_info).alcohol_by_volume);
  const ingredients = textsInList(facts.ingredients);
  for (const field of NO_PLACE) {
    if (item[field] !== undefined && item[field] !== null) {
      incoming.losses.lossy(record, field, 'noPlace');
    }
  }
  if (rowsIn(fieldsOf(item.price_info).overrides).length > 0) {
    incoming.losses.lossy(record, 'price_info', 'noPlace');
  }
  return {
    ...{ key, section, name, price: priceIn(item), soldOut: soldOutOf(item, at) },
    ...(item.description !== undefined && { description: words(item.description) }),
    groups: textsInList(fieldsOf(item.modifier_group_ids).ids),
    allergens: allergensOf(incoming, record, nutrition.allergens),
    labels: {
      given: listIn(diets).flatMap((one) => DIETS.get(one) ?? []),
      known: KNOWN_DIETS,
    },
    photo: textOf(item.image_url),
    fields: {
      ...(kcal !== null && { kcal }),
      ...(abv !== null && { abv_percent: abv / 100 }),
      ...(ingredients.length > 0 && { ingredients: ingredients.join(', ') }),
      ...additivesNamed(incoming.losses, record, textsInList(facts.additives)),
    },
  };
}

function optionOf(incoming: Incoming, item: Row, group: Row, at: Date): InOption {
  const record = incoming.record('modifier_groups', textOf(group.id), words(group.title));
  const abv = numberOf(fieldsOf(item.beverage_info).alcohol_by_volume);
  return {
    name: words(item.title),
    price: priceIn(item),
    allergens: allergensOf(incoming, record, fieldsOf(item.nutritional_info).allergens),
    isSoldOut: soldOutOf(item, at) !== null,
    ...(abv !== null && { abv_percent: abv / 100 }),
  };
}

function windowsIn(menu: Row): Row[] | undefined {
  return limitedWindows(
    rowsIn(menu.service_availability).flatMap(({ day_of_week, time_periods }) =>
      rowsIn(time_periods).flatMap(({ start_time, end_time }) =>
        readSpan(dayNamed(day_of_week), start_time, end_time),
      ),
    ),
  );
}

/** A menu of Uber Eats. A step is one dish. */
export function* uberIn(
  source: unknown,
  options: InOptions,
): Generator<void, ExchangeImport | null> {
  const root = fieldsOf(source);
  if (!Array.isArray(root.items) || !Array.isArray(root.categories)) return null;
  const incoming = createIncoming('uber', options);
  const items = new Map(rowsIn(root.items).map((item) => [textOf(item.id), item]));
  for (const group of rowsIn(root.modifier_groups)) {
    const quantity = fieldsOf(fieldsOf(group.quantity_info).quantity);
    const members = rowsIn(group.modifier_options).flatMap(({ id }): Row[] => {
      const item = items.get(textOf(id));
      return item ? [item] : [];
    });
    incoming.group({
      key: textOf(group.id),
      name: words(group.title),
      min: numberOf(quantity.min_permitted) ?? 0,
      max: numberOf(quantity.max_permitted),
      options: members.map((item) => optionOf(incoming, item, group, options.at)),
    });
    yield;
  }
  const hours = hoursBySection(
    rowsIn(root.menus).map((menu) => ({
      ...{ id: textOf(menu.id), sections: textsInList(menu.category_ids), hours: windowsIn(menu) },
    })),
  );
  for (const category of rowsIn(root.categories)) {
    const key = textOf(category.id);
    incoming.section({
      ...{ key, name: words(category.title), hours: hours.get(key) },
      ...(category.subtitle !== undefined && { notes: words(category.subtitle) }),
    });
    for (const { id } of rowsIn(category.entities)) {
      const item = items.get(textOf(id));
      if (item) incoming.dish(dishOf(incoming, item, key, options.at));
      yield;
    }
  }
  return incoming.finish();
}

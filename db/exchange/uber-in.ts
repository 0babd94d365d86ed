import type { AllergenKey } from '../schema/dictionary.ts';
import { isLocale, type Translations } from '../schema/values/locale.ts';
import { listIn, type Row, rowsIn } from '../schema/values/row.ts';
import { byWord, UBER_ALLERGENS, UBER_DIETS } from './allergen-crosswalk.ts';
import { dayNamed, limitedWindows, readSpan } from './day-spans.ts';
import {
  fieldsOf,
  type InDish,
  type InOption,
  numberOf,
  plainOf,
  type Text,
  textOf,
  textsInList,
} from './in-menu.ts';
import {
  type Known,
  known,
  nameEnd,
  nameOthers,
  type ReadOnce,
  readOnce,
  saysAnything,
  spansOf,
} from './in-rest.ts';
import type { Incoming } from './incoming.ts';
import { hoursBySection, nameMenu } from './menus-by-hours.ts';
import type { Reported, Telling } from './report.ts';
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
    const [language = '', region = ''] = code.toLowerCase().split(/[_-]/);
    const chinese = /^(tw|hk|mo|hant)$/.test(region) ? 'zh-Hant' : 'zh-Hans';
    const locale = language === 'zh' ? chinese : language;
    if (isLocale(locale) && typeof text === 'string') texts[locale] ??= text;
  }
  const [first] = entries;
  return Object.keys(texts).length > 0 ? texts : textOf(first?.[1]);
}

/** Keys of allergens by exact names; undefined where nothing is said for certain. */
function allergensOf({ lossy }: Telling, record: Reported, list: unknown, field = 'allergens') {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const keys = list.map((name) => ALLERGENS.get(textOf(name)));
  if (keys.some((key) => key === undefined)) {
    // A list that is understood in part is no declaration.
    lossy(record, field, 'unknownTag');
    return undefined;
  }
  return keys as AllergenKey[];
}

/** Labels by Uber's words; a word without a label here is named. */
function labelsOf(incoming: Incoming, record: Reported, given: unknown) {
  const found = listIn(given).map((one) => DIETS.get(one) ?? null);
  if (found.includes(null)) incoming.losses.lossy(record, 'labels', 'unknownTag');
  return { given: found.filter((one) => one !== null), known: KNOWN_DIETS };
}

function soldOutOf({ options: { at } }: Incoming, item: Row): string | null {
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

/** Fields that are read, or that say nothing of a menu. */
const READ = {
  root: known('menus categories items modifier_groups'),
  menu: known('id title service_availability category_ids'),
  category: known('id title subtitle entities'),
  item: known(`id external_data title description image_url price_info modifier_group_ids tax_info
    suspension_info nutritional_info dish_info beverage_info`),
  facts: known('dietary_label_info ingredients additives can_serve_alone is_vegetarian'),
  group: known('id external_data title quantity_info modifier_options display_type'),
  option: known(`id external_data title price_info tax_info suspension_info nutritional_info
    beverage_info`),
};

/** Parts of an item by their names, with the fields of each that are read. */
const PARTS: readonly [part: string, read: Known][] = [
  ['price_info', known('price')],
  ['modifier_group_ids', known('ids')],
  ['suspension_info', known('suspension')],
  ['nutritional_info', known('calories allergens')],
  ['dish_info', known('classifications')],
  ['beverage_info', known('alcohol_by_volume')],
];

/** Names all of an item that has no place here. @param as as of `nameOthers` */
function nameRest(
  { fact }: Incoming,
  losses: Telling,
  record: Reported,
  item: Row,
  read: Known,
  as?: string,
) {
  nameOthers(losses, record, item, read, as);
  for (const [name, own] of PARTS) {
    nameOthers(losses, record, fieldsOf(item[name]), own, as ?? name);
  }
  nameOthers(losses, record, fieldsOf(fieldsOf(item.dish_info).classifications), READ.facts, as);
  const tax = fieldsOf(item.tax_info);
  if (saysAnything(tax)) fact(null, '', 'vat');
  if (saysAnything(tax.tax_rate)) fact(null, '', 'prices_exclude_tax');
}

function dishOf(incoming: Incoming, item: Row, section: string): InDish {
  const key = textOf(item.id);
  const name = words(item.title);
  const record = incoming.record('items', key, name);
  const nutrition = fieldsOf(item.nutritional_info);
  const facts = fieldsOf(fieldsOf(item.dish_info).classifications);
  const kcal = kcalOf(nutrition);
  if (nutrition.calories !== undefined && kcal === null) {
    incoming.losses.lossy(record, 'kcal', 'noPlace');
  }
  const abv = numberOf(fieldsOf(item.beverage_info).alcohol_by_volume);
  const ingredients = textsInList(facts.ingredients);
  nameRest(incoming, incoming.losses, record, item, READ.item);
  return {
    ...{ key, section, name, price: priceIn(item), soldOut: soldOutOf(incoming, item) },
    ...(item.description !== undefined && { description: words(item.description) }),
    groups: textsInList(fieldsOf(item.modifier_group_ids).ids),
    allergens: allergensOf(incoming.losses, record, nutrition.allergens),
    labels: labelsOf(incoming, record, fieldsOf(facts.dietary_label_info).labels),
    photo: textOf(item.image_url),
    fields: {
      ...(kcal !== null && { kcal }),
      ...(abv !== null && { abv_percent: abv / 100 }),
      ...(ingredients.length > 0 && { ingredients: ingredients.join(', ') }),
      ...additivesNamed(incoming.losses, record, textsInList(facts.additives)),
    },
  };
}

function optionOf(incoming: Incoming, losses: Telling, item: Row): InOption {
  const record = incoming.record('items', textOf(item.id), '');
  const nutrition = fieldsOf(item.nutritional_info);
  if (nutrition.calories !== undefined) losses.lossy(record, 'options', 'noPlace');
  const abv = numberOf(fieldsOf(item.beverage_info).alcohol_by_volume);
  const until = soldOutOf(incoming, item);
  nameRest(incoming, losses, record, item, READ.option, 'options');
  nameEnd(losses, record, until);
  return {
    key: textOf(item.id),
    name: words(item.title),
    price: priceIn(item),
    allergens: allergensOf(losses, record, nutrition.allergens, 'options'),
    isSoldOut: until !== null,
    ...(abv !== null && { abv_percent: abv / 100 }),
  };
}

function windowsIn(incoming: Incoming, record: Reported, menu: Row): Row[] | undefined {
  const entries = rowsIn(menu.service_availability).flatMap(({ day_of_week, time_periods }) =>
    rowsIn(time_periods).map(({ start_time, end_time }) => ({ day_of_week, start_time, end_time })),
  );
  return limitedWindows(
    spansOf(incoming.losses, record, entries, ({ day_of_week, start_time, end_time }) =>
      readSpan(dayNamed(day_of_week), start_time, end_time),
    ),
  );
}

type Items = ReadonlyMap<string, Row>;
function addGroup(incoming: Incoming, group: Row, items: Items, read: ReadOnce<InOption>) {
  const key = textOf(group.id);
  const name = words(group.title);
  const record = incoming.record('modifier_groups', key, name);
  const quantities = fieldsOf(group.quantity_info);
  const quantity = fieldsOf(quantities.quantity);
  const { losses } = incoming;
  nameOthers(losses, record, group, READ.group);
  nameOthers(losses, record, quantities, known('quantity'), 'quantity_info');
  nameOthers(losses, record, quantity, known('min_permitted max_permitted'), 'quantity_info');
  const members = rowsIn(group.modifier_options)
    .map(({ id }) => textOf(id))
    .filter((id) => items.has(id));
  incoming.group({
    ...{ key, name, min: numberOf(quantity.min_permitted) ?? 0 },
    max: numberOf(quantity.max_permitted),
    options: members.map((id) => read(id, losses, record)),
  });
  return members;
}

function readMenus(incoming: Incoming, root: Row, categories: readonly string[]) {
  const menus = rowsIn(root.menus).map((menu) => {
    const id = textOf(menu.id);
    const record = { resource: 'menus', id, name: plainOf(words(menu.title)) };
    nameOthers(incoming.losses, record, menu, READ.menu);
    nameMenu(incoming, record, 'title');
    const sections = textsInList(menu.category_ids);
    const saysHours = rowsIn(menu.service_availability).length > 0;
    return { ...record, sections, saysHours, hours: windowsIn(incoming, record, menu) };
  });
  return hoursBySection(incoming, menus, categories);
}

/** A menu of Uber Eats. A step is one dish. */
export function* uberIn(source: unknown, incoming: Incoming): Generator<void, boolean> {
  const root = fieldsOf(source);
  if (!Array.isArray(root.items) || !Array.isArray(root.categories)) return false;
  nameOthers(incoming.losses, incoming.record('settings', null, ''), root, READ.root);
  const items = new Map(rowsIn(root.items).map((item) => [textOf(item.id), item]));
  const left = new Set(items.keys());
  const readOption = readOnce((id, losses) => optionOf(incoming, losses, items.get(id) ?? {}));
  for (const group of rowsIn(root.modifier_groups)) {
    for (const id of addGroup(incoming, group, items, readOption)) left.delete(id);
    yield;
  }
  const categories = new Map(rowsIn(root.categories).map((one) => [textOf(one.id), one]));
  for (const [key, hours] of readMenus(incoming, root, [...categories.keys()])) {
    const category = categories.get(key);
    if (!category) continue;
    const name = words(category.title);
    nameOthers(incoming.losses, incoming.record('categories', key, name), category, READ.category);
    incoming.section({
      ...{ key, name, hours },
      ...(category.subtitle !== undefined && { notes: words(category.subtitle) }),
    });
    for (const { id } of rowsIn(category.entities)) {
      const item = items.get(textOf(id));
      if (item) incoming.dish(textOf(id), () => dishOf(incoming, item, key));
      left.delete(textOf(id));
      yield;
    }
  }
  for (const id of left) {
    incoming.losses.leftOut(incoming.record('items', id, words(items.get(id)?.title)), 'noSection');
  }
  return true;
}

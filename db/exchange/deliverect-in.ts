import type { AllergenKey, AllergenKind } from '../schema/dictionary.ts';
import { requestedLocale, type Translations } from '../schema/values/locale.ts';
import { listIn, type Row, rowsIn } from '../schema/values/row.ts';
import {
  byWord,
  DELIVERECT_ALCOHOL,
  DELIVERECT_ALLERGENS,
  DELIVERECT_DIETS,
  DELIVERECT_KINDS,
} from './allergen-crosswalk.ts';
import { readSpan, windowsFrom } from './day-spans.ts';
import {
  type ExchangeImport,
  fieldsOf,
  type InDish,
  type InGroup,
  type InOptions,
  numberOf,
  type Text,
  textOf,
  textsInList,
  untilOf,
  valuesOf,
} from './in-menu.ts';
import { createIncoming, type Incoming } from './incoming.ts';
import { additivesNamed } from './tag-names.ts';

// Deliverect gives a menu to channels as maps by id, and takes it from tills as one list of products.

const MODIFIER_GROUP = 3;
const BUNDLE = 4;
const ALLERGENS = byWord<AllergenKey, number>(DELIVERECT_ALLERGENS);
const KINDS = byWord<AllergenKind, number>(DELIVERECT_KINDS);
const DIETS = byWord(DELIVERECT_DIETS);
const KNOWN_DIETS = new Set(Object.keys(DELIVERECT_DIETS));

/** A text with its translations. @param field `name` or `description` */
function words(record: Row, field: string, options: InOptions): Text {
  const plain = textOf(record[field]);
  const translations: Translations = {};
  for (const [code, text] of Object.entries(fieldsOf(record[`${field}Translations`]))) {
    const locale = requestedLocale(code.replace('_', '-'));
    const own = locale === 'und' ? requestedLocale(code.split(/[_-]/)[0] ?? '') : locale;
    if (own !== 'und' && textOf(text) !== '') translations[own] = textOf(text);
  }
  if (Object.keys(translations).length === 0) return plain;
  const isThere = Object.values(translations).includes(plain);
  return isThere || plain === '' ? translations : { [options.locale]: plain, ...translations };
}

/** Everything of a document by the ids with which its parts name each other. */
interface Source {
  products: ReadonlyMap<string, Row>;
  groups: ReadonlyMap<string, Row>;
  sections: readonly { key: string; row: Row; products: readonly string[] }[];
  snoozed: ReadonlyMap<string, Row>;
}

const keyOf = (row: Row) => textOf(row.plu) || textOf(row._id);
const priceOf = ({ price }: Row) => {
  const amount = numberOf(price);
  return amount === null ? null : amount / 100;
};

function fromTill(root: Row): Source {
  const all = rowsIn(root.products);
  const products = new Map(all.map((row) => [textOf(row.plu), row]));
  const isGroup = ({ productType }: Row) =>
    productType === MODIFIER_GROUP || productType === BUNDLE;
  const groups = new Map(all.filter(isGroup).map((row) => [textOf(row.plu), row]));
  const sections = rowsIn(root.categories).map((row) => {
    const key = textOf(row.posCategoryId) || textOf(row.name);
    const own = all.filter((one) => textsInList(one.posCategoryIds)[0] === key);
    return { key, row, products: own.map((one) => textOf(one.plu)) };
  });
  return { products, groups, sections, snoozed: new Map() };
}

function fromChannel(menus: readonly Row[]): Source {
  const products = new Map<string, Row>();
  const groups = new Map<string, Row>();
  const snoozed = new Map<string, Row>();
  const add = (map: Map<string, Row>, value: unknown) => {
    for (const [id, row] of Object.entries(fieldsOf(value))) map.set(id, fieldsOf(row));
  };
  for (const menu of menus) {
    add(products, menu.products);
    add(products, menu.modifiers);
    add(groups, menu.modifierGroups);
    add(groups, menu.bundles);
    add(snoozed, menu.snoozedProducts);
  }
  const sections = menus.flatMap((menu) =>
    rowsIn(menu.categories).map((row) => {
      const withHours = { availabilities: menus.length > 1 ? menu.availabilities : [], ...row };
      return { key: textOf(row._id), row: withHours, products: textsInList(row.subProducts) };
    }),
  );
  return { products, groups, sections, snoozed };
}

function tagsOf(incoming: Incoming, record: ReturnType<Incoming['record']>, list: unknown) {
  const tags = listIn(list);
  const allergens = tags.flatMap((tag) => ALLERGENS.get(tag) ?? []);
  const kinds = tags.flatMap((tag) => KINDS.get(tag) ?? []);
  const diets = tags.flatMap((tag) => DIETS.get(tag) ?? []);
  if (tags.includes(DELIVERECT_ALCOHOL)) incoming.losses.lossy(record, 'alcohol', 'noPlace');
  const known = [ALLERGENS, KINDS, DIETS];
  const isKnown = (tag: unknown) => tag === DELIVERECT_ALCOHOL || known.some((map) => map.has(tag));
  if (!tags.every(isKnown)) incoming.losses.lossy(record, 'productTags', 'unknownTag');
  return {
    // A kind without its allergen says nothing that could be kept.
    ...(allergens.length > 0 && { allergens, kinds }),
    labels: { given: diets, known: KNOWN_DIETS },
  };
}

function soldOutOf(source: Source, id: string, row: Row): string | null {
  const snooze = source.snoozed.get(id) ?? source.snoozed.get(textOf(row.plu));
  if (!snooze && row.snoozed !== true) return null;
  return untilOf(snooze?.snoozeEnd);
}

function groupOf(
  source: Source,
  id: string,
  incoming: Incoming,
  options: InOptions,
): InGroup | null {
  const row = source.groups.get(id);
  if (!row) return null;
  const max = numberOf(row.max);
  const name = words(row, 'name', options);
  const record = incoming.record('modifier_groups', keyOf(row), name);
  return {
    ...{ key: keyOf(row), name, min: numberOf(row.min) ?? 0, max: max === 0 ? null : max },
    options: textsInList(row.subProducts).flatMap((member) => {
      const product = source.products.get(member);
      if (!product) return [];
      const allergens = tagsOf(incoming, record, product.productTags).allergens;
      const soldOut = soldOutOf(source, member, product);
      return {
        ...{ name: words(product, 'name', options), price: priceOf(product), allergens },
        ...{ isSoldOut: soldOut !== null, dish: keyOf(product) },
      };
    }),
  };
}

/** Fields of Deliverect that have no place here. */
const NO_PLACE = ['overloads', 'priceLevels', 'nutritionalInfo', 'gtin', 'kitchenName'];

function dishOf(
  source: Source,
  id: string,
  section: string,
  incoming: Incoming,
  options: InOptions,
): InDish | null {
  const row = source.products.get(id);
  if (!row) return null;
  const key = keyOf(row);
  const name = words(row, 'name', options);
  const record = incoming.record('items', key, name);
  for (const field of NO_PLACE) {
    const value = row[field];
    const isThere = Array.isArray(value)
      ? value.length > 0
      : Object.keys(fieldsOf(value)).length > 0;
    if (isThere || textOf(value) !== '') incoming.losses.lossy(record, field, 'noPlace');
  }
  const { ingredients, additives } = fieldsOf(row.supplementalInfo);
  const members = textsInList(row.subProducts);
  const isBundle = (one: string) => source.groups.get(one)?.productType === BUNDLE;
  const courses = members.filter(isBundle);
  const description = words(row, 'description', options);
  return {
    ...{ key, section, name, price: priceOf(row), soldOut: soldOutOf(source, id, row) },
    ...(row.description !== undefined && { description }),
    groups: members.flatMap((one) => (isBundle(one) ? [] : keyOf(source.groups.get(one) ?? {}))),
    courses: courses.flatMap((one) => groupOf(source, one, incoming, options) ?? []),
    ...tagsOf(incoming, record, row.productTags),
    photo: textOf(row.imageUrl),
    isHidden: row.visible === false,
    fields: {
      ...(textsInList(ingredients).length > 0 && {
        ingredients: textsInList(ingredients).join(', '),
      }),
      ...additivesNamed(incoming.losses, record, textsInList(additives)),
    },
  };
}

function windowsIn({ availabilities }: Row): Row[] | undefined {
  const spans = valuesOf(availabilities).flatMap(({ dayOfWeek, startTime, endTime }) => {
    return readSpan((numberOf(dayOfWeek) ?? 0) - 1, startTime, endTime);
  });
  return windowsFrom(spans);
}

/** A menu of Deliverect, of either side. A step is one dish. */
export function* deliverectIn(
  source: unknown,
  options: InOptions,
): Generator<void, ExchangeImport | null> {
  const root = fieldsOf(source);
  const isTill = Array.isArray(root.products);
  const menus = Array.isArray(source) ? rowsIn(source) : [root];
  if (!isTill && !menus.some(({ products }) => products !== undefined)) return null;
  const found = isTill ? fromTill(root) : fromChannel(menus);
  const incoming = createIncoming('deliverect', options);
  for (const id of found.groups.keys()) {
    const group = groupOf(found, id, incoming, options);
    if (group && found.groups.get(id)?.productType !== BUNDLE) incoming.group(group);
    yield;
  }
  const sets: InDish[] = [];
  for (const { key, row, products } of found.sections) {
    const name = words(row, 'name', options);
    incoming.section({
      ...{ key, name, hours: windowsIn(row) },
      ...(row.description !== undefined && { notes: textOf(row.description) }),
    });
    for (const id of products) {
      const dish = dishOf(found, id, key, incoming, options);
      // Set menus come last: they name other dishes.
      if (dish?.courses?.length) sets.push(dish);
      else if (dish) incoming.dish(dish);
      yield;
    }
  }
  for (const dish of sets) incoming.dish(dish);
  return incoming.finish();
}

import { groupBy } from '../runtime/group-by.ts';
import type { AllergenKey, AllergenKind } from '../schema/dictionary.ts';
import { requestedLocale, type Translations } from '../schema/values/locale.ts';
import { listIn, type Row, rowsIn } from '../schema/values/row.ts';
import {
  allergensWithKinds,
  byWord,
  DELIVERECT_ALCOHOL,
  DELIVERECT_ALLERGENS,
  DELIVERECT_DIETS,
  DELIVERECT_KINDS,
} from './allergen-crosswalk.ts';
import { limitedWindows, readSpan } from './day-spans.ts';
import {
  fieldsOf,
  type InDish,
  type InGroup,
  type InOption,
  type InOptions,
  numberOf,
  type Text,
  textOf,
  textsInList,
  untilOf,
  valuesOf,
} from './in-menu.ts';
import { reportedAs } from './in-names.ts';
import {
  known,
  nameEnd,
  nameOthers,
  type ReadOnce,
  readOnce,
  saysAnything,
  spansOf,
} from './in-rest.ts';
import type { Incoming } from './incoming.ts';
import type { Reported, Telling } from './report.ts';
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
  /** Null where the document says nothing of what is sold out. */
  snoozed: ReadonlyMap<string, Row> | null;
}

const keyOf = (row: Row) => textOf(row.plu) || textOf(row._id);
const priceOf = ({ price }: Row) => {
  const amount = numberOf(price);
  return amount === null ? null : amount / 100;
};

const isGroup = ({ productType }: Row) => productType === MODIFIER_GROUP || productType === BUNDLE;

function fromTill(root: Row): Source {
  const all = rowsIn(root.products);
  const byKey = new Map(all.map((row) => [textOf(row.plu), row]));
  const groups = new Map([...byKey].filter(([, row]) => isGroup(row)));
  const bySection = groupBy(all, ({ posCategoryIds }) => textsInList(posCategoryIds)[0]);
  const sections = rowsIn(root.categories).map((row) => {
    const key = textOf(row.posCategoryId) || textOf(row.name);
    const own = bySection.get(key) ?? [];
    return { key, row, products: own.map((one) => textOf(one.plu)) };
  });
  return { products: byKey, groups, sections, snoozed: null };
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
      const isTimed = valuesOf(row.availabilities).length > 0;
      const availabilities =
        isTimed || menus.length === 1 ? row.availabilities : menu.availabilities;
      const own = { ...row, availabilities };
      return { key: textOf(row._id), row: own, products: textsInList(row.subProducts) };
    }),
  );
  const says = menus.some(({ snoozedProducts }) => snoozedProducts !== undefined);
  return { products, groups, sections, snoozed: says ? snoozed : null };
}

function tagsOf(losses: Telling, record: Reported, list: unknown, field = 'productTags') {
  const tags = listIn(list);
  const kinds = tags.flatMap((tag) => KINDS.get(tag) ?? []);
  const named = tags.flatMap((tag) => ALLERGENS.get(tag) ?? []);
  const allergens = allergensWithKinds(named, kinds);
  const diets = tags.flatMap((tag) => DIETS.get(tag) ?? []);
  if (tags.includes(DELIVERECT_ALCOHOL)) losses.lossy(record, 'alcohol', 'noPlace');
  const words = [ALLERGENS, KINDS, DIETS];
  const isKnown = (tag: unknown) => tag === DELIVERECT_ALCOHOL || words.some((map) => map.has(tag));
  if (!tags.every(isKnown)) losses.lossy(record, field, 'unknownTag');
  return {
    ...(allergens.length > 0 && { allergens, kinds }),
    ...(list !== undefined && { labels: { given: diets, known: KNOWN_DIETS } }),
  };
}

/** A document while it is read. */
interface Reading {
  source: Source;
  incoming: Incoming;
  options: InOptions;
  /** The groups of bundles: each is read once. */
  courses: Map<string, InGroup>;
}

/** Null: it is available; undefined: the document does not say. */
function soldOutOf({ snoozed }: Source, id: string, row: Row): string | null | undefined {
  const snooze = snoozed?.get(id) ?? snoozed?.get(textOf(row.plu));
  if (snooze || row.snoozed === true) return untilOf(snooze?.snoozeEnd);
  return snoozed !== null || row.snoozed === false ? null : undefined;
}

/** Fields that are read, or that say nothing of a menu. */
const READ = {
  till: known('accountId locationId products categories'),
  menu: known(`menuId menuType channelLinkId categories products modifierGroups modifiers bundles
    snoozedProducts availabilities productTags nestedModifiers`),
  category: known(`_id posCategoryId name nameTranslations description subProducts availabilities
    level sortOrder`),
  product: known(`_id plu name nameTranslations description descriptionTranslations price
    productType posCategoryIds imageUrl productTags subProducts supplementalInfo visible snoozed
    isCombo isVariant deliveryTax takeawayTax eatInTax sortOrder`),
  supplement: known('ingredients additives'),
  group: known('_id plu name nameTranslations productType min max subProducts sortOrder'),
  option: known(`_id plu name nameTranslations price productType productTags snoozed posCategoryIds
    deliveryTax takeawayTax eatInTax sortOrder`),
};
const TAXES = ['deliveryTax', 'takeawayTax', 'eatInTax'];

function optionOf(
  losses: Telling,
  { source, options }: Reading,
  id: string,
  isDish: boolean,
): InOption {
  const row = source.products.get(id) ?? {};
  const group = reportedAs('items', id, '');
  // A bundle names dishes, which come whole.
  if (!isDish) nameOthers(losses, group, row, READ.option, 'options');
  const soldOut = soldOutOf(source, id, row);
  nameEnd(losses, group, soldOut);
  const { allergens, kinds, labels } = tagsOf(losses, group, row.productTags, 'options');
  if (!isDish && (kinds?.length ?? 0) + (labels?.given.length ?? 0) > 0) {
    losses.lossy(group, 'options', 'noPlace');
  }
  return {
    ...{ key: keyOf(row), name: words(row, 'name', options), price: priceOf(row), allergens },
    dish: keyOf(row),
    ...(soldOut !== undefined && { isSoldOut: soldOut !== null }),
  };
}

function groupOf(
  { source, incoming, options }: Reading,
  row: Row,
  read: ReadOnce<InOption>,
): InGroup {
  const max = numberOf(row.max);
  const name = words(row, 'name', options);
  const record = incoming.record('modifier_groups', keyOf(row), name);
  nameOthers(incoming.losses, record, row, READ.group);
  return {
    ...{ key: keyOf(row), name, min: numberOf(row.min) ?? 0, max: max === 0 ? null : max },
    options: textsInList(row.subProducts)
      .filter((member) => source.products.has(member))
      .map((member) => read(member, incoming.losses, record)),
  };
}

function dishOf(reading: Reading, id: string, section: string): InDish | null {
  const { source, incoming, options } = reading;
  const row = source.products.get(id);
  if (!row) return null;
  const key = keyOf(row);
  const name = words(row, 'name', options);
  const record = incoming.record('items', key, name);
  const supplement = fieldsOf(row.supplementalInfo);
  nameOthers(incoming.losses, record, row, READ.product);
  nameOthers(incoming.losses, record, supplement, READ.supplement);
  if (TAXES.some((tax) => saysAnything(row[tax]))) incoming.fact(null, '', 'vat');
  const ingredients = textsInList(supplement.ingredients);
  const members = textsInList(row.subProducts);
  const courses = members.flatMap((one) => reading.courses.get(one) ?? []);
  const description = words(row, 'description', options);
  return {
    ...{ key, section, name, price: priceOf(row), soldOut: soldOutOf(source, id, row) },
    ...(row.description !== undefined && { description }),
    groups: members.flatMap((one) => {
      return reading.courses.has(one) ? [] : keyOf(source.groups.get(one) ?? {});
    }),
    courses,
    ...tagsOf(incoming.losses, record, row.productTags),
    photo: textOf(row.imageUrl),
    isHidden: row.visible === false,
    fields: {
      ...(ingredients.length > 0 && { ingredients: ingredients.join(', ') }),
      ...additivesNamed(incoming.losses, record, textsInList(supplement.additives)),
    },
  };
}

function windowsIn({ losses }: Incoming, record: Reported, { availabilities }: Row) {
  const spans = spansOf(
    losses,
    record,
    valuesOf(availabilities),
    ({ dayOfWeek, startTime, endTime }) =>
      readSpan((numberOf(dayOfWeek) ?? 0) - 1, startTime, endTime),
  );
  return limitedWindows(spans);
}

/** Names all of the menus themselves that has no place here. */
function nameMenus(incoming: Incoming, menus: readonly Row[]) {
  for (const menu of menus) {
    const record = { resource: 'menus', id: textOf(menu.menuId), name: textOf(menu.menu) };
    nameOthers(incoming.losses, record, menu, READ.menu);
    // The hours of several menus become those of their sections.
    if (menus.length === 1 && windowsIn(incoming, record, menu)) {
      incoming.fact(record.id, record.name, 'opening_hours');
    }
  }
}

/** Products that stand in no section and are no options. */
function nameLeft({ source, incoming, options }: Reading) {
  const used = new Set(source.sections.flatMap(({ products }) => products));
  for (const row of source.groups.values()) {
    for (const one of textsInList(row.subProducts)) used.add(one);
  }
  for (const [id, row] of source.products) {
    if (used.has(id) || source.groups.has(id)) continue;
    const record = incoming.record('items', keyOf(row), words(row, 'name', options));
    incoming.losses.leftOut(record, 'noSection');
  }
}

/** A menu of Deliverect, of either side. A step is one dish. */
export function* deliverectIn(given: unknown, incoming: Incoming): Generator<void, boolean> {
  const root = fieldsOf(given);
  const isTill = Array.isArray(root.products);
  const menus = Array.isArray(given) ? rowsIn(given) : [root];
  if (!isTill && !menus.some(({ products }) => products !== undefined)) return false;
  const source = isTill ? fromTill(root) : fromChannel(menus);
  if (isTill) {
    nameOthers(incoming.losses, incoming.record('settings', null, ''), root, READ.till);
  } else nameMenus(incoming, menus);
  const { options } = incoming;
  const reading: Reading = { source, incoming, options, courses: new Map() };
  const readDish = readOnce((id, losses) => optionOf(losses, reading, id, true));
  const readOption = readOnce((id, losses) => optionOf(losses, reading, id, false));
  for (const [id, row] of source.groups) {
    if (row.productType === BUNDLE) reading.courses.set(id, groupOf(reading, row, readDish));
    else incoming.group(groupOf(reading, row, readOption));
    yield;
  }
  for (const { key, row, products } of source.sections) {
    const name = words(row, 'name', options);
    const record = incoming.record('categories', key, name);
    nameOthers(incoming.losses, record, row, READ.category);
    incoming.section({
      ...{ key, name, hours: windowsIn(incoming, record, row) },
      ...(row.description !== undefined && { notes: textOf(row.description) }),
    });
    for (const id of products) {
      incoming.dish(id, () => dishOf(reading, id, key));
      yield;
    }
  }
  nameLeft(reading);
  return true;
}

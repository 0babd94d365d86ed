import {
  type AllergenKey,
  type AllergenKind,
  allergens as allAllergens,
} from '../schema/dictionary.ts';
import { type Row, rowsIn } from '../schema/values/row.ts';
import { allergensWithKinds, byWord, OTTER_ALLERGENS, OTTER_KINDS } from './allergen-crosswalk.ts';
import { DAY_END, dayNamed, limitedWindows } from './day-spans.ts';
import {
  fieldsOf,
  type InDish,
  type InOption,
  numberOf,
  textOf,
  textsInList,
  untilOf,
  valuesOf,
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

const ALLERGENS = byWord<AllergenKey, string>(OTTER_ALLERGENS);
const KINDS = byWord<AllergenKind, string>(OTTER_KINDS);

/** Another word for a kind, and words that are no allergens of the 14. */
const QUEENSLAND_NUT = 'QUEENSLAND_NUT';
const OTHER_TAGS = new Set(['CAFFEINE', 'PHENYLALANINE']);

const kindOf = (tag: unknown) => (tag === QUEENSLAND_NUT ? 'macadamia' : KINDS.get(tag));

/**
 * The declaration of an item: the allergens that it contains, or none where all 14 are
 * said to be absent. Anything less is no declaration, and a list with an unknown word neither.
 */
function allergensOf(losses: Telling, record: Reported, sku: Row, field = 'allergens') {
  const said = rowsIn(sku.allergenClassifications);
  const contained = said.filter(({ containsAllergen }) => containsAllergen === true);
  const others = contained.filter(({ tag }) => !ALLERGENS.has(tag) && !kindOf(tag));
  if (others.length > 0) losses.lossy(record, field, 'unknownTag');
  if (!others.every(({ tag }) => OTHER_TAGS.has(String(tag)))) return {};
  const kinds = contained.flatMap(({ tag }) => kindOf(tag) ?? []);
  const named = contained.flatMap(({ tag }) => ALLERGENS.get(tag) ?? []);
  const allergens = allergensWithKinds(named, kinds);
  const absent = said.filter(({ containsAllergen }) => containsAllergen === false);
  const without = new Set(absent.map(({ tag }) => ALLERGENS.get(tag)));
  if (allergens.some((key) => without.has(key))) {
    // It contradicts itself.
    losses.lossy(record, field, 'unknownTag');
    return {};
  }
  const isNone = allAllergens.keys.every((key) => without.has(key));
  return allergens.length === 0 && !isNone ? {} : { allergens, kinds };
}

const priceIn = ({ price }: Row) => numberOf(fieldsOf(price).amount ?? price);

function soldOutOf({ status }: Row): string | null | undefined {
  const { saleStatus, suspendedUntil } = fieldsOf(status);
  if (saleStatus === 'FOR_SALE') return null;
  if (saleStatus === 'INDEFINITELY_NOT_FOR_SALE') return 'indefinitely';
  if (saleStatus !== 'TEMPORARILY_NOT_FOR_SALE') return undefined;
  return untilOf(suspendedUntil);
}

/** Fields that are read, or that say nothing of a menu. */
const READ = {
  root: known('menus categories items modifierGroups photos'),
  menu: known('id name categoryIds fulfillmentModes hours hoursData'),
  category: known('id name description itemIds'),
  item: known('id name description price status modifierGroupIds photoIds skuDetails tax'),
  sku: known('allergenClassifications additives'),
  group: known('id name minimumSelections maximumSelections itemIds'),
  option: known('id name price status skuDetails tax'),
};

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
  nameOthers(losses, record, fieldsOf(item.skuDetails), READ.sku, as);
  if (saysAnything(item.tax)) fact(null, '', 'vat');
  if (fieldsOf(item.tax).isValueAddedTax === false) fact(null, '', 'prices_exclude_tax');
}

function dishOf(
  incoming: Incoming,
  item: Row,
  place: { key: string; section: string },
  photos: Row,
): InDish {
  const name = textOf(item.name);
  const record = incoming.record('items', place.key, name);
  const sku = fieldsOf(item.skuDetails);
  const [photo, second] = textsInList(item.photoIds).map((id) => textOf(ownOf(photos, id).url));
  if (second) incoming.losses.lossy(record, 'photo_url', 'noPlace');
  nameRest(incoming, incoming.losses, record, item, READ.item);
  return {
    ...{ ...place, name, price: priceIn(item), soldOut: soldOutOf(item), photo },
    ...(item.description !== undefined && { description: textOf(item.description) }),
    groups: textsInList(item.modifierGroupIds),
    ...allergensOf(incoming.losses, record, sku),
    fields: additivesNamed(incoming.losses, record, textsInList(sku.additives)),
  };
}

function optionOf(incoming: Incoming, losses: Telling, key: string, item: Row): InOption {
  const record = incoming.record('items', key, '');
  const soldOut = soldOutOf(item);
  nameRest(incoming, losses, record, item, READ.option, 'options');
  if (saysAnything(fieldsOf(item.skuDetails).additives)) losses.lossy(record, 'options', 'noPlace');
  nameEnd(losses, record, soldOut);
  const { allergens } = allergensOf(losses, record, fieldsOf(item.skuDetails), 'options');
  return {
    ...{ key, name: textOf(item.name), price: priceIn(item), allergens },
    ...(soldOut !== undefined && { isSoldOut: soldOut !== null }),
  };
}

/** The windows of a menu; undefined where it says nothing, or that it is always served. */
function windowsIn({ losses }: Incoming, record: Reported, menu: Row): Row[] | undefined {
  const { hours, hoursData } = menu;
  nameOthers(losses, record, fieldsOf(hoursData), known('timeZone regularHours'));
  const intervals = [
    ...rowsIn(fieldsOf(hours).intervals),
    ...rowsIn(fieldsOf(hoursData).regularHours),
  ];
  const spans = spansOf(losses, record, intervals, (interval) => {
    const { day, fromHour, fromMinute, toHour, toMinute } = interval;
    const weekday = dayNamed(day);
    const from = (numberOf(fromHour) ?? 0) * 60 + (numberOf(fromMinute) ?? 0);
    const end = (numberOf(toHour) ?? 0) * 60 + (numberOf(toMinute) ?? 0);
    const to = end === DAY_END - 1 || end === 0 ? DAY_END : end;
    const isTime = [from, to].every((one) => Number.isInteger(one) && one >= 0 && one <= DAY_END);
    return weekday < 0 || !isTime || from === DAY_END ? [] : [{ day: weekday, from, to }];
  });
  return limitedWindows(spans);
}

/** An entry of a map by ids; an empty one where there is none. */
const ownOf = (map: Row, id: string): Row => (Object.hasOwn(map, id) ? fieldsOf(map[id]) : {});

/** Sections with the hours of their menus. */
function sectionsOf(incoming: Incoming, root: Row) {
  const menus = valuesOf(root.menus).map((menu) => {
    const id = textOf(menu.id);
    const record = { resource: 'menus', id, name: textOf(menu.name) };
    nameOthers(incoming.losses, record, menu, READ.menu);
    nameMenu(incoming, record, 'name');
    const sections = textsInList(menu.categoryIds);
    const saysHours = saysAnything(menu.hours) || saysAnything(menu.hoursData);
    return { ...record, sections, saysHours, hours: windowsIn(incoming, record, menu) };
  });
  return hoursBySection(incoming, menus, Object.keys(fieldsOf(root.categories)));
}

function addGroup(
  incoming: Incoming,
  [id, group]: [id: string, group: Row],
  items: Row,
  read: ReadOnce<InOption>,
): readonly string[] {
  const key = textOf(group.id) || id;
  const name = textOf(group.name);
  const record = incoming.record('modifier_groups', key, name);
  nameOthers(incoming.losses, record, group, READ.group);
  const max = numberOf(group.maximumSelections);
  const members = textsInList(group.itemIds).filter((one) => Object.hasOwn(items, one));
  incoming.group({
    ...{ key, name, min: numberOf(group.minimumSelections) ?? 0, max: max === 0 ? null : max },
    options: members.map((one) => read(one, incoming.losses, record)),
  });
  return members;
}

/** The menus of Otter. A step is one dish. */
export function* otterIn(source: unknown, incoming: Incoming): Generator<void, boolean> {
  const given = fieldsOf(source);
  const root = given.items === undefined ? fieldsOf(given.menuData) : given;
  const items = fieldsOf(root.items);
  const categories = fieldsOf(root.categories);
  if (root.items === undefined || root.categories === undefined) return false;
  yield* incoming.readCurrencies(items);
  nameOthers(incoming.losses, incoming.record('settings', null, ''), root, READ.root);
  const left = new Set(Object.keys(items));
  const readOption = readOnce((id, losses) => optionOf(incoming, losses, id, ownOf(items, id)));
  for (const [id, group] of Object.entries(fieldsOf(root.modifierGroups))) {
    const members = addGroup(incoming, [id, fieldsOf(group)], items, readOption);
    for (const member of members) left.delete(member);
    yield;
  }
  for (const [id, hours] of sectionsOf(incoming, root)) {
    const category = ownOf(categories, id);
    const key = textOf(category.id) || id;
    const name = textOf(category.name);
    nameOthers(incoming.losses, incoming.record('categories', key, name), category, READ.category);
    incoming.section({
      ...{ key, name, hours },
      ...(category.description !== undefined && { notes: textOf(category.description) }),
    });
    for (const item of textsInList(category.itemIds)) {
      left.delete(item);
      if (Object.hasOwn(items, item)) {
        const place = { key: item, section: key };
        const photos = fieldsOf(root.photos);
        incoming.dish(item, () => dishOf(incoming, ownOf(items, item), place, photos));
      }
      yield;
    }
  }
  for (const id of left) {
    const record = incoming.record('items', id, textOf(ownOf(items, id).name));
    incoming.losses.leftOut(record, 'noSection');
  }
  return true;
}

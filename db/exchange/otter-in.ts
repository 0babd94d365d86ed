import type { AllergenKey, AllergenKind } from '../schema/dictionary.ts';
import { allergens as allAllergens } from '../schema/dictionary.ts';
import { type Row, rowsIn } from '../schema/values/row.ts';
import { byWord, OTTER_ALLERGENS, OTTER_KINDS } from './allergen-crosswalk.ts';
import { DAY_END, dayNamed, limitedWindows } from './day-spans.ts';
import {
  type ExchangeImport,
  fieldsOf,
  type InDish,
  type InOptions,
  numberOf,
  textOf,
  textsInList,
  untilOf,
  valuesOf,
} from './in-menu.ts';
import { createIncoming, type Incoming } from './incoming.ts';
import { hoursBySection } from './menus-by-hours.ts';
import { additivesNamed } from './tag-names.ts';

const ALLERGENS = byWord<AllergenKey, string>(OTTER_ALLERGENS);
const KINDS = byWord<AllergenKind, string>(OTTER_KINDS);

/**
 * The declaration of an item: the allergens that it contains, or none where all 14 are
 * said to be absent. Anything less is no declaration.
 */
function allergensOf(sku: Row): { allergens?: AllergenKey[]; kinds?: AllergenKind[] } {
  const said = rowsIn(sku.allergenClassifications);
  const contained = said.filter(({ containsAllergen }) => containsAllergen === true);
  const allergens = contained.flatMap(({ tag }) => ALLERGENS.get(tag) ?? []);
  const absent = said.filter(({ containsAllergen }) => containsAllergen === false);
  const without = new Set(absent.map(({ tag }) => ALLERGENS.get(tag)));
  const isNone = allAllergens.keys.every((key) => without.has(key));
  if (allergens.length === 0 && !isNone) return {};
  const kinds = contained.flatMap(({ tag }) => KINDS.get(tag) ?? []);
  return { allergens, kinds };
}

function priceOf(incoming: Incoming, { price }: Row): number | null {
  const { currencyCode, amount } = fieldsOf(price);
  incoming.currency(currencyCode);
  return numberOf(amount ?? price);
}

function soldOutOf({ status }: Row): string | null | undefined {
  const { saleStatus, suspendedUntil } = fieldsOf(status);
  if (saleStatus === 'FOR_SALE') return null;
  if (saleStatus === 'INDEFINITELY_NOT_FOR_SALE') return 'indefinitely';
  if (saleStatus !== 'TEMPORARILY_NOT_FOR_SALE') return undefined;
  return untilOf(suspendedUntil);
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
  const photo = textsInList(item.photoIds).map((id) => textOf(fieldsOf(photos[id]).url))[0];
  for (const field of ['priceOverrides', 'additionalCharges']) {
    if (rowsIn(item[field]).length > 0) incoming.losses.lossy(record, field, 'noPlace');
  }
  for (const field of ['nutritionalInfo', 'countryOfOriginIso2']) {
    if (sku[field] !== undefined) incoming.losses.lossy(record, field, 'noPlace');
  }
  return {
    ...{ ...place, name, price: priceOf(incoming, item), soldOut: soldOutOf(item), photo },
    ...(item.description !== undefined && { description: textOf(item.description) }),
    groups: textsInList(item.modifierGroupIds),
    ...allergensOf(sku),
    fields: additivesNamed(incoming.losses, record, textsInList(sku.additives)),
  };
}

/** The windows of a menu; undefined where it says nothing, or that it is always served. */
function windowsIn({ hours, hoursData }: Row): Row[] | undefined {
  const intervals = [
    ...rowsIn(fieldsOf(hours).intervals),
    ...rowsIn(fieldsOf(hoursData).regularHours),
  ];
  const spans = intervals.flatMap(({ day, fromHour, fromMinute, toHour, toMinute }) => {
    const weekday = dayNamed(day);
    const from = (numberOf(fromHour) ?? 0) * 60 + (numberOf(fromMinute) ?? 0);
    const end = (numberOf(toHour) ?? 0) * 60 + (numberOf(toMinute) ?? 0);
    const to = end === DAY_END - 1 || end === 0 ? DAY_END : end;
    return weekday < 0 || from >= DAY_END || to > DAY_END ? [] : [{ day: weekday, from, to }];
  });
  return limitedWindows(spans);
}

/** Sections in the order of the menus, with the hours of their menus where there are several. */
function sectionsOf(root: Row) {
  const found = hoursBySection(
    valuesOf(root.menus).map((menu) => ({
      ...{ id: textOf(menu.id), sections: textsInList(menu.categoryIds), hours: windowsIn(menu) },
    })),
  );
  for (const id of Object.keys(fieldsOf(root.categories)))
    if (!found.has(id)) found.set(id, undefined);
  return found;
}

/** The menus of Otter. A step is one dish. */
export function* otterIn(
  source: unknown,
  options: InOptions,
): Generator<void, ExchangeImport | null> {
  const given = fieldsOf(source);
  const root = given.items === undefined ? fieldsOf(given.menuData) : given;
  const items = fieldsOf(root.items);
  const categories = fieldsOf(root.categories);
  if (root.items === undefined || root.categories === undefined) return null;
  const incoming = createIncoming('otter', options);
  for (const [id, entry] of Object.entries(fieldsOf(root.modifierGroups))) {
    const group = fieldsOf(entry);
    const max = numberOf(group.maximumSelections);
    incoming.group({
      key: textOf(group.id) || id,
      name: textOf(group.name),
      min: numberOf(group.minimumSelections) ?? 0,
      max: max === 0 ? null : max,
      options: textsInList(group.itemIds).flatMap((key) => {
        const item = fieldsOf(items[key]);
        if (items[key] === undefined) return [];
        const soldOut = soldOutOf(item);
        return {
          ...{ name: textOf(item.name), price: priceOf(incoming, item) },
          ...(soldOut !== undefined && { isSoldOut: soldOut !== null }),
          allergens: allergensOf(fieldsOf(item.skuDetails)).allergens,
        };
      }),
    });
    yield;
  }
  for (const [id, hours] of sectionsOf(root)) {
    const category = fieldsOf(categories[id]);
    const key = textOf(category.id) || id;
    incoming.section({
      ...{ key, name: textOf(category.name), hours },
      ...(category.description !== undefined && { notes: textOf(category.description) }),
    });
    for (const item of textsInList(category.itemIds)) {
      const found = items[item];
      const place = { key: item, section: key };
      if (found !== undefined) {
        incoming.dish(dishOf(incoming, fieldsOf(found), place, fieldsOf(root.photos)));
      }
      yield;
    }
  }
  return incoming.finish();
}

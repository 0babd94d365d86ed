import { allergens as allAllergens } from '../schema/dictionary.ts';
import type { Translations } from '../schema/values/locale.ts';
import type { Row } from '../schema/values/row.ts';
import { OTTER_ALLERGENS, OTTER_KINDS } from './allergen-crosswalk.ts';
import { DAY_END, DAYS, type Week, weekOf } from './day-spans.ts';
import { createFlatGroups, type FlatGroup, leastPrice } from './flat-groups.ts';
import { menusByHours } from './menus-by-hours.ts';
import {
  containedKinds,
  joinedNames,
  namedSettings,
  nameMissingVat,
  type OutFormat,
  type OutMenu,
  type SentDish,
  saysAlcohol,
  timedSection,
  vatOf,
} from './out-menu.ts';
import type { Reported } from './report.ts';
import { englishAdditive } from './tag-names.ts';

// Otter’s menus: maps by id. It alone of all services can say that a dish contains no allergens.

export const otterOut: OutFormat = {
  write,
  knowsSoldOut: true,
  carries: {
    items: [
      ...['description', 'variants', 'courses', 'modifier_group_ids', 'allergens'],
      ...['allergen_detail', 'additives', 'photo_id', 'photo_url'],
    ],
    categories: ['hours', 'notes'],
    groups: ['min', 'max', 'options'],
    settings: ['name', 'currency', 'opening_hours', 'prices_exclude_tax'],
  },
};

const priceOf = ({ currency }: OutMenu, amount: number) => ({
  currencyCode: currency,
  amount,
});

/**
 * The statement of a dish on each allergen. One that is neither contained nor possible is absent;
 * of one that it may contain nothing is said.
 */
function classificationsOf(menu: OutMenu, dish: SentDish): Row[] {
  const { allergens, traces } = dish.row;
  const kinds = containedKinds(menu, dish);
  if (allergens === null) return [];
  if (allergens.length === 0 && traces.length > 0) {
    menu.losses.lossy(dish, 'allergens', 'noneLeftOut');
  }
  const known = allAllergens.keys.filter((key) => !traces.includes(key));
  return [
    ...known.map((key) => ({
      tag: OTTER_ALLERGENS[key],
      containsAllergen: allergens.includes(key),
    })),
    ...kinds.map((kind) => ({ tag: OTTER_KINDS[kind], containsAllergen: true })),
  ];
}

function statusOf(until: string | null): Row {
  if (until === null) return { saleStatus: 'FOR_SALE' };
  if (until === 'indefinitely') return { saleStatus: 'INDEFINITELY_NOT_FOR_SALE' };
  return { saleStatus: 'TEMPORARILY_NOT_FOR_SALE', suspendedUntil: until };
}

function skuOf(menu: OutMenu, dish: SentDish): Row {
  const { row } = dish;
  const allergenClassifications = classificationsOf(menu, dish);
  return {
    ...(allergenClassifications.length > 0 && { allergenClassifications }),
    ...(row.additives.length > 0 && { additives: row.additives.map(englishAdditive) }),
    ...(saysAlcohol(row) && { containsAlcohol: true }),
  };
}

function itemOf(menu: OutMenu, dish: SentDish, groups: readonly FlatGroup[], photo?: string): Row {
  const { row, key } = dish;
  const sku = skuOf(menu, dish);
  const rate = vatOf(menu, dish);
  const description = menu.one(dish, 'description', row.description);
  return {
    id: key,
    name: menu.one(dish, 'name', row.name),
    ...(description && { description }),
    price: priceOf(menu, leastPrice(dish)),
    status: statusOf(row.sold_out_until),
    ...(groups.length > 0 && { modifierGroupIds: groups.map((group) => group.key) }),
    ...(photo && { photoIds: [photo] }),
    ...(Object.keys(sku).length > 0 && { skuDetails: sku }),
    ...(rate !== null && {
      tax: { percentageValue: rate, isValueAddedTax: !menu.settings.prices_exclude_tax },
    }),
  };
}

function optionItems(menu: OutMenu, group: FlatGroup): Row[] {
  const { of, field } = group;
  return group.options.map(({ key, name, price, allergens, isSoldOut, abv_percent }) => {
    if (abv_percent) menu.losses.lossy(of, field, 'noPlace');
    const allergenClassifications = (allergens === null ? [] : allAllergens.keys).map((one) => ({
      tag: OTTER_ALLERGENS[one],
      containsAllergen: allergens?.includes(one) ?? false,
    }));
    return {
      id: key,
      name: menu.one(of, field === 'name' ? 'options' : field, name),
      price: priceOf(menu, price),
      status: statusOf(isSoldOut ? 'indefinitely' : null),
      ...(allergens !== null && { skuDetails: { allergenClassifications } }),
    };
  });
}

function groupOf(menu: OutMenu, group: FlatGroup): Row {
  return {
    id: group.key,
    name: menu.one(group.of, group.field, group.name),
    minimumSelections: group.min,
    // 0 is any number.
    maximumSelections: group.max ?? 0,
    itemIds: group.options.map(({ key }) => key),
  };
}

function intervalsOf(week: Week): Row[] {
  return week.flatMap((spans, day) =>
    spans.map(({ from, to }) => {
      const end = to === DAY_END ? DAY_END - 1 : to;
      return {
        ...{ day: DAYS[day]?.toUpperCase() },
        ...{ fromHour: Math.floor(from / 60), fromMinute: from % 60 },
        ...{ toHour: Math.floor(end / 60), toMinute: end % 60 },
      };
    }),
  );
}

function menusOf(menu: OutMenu): Row {
  const { settings, losses } = menu;
  const opening = weekOf(settings.opening_hours);
  if (opening.every((spans) => spans.length === 0)) {
    losses.lossy(namedSettings(settings), 'opening_hours', 'hoursMissing');
  }
  const menus = menusByHours(menu, intervalsOf(opening), (section) => {
    const timed = timedSection(menu, section);
    return timed && intervalsOf(weekOf(timed.row.hours));
  });
  return byId(
    menus.map(({ id, hours: intervals, sections }) => ({
      ...{ id, name: String(settings.name), categoryIds: sections },
      fulfillmentModes: ['DELIVERY'],
      ...(intervals.length > 0 && { hours: { intervals } }),
    })),
  );
}

/** Rows of documents by their ids. */
type ById = Record<string, Row>;
const byId = (rows: readonly Row[]): ById => Object.fromEntries(rows.map((row) => [row.id, row]));
/** It takes any key, `__proto__` too. */
const emptyMap = (): ById => Object.create(null);

function* write(menu: OutMenu): Generator<void, Row> {
  nameMissingVat(menu);
  const groups = createFlatGroups(menu);
  const photos = new Map<string, string>();
  const items = emptyMap();
  const categories: Row[] = [];
  const modifierGroups = emptyMap();
  const photoId = (named: Reported, image: string | null) => {
    if (!image) return undefined;
    const id = photos.get(image) ?? `photo-${named.id}`;
    photos.set(image, id);
    return id;
  };
  for (const section of menu.sections) {
    const notes = menu.one(section, 'notes', (section.row.notes ?? {}) as Translations);
    categories.push({
      id: section.key,
      name: menu.one(section, 'name', joinedNames(section)),
      ...(notes && { description: notes }),
      itemIds: section.dishes.map(({ key }) => key),
    });
    for (const dish of section.dishes) {
      const all = [...groups.own(dish), ...groups.shared(dish)];
      items[dish.key] = itemOf(menu, dish, all, photoId(dish, dish.image));
      yield;
    }
  }
  for (const group of groups.all) {
    for (const item of optionItems(menu, group)) items[String(item.id)] = item;
    modifierGroups[group.key] = groupOf(menu, group);
    yield;
  }
  const menus = menusOf(menu);
  const pictures = byId([...photos].map(([url, id]) => ({ id, url })));
  return { menus, categories: byId(categories), items, modifierGroups, photos: pictures };
}

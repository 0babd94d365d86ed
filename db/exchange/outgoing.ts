import { groupBy } from '../runtime/group-by.ts';
import type { Loss } from '../schema/exchange-report.ts';
import { defaultsOf, isSame } from '../schema/record.ts';
import { records } from '../schema/registry.ts';
import { currencyDecimals } from '../schema/values/currency.ts';
import { isLocale, type Locale, localize, type Translations } from '../schema/values/locale.ts';
import type { Resource } from '../schema/values/resource.ts';
import { type Row, rowsIn } from '../schema/values/row.ts';
import { visibilityAt } from '../schema/visibility.ts';
import { isMadeKey } from './in-parts.ts';
import {
  type DishRow,
  type Group,
  namedSettings,
  type OutFormat,
  type OutMenu,
  type SentSection,
} from './out-menu.ts';
import type { Losses, OutOptions, Reported } from './report.ts';

// Reads the document that an import of Lavagna takes, for an export to another service.

/**
 * Fields that every format carries by the form of its document, or whose losses are named where they
 * are read. Hours are one field: the others say its first window.
 */
const BY_FORM = [
  ...['external_id', 'category_id', 'display_order', 'is_active', 'name', 'price'],
  ...['price_on_request', 'sold_out_until'],
  ...['time_visibility_enabled', 'weekdays', 'time_start', 'time_end'],
];

/** Settings that are names of Lavagna alone. */
const NOT_CARRIED = ['slug', 'is_active'];

function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** Whether a field of a record says something else than each new record does. */
function saysOwn(resource: Resource, field: string, value: unknown): boolean {
  const { fields } = records[resource];
  if (!(field in fields) || !saysSomething(value)) return false;
  const defaults = defaultsOf(records[resource]);
  return !(field in defaults && isSame(value, defaults[field]));
}

const saysMore = (resource: Resource, row: Row) =>
  Object.entries(row).some(([field, value]) => saysOwn(resource, field, value));

/** Names every field of a record that says something and that the format does not carry. */
function nameRest(losses: Losses, record: Reported, row: Row, carried: readonly string[]) {
  for (const [field, value] of Object.entries(row)) {
    if (carried.includes(field) || losses.names(record, field)) continue;
    if (saysOwn(record.resource as Resource, field, value)) losses.lossy(record, field, 'noPlace');
  }
}

/** Whether guests see a record at a moment, as far as it says. */
function isShown({ is_active, visible_from = null, visible_until = null }: Row, at: Date) {
  if (is_active === false) return false;
  const moments = { visible_from, visible_until } as Parameters<typeof visibilityAt>[0];
  return visibilityAt(moments, at) === 'now';
}

/** The address of a dish's own photo, or of the picture that it names; null for none. */
function pictureOf({ photo_id, photo_url }: Row, { photoPaths, origin }: OutOptions) {
  const given = photoPaths.get(photo_id as number) ?? photo_url;
  if (typeof given !== 'string' || given === '') return null;
  return given.startsWith('/') ? `${origin}${given}` : given;
}

/** Names for the records of a menu in another service, each of them once. */
function createKeys(slug: string, { notInIds, hasNoKeys }: OutFormat, losses: Losses) {
  const used = new Set<string>();
  const isOurs = (key: string) => key.startsWith(`${slug}.`) || isMadeKey(key);
  const isFit = (key: string) =>
    hasNoKeys !== true && !notInIds?.test(key) && !isOurs(key) && !used.has(key);
  /** @param made the key without one of its own. @param field the field that has its key */
  return (record: Reported, field: string, external_id: unknown, made: string) => {
    const own = typeof external_id === 'string' ? external_id : null;
    const isKept = own !== null && isFit(own);
    if (own !== null && !isKept) losses.lossy(record, field, 'noPlace');
    const key = isKept ? own : made;
    used.add(key);
    return key;
  };
}

function inOrderOf(rows: readonly Row[]): Row[] {
  const order = (row: Row) => Number(row.display_order ?? 0);
  return rows.toSorted((left, right) => order(left) - order(right));
}

/** Section rows from the top down, wines last as on the menu. */
function* walk(rows: readonly Row[]): Generator<{ row: Row; parent: unknown }> {
  const byParent = groupBy(rows, ({ parent_id }): unknown => parent_id ?? null);
  function* below(parent: unknown): Generator<{ row: Row; parent: unknown }> {
    for (const row of inOrderOf(byParent.get(parent) ?? [])) {
      yield { row, parent };
      yield* below(row.id);
    }
  }
  const isWine = ({ row }: { row: Row }) => row.menu_type === 'wine';
  const all = [...below(null)];
  yield* all.filter((one) => !isWine(one));
  yield* all.filter(isWine);
}

/** The means of reading a menu. */
interface Reading extends Pick<OutMenu, 'options' | 'losses' | 'format'> {
  called(texts: unknown): string;
  keyOf(record: Reported, row: Row): string;
}

function named({ called }: Reading, resource: string, row: Row): Reported {
  return { resource, id: row.id as number, name: called(row.name) };
}

/** The sections that guests see, from the top down; hidden ones are named. */
function readSections(reading: Reading, rows: readonly Row[]): Map<unknown, SentSection> {
  const { options, losses } = reading;
  const sections = new Map<unknown, SentSection>();
  for (const { row, parent } of walk(rows)) {
    const own = named(reading, 'categories', row);
    // Records in a hidden section are hidden with it.
    if ((parent !== null && !sections.has(parent)) || !isShown(row, options.at)) {
      losses.leftOut(own, 'hidden');
      continue;
    }
    const section: SentSection = { ...own, key: '', row, path: [], dishes: [] };
    section.path = [...(sections.get(parent)?.path ?? []), section];
    sections.set(row.id, section);
  }
  return sections;
}

/** Why a dish cannot be carried at all; null for one that can. */
function whyLeftOut(
  { options, format }: Reading,
  row: DishRow,
  section: SentSection | undefined,
): Loss | null {
  if (!section || !isShown(row, options.at)) return 'hidden';
  const prices = row.variants.length > 0 ? row.variants.map(({ price }) => price) : [row.price];
  if (!format.takesNoPrice) {
    if (row.price_on_request && !format.takesOnRequest) return 'priceOnRequest';
    // A price of 0 was never stated: menus do not show it.
    if (!row.price_on_request && prices.includes(0)) return 'noPrice';
  }
  const isGone = row.sold_out_until === 'indefinitely';
  return isGone && !format.knowsSoldOut ? 'soldOut' : null;
}

/** Puts the dishes that guests see into their sections; the others are named. */
function* readDishes(
  reading: Reading,
  rows: readonly Row[],
  sections: ReadonlyMap<unknown, SentSection>,
  groups: ReadonlyMap<unknown, Group>,
): Generator<void> {
  const { options, losses, format, keyOf } = reading;
  for (const row of inOrderOf(rows) as DishRow[]) {
    yield;
    const own = named(reading, 'items', row);
    const section = sections.get(row.category_id);
    const why = whyLeftOut(reading, row, section);
    if (why !== null || !section) {
      losses.leftOut(own, why ?? 'hidden');
      continue;
    }
    if (row.sold_out_until !== null && !format.knowsSoldOut) {
      losses.lossy(own, 'sold_out_until', 'soldOut');
    }
    if (row.variants.some((size) => size.is_sold_out)) losses.lossy(own, 'variants', 'soldOut');
    if (row.allergens === null) losses.lossy(own, 'allergens', 'undeclared');
    if (row.offers.length > 0 && !format.carries.items.includes('offers')) {
      losses.lossy(own, 'offers', 'offerLeftOut');
    }
    const image = pictureOf(row, options);
    // Guests see its own photo instead.
    if (row.photo_id && saysSomething(row.photo_url)) losses.lossy(own, 'photo_url', 'noPlace');
    const ids = (row.modifier_group_ids ?? []) as number[];
    section.dishes.push({
      ...{ ...own, key: keyOf(own, row), row, section, image },
      groups: ids.flatMap((id) => groups.get(id) ?? []),
    });
  }
}

/** The sections that a format takes, with their keys. */
function keepSections(reading: Reading, sections: readonly SentSection[]): SentSection[] {
  const { losses, format, keyOf } = reading;
  const filled = new Set(
    sections
      .filter(({ dishes }) => dishes.length > 0)
      .flatMap((section) => (format.nests ? section.path : [section])),
  );
  return sections.filter((section) => {
    if (!format.takesEmpty && !filled.has(section)) {
      losses.leftOut(section, 'emptySection');
      return false;
    }
    section.key = keyOf(section, section.row);
    if (section.path.length > 1 && !format.nests) {
      losses.lossy(section, 'parent_id', 'sectionJoined');
      losses.lossy(section, 'name', 'sectionJoined');
    }
    const { hours, time_visibility_enabled: isTimed } = section.row;
    if (!isTimed && rowsIn(hours).length > 0) losses.lossy(section, 'hours', 'noPlace');
    return true;
  });
}

/** The groups that carried dishes have, with their keys; the others are named. */
function keepGroups(reading: Reading, groups: Iterable<Group>, sections: readonly SentSection[]) {
  const { losses, format, keyOf } = reading;
  const used = new Set(sections.flatMap(({ dishes }) => dishes.flatMap((dish) => dish.groups)));
  const hasPlace = format.carries.items.includes('modifier_group_ids');
  return [...groups].filter((group) => {
    if (used.has(group) && hasPlace) {
      group.key = keyOf(group, group.row);
      return true;
    }
    losses.leftOut(group, used.has(group) ? 'noPlace' : 'hidden');
    return false;
  });
}

/** Names photos without a place, and of those that are carried all but the address. */
function namePhotos(
  { losses, format, called }: Reading,
  photos: readonly Row[],
  sections: readonly SentSection[],
) {
  const dishes = sections.flatMap((section) => section.dishes);
  const hasPlace = format.carries.items.includes('photo_id');
  const carried = new Set(hasPlace ? dishes.map(({ row }) => row.photo_id) : []);
  for (const row of photos) {
    const photo = { resource: 'photos', id: row.id as number, name: called(row.alt) };
    if (carried.has(row.id)) nameRest(losses, photo, row, BY_FORM);
    else losses.leftOut(photo, 'noPlace');
  }
}

/**
 * Reads a menu for an export, and names what no export carries: hidden records, other languages, fields
 * without a place. A step is one dish.
 *
 * @param document as `exportMenu` gives it
 */
export function* readOutgoing(
  document: Row,
  options: OutOptions,
  losses: Losses,
  format: OutFormat,
): Generator<void, OutMenu> {
  const settings = (document.settings ?? {}) as Row;
  const usual = settings.default_locale as Locale;
  const fallback = settings.fallback_locale as Locale;
  const locale = options.locale ?? usual;
  const currency = String(settings.currency);
  const called = (texts: unknown) =>
    localize((texts ?? {}) as Translations, { locale, fallback, usual });
  const slug = String(settings.slug);
  const keyIn = createKeys(slug, format, losses);
  const keyOf = (record: Reported, { id, external_id }: Row) =>
    keyIn(record, 'external_id', external_id, `${slug}.${record.resource}.${id}`);
  const reading: Reading = { options, losses, format, called, keyOf };

  const sections = readSections(reading, rowsIn(document.categories));
  const all = new Map<unknown, Group>(
    rowsIn(document.modifier_groups).map((row) => [
      row.id,
      { ...named(reading, 'modifier_groups', row), key: '', row: row as Group['row'] },
    ]),
  );
  yield* readDishes(reading, rowsIn(document.items), sections, all);
  const sent = keepSections(reading, [...sections.values()]);
  const groups = keepGroups(reading, all.values(), sent);
  for (const resource of ['types', 'wineries']) {
    for (const row of rowsIn(document[resource])) {
      losses.leftOut(named(reading, resource, row), 'noPlace');
    }
  }
  if (saysMore('theme', (document.theme ?? {}) as Row)) {
    losses.leftOut({ resource: 'theme', id: null, name: '' }, 'noPlace');
  }
  namePhotos(reading, rowsIn(document.photos), sent);
  const supported = (settings.supported_locales as string[] | undefined) ?? [usual];
  return {
    ...{ settings, currency, locale, options, losses, format, sections: sent, groups },
    dishNames: new Map(rowsIn(document.items).map(({ id, name }) => [id, name as Translations])),
    one: (record, field, texts = {}, max = Number.POSITIVE_INFINITY) => {
      const said = called(texts);
      if (Object.keys(texts).some((code) => code !== locale)) {
        losses.lossy(record, field, 'languageLeftOut');
      }
      return losses.cut(record, field, said, max);
    },
    partKey: (record, field, { external_id }, made) => keyIn(record, field, external_id, made),
    locales: options.locale ? [options.locale] : supported.filter(isLocale),
    units: (amount, decimals = currencyDecimals(currency)) => Math.round(amount * 10 ** decimals),
  };
}

/** Names the fields of all carried records without a place, and closes the report. */
export function* closeReport({ sections, groups, settings, losses, format }: OutMenu) {
  const { carries } = format;
  const ofDishes = [...BY_FORM, ...carries.items];
  let sent = 0;
  for (const section of sections) {
    nameRest(losses, section, section.row, [...BY_FORM, ...carries.categories, 'parent_id']);
    for (const dish of section.dishes) {
      sent += 1;
      nameRest(losses, dish, dish.row, ofDishes);
      yield;
    }
  }
  for (const group of groups) nameRest(losses, group, group.row, [...BY_FORM, ...carries.groups]);
  const restaurant = namedSettings(settings);
  // A document without dishes says nothing of the restaurant.
  const ofSettings = sent > 0 ? carries.settings : [];
  nameRest(losses, restaurant, settings, [...NOT_CARRIED, ...ofSettings]);
  return losses.report(sent);
}

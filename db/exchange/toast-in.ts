import { listIn, type Row, rowsIn } from '../schema/values/row.ts';
import { dayNamed, readSpan, windowsFrom } from './day-spans.ts';
import { fieldsOf, type InDish, type InSize, numberOf, textOf, textsInList } from './in-menu.ts';
import { type Known, known, nameOthers, spansOf } from './in-rest.ts';
import { MOST } from './in-values.ts';
import type { Incoming } from './incoming.ts';
import type { Reported } from './report.ts';
import { ALL_LABELS, dishLabelNamed } from './tag-names.ts';

// The menus of Toast, as GET /menus/v2/menus gives them. Its allergens are reserved and not read.

/** The most sizes that are read, one more than there may be. */
const MOST_SIZES = MOST.sizes + 1;

const UNITS: ReadonlyMap<string, string> = new Map([
  ['KG', 'kg'],
  ['L', 'litre'],
]);

/** The id that stays the same from one publication to the next. */
const keyOf = ({ multiLocationId, guid }: Row) => textOf(multiLocationId) || textOf(guid);

/** Windows of a schedule of days and ranges of time. */
function windowsIn({ losses }: Incoming, record: Reported, schedule: unknown, field = 'hours') {
  const entries = rowsIn(schedule).flatMap(({ days, timeRanges }) => {
    const given = [...new Set(listIn(days))];
    const weekdays = given.filter((day) => dayNamed(day) >= 0);
    if (weekdays.length < given.length) losses.lossy(record, field, 'spanLeftOut');
    return weekdays.flatMap((day) =>
      rowsIn(timeRanges).map(({ start, end }) => ({ day, start, end })),
    );
  });
  const read = ({ day, start, end }: Row) => readSpan(dayNamed(day), start, end);
  const spans = spansOf(losses, record, entries, read, field);
  return windowsFrom(spans) ?? [];
}

/** Prices at certain times as offers; a schedule of several windows makes several. */
function offersOf(incoming: Incoming, record: Reported, rules: Row): Row[] {
  return rowsIn(rules.timeSpecificPricingRules).flatMap(({ timeSpecificPrice, schedule }) => {
    const price = numberOf(timeSpecificPrice);
    if (price === null) incoming.losses.lossy(record, 'offers', 'noPrice');
    const windows = windowsIn(incoming, record, schedule, 'offers');
    if (windows.length === 0) incoming.losses.lossy(record, 'offers', 'spanLeftOut');
    if (price === null) return [];
    return windows.map((window) => ({
      ...{ label: {}, price, date_start: null, date_end: null, ...window },
    }));
  });
}

type References = ReadonlyMap<string, Row>;
const byReference = (value: unknown): References =>
  new Map(Object.entries(fieldsOf(value)).map(([id, row]) => [id, fieldsOf(row)]));

/** The sizes of a dish: of its rules, or of its group of sizes. */
function sizesOf(incoming: Incoming, record: Reported, item: Row, source: Source): InSize[] {
  if (item.pricingStrategy !== 'SIZE_PRICE') return [];
  const rules = fieldsOf(item.pricingRules);
  const sized = rowsIn(rules.sizeSequencePricingRules)
    .slice(0, MOST_SIZES)
    .map((size) => {
      const prices = rowsIn(size.sequencePrices);
      if (prices.length > 1) incoming.losses.lossy(record, 'sequencePrices', 'noPlace');
      return {
        ...{ key: textOf(size.sizeGuid), name: textOf(size.sizeName) },
        price: numberOf(prices[0]?.price),
      };
    });
  if (sized.length > 0) return sized;
  const group = source.byGuid.get(rules.sizeSpecificPricingGuid);
  const references = listIn(group?.modifierOptionReferences).slice(0, MOST_SIZES);
  return references.flatMap((reference) => {
    const option = source.choices.get(String(reference));
    if (!option) return [];
    const { guid, name, price } = option;
    return [{ key: textOf(guid), name: textOf(name), price: numberOf(price) }];
  });
}

function labelsOf(incoming: Incoming, record: Reported, item: Row) {
  const names = rowsIn(item.itemTags).map(({ name }) => textOf(name));
  const found = names.map(dishLabelNamed);
  if (found.includes(null)) incoming.losses.lossy(record, 'itemTags', 'unknownTag');
  // A menu without a single tag says nothing of labels.
  return names.length > 0
    ? { labels: { given: found.filter((one) => one !== null), known: ALL_LABELS } }
    : {};
}

/** Fields that are read, or that say nothing of a menu. */
const OWN = 'name guid multiLocationId masterId';
const READ = {
  root: known(`restaurantGuid lastUpdated restaurantTimeZone menus modifierGroupReferences
    modifierOptionReferences preModifierGroupReferences`),
  menu: known(`${OWN} visibility availability menuGroups`),
  menuAsSection: known(`${OWN} description visibility availability menuGroups`),
  section: known(`${OWN} description visibility availability menuGroups menuItems sortOrder`),
  item: known(`${OWN} kitchenName description image highResImage images price pricingStrategy
    pricingRules taxInclusion itemTags plu sku calories contentAdvisories unitOfMeasure prepTime
    modifierGroupReferences allergens visibility sortOrder isDeferred isDiscountable salesCategory`),
  group: known(`${OWN} referenceId minSelections maxSelections requiredMode isMultiSelect
    modifierOptionReferences pricingStrategy visibility`),
  option: known(`${OWN} referenceId kitchenName price pricingStrategy plu sku unitOfMeasure
    visibility sortOrder isDeferred isDiscountable salesCategory prepTime taxInclusion`),
};

/** Names all of a dish that has no place here. */
function nameRest(incoming: Incoming, record: Reported, item: Row) {
  const { losses } = incoming;
  nameOthers(losses, record, item, READ.item);
  if (listIn(item.allergens).length > 0) losses.lossy(record, 'allergens', 'undeclared');
  const { containsAlcohol } = fieldsOf(fieldsOf(item.contentAdvisories).alcohol);
  if (containsAlcohol === 'YES') losses.lossy(record, 'contentAdvisories', 'noPlace');
  const unit = textOf(item.unitOfMeasure);
  if (unit !== '' && unit !== 'NONE' && !UNITS.has(unit)) {
    losses.lossy(record, 'unitOfMeasure', 'noPlace');
  }
}

interface Source {
  groups: References;
  choices: References;
  byGuid: ReadonlyMap<unknown, Row>;
}

/** The address of a picture; of several the first one counts. */
function pictureOf({ losses }: Incoming, record: Reported, item: Row): string {
  const images = textsInList(item.images);
  if (images.length > 1) losses.lossy(record, 'photo_url', 'noPlace');
  return textOf(item.highResImage) || textOf(item.image) || (images[0] ?? '');
}

function dishOf(incoming: Incoming, item: Row, section: string, source: Source): InDish {
  const key = keyOf(item);
  const name = textOf(item.name);
  const record = incoming.record('items', key, name);
  const groups = listIn(item.modifierGroupReferences).flatMap((reference) => {
    const group = source.groups.get(String(reference));
    return group ? [group] : [];
  });
  nameRest(incoming, record, item);
  const rules = fieldsOf(item.pricingRules);
  const sizes = sizesOf(incoming, record, item, source);
  const sizeGroup = sizes.length > 0 ? rules.sizeSpecificPricingGuid : undefined;
  const isTimed = item.pricingStrategy === 'TIME_SPECIFIC_PRICE';
  const offers = isTimed ? offersOf(incoming, record, rules) : undefined;
  const [timed] = rowsIn(rules.timeSpecificPricingRules);
  const base = offers ? numberOf(timed?.basePrice) : null;
  const kcal = numberOf(item.calories);
  const unit = UNITS.get(textOf(item.unitOfMeasure));
  return {
    ...{ key, section, name, sizes, price: base ?? numberOf(item.price) },
    description: textOf(item.description),
    isOnRequest: item.pricingStrategy === 'OPEN_PRICE',
    ...(offers && { offers }),
    groups: groups.filter(({ guid }) => guid !== sizeGroup).map(keyOf),
    ...labelsOf(incoming, record, item),
    photo: pictureOf(incoming, record, item),
    isHidden: Array.isArray(item.visibility) && item.visibility.length === 0,
    fields: {
      ...(kcal !== null && { kcal: Math.round(kcal) }),
      ...(unit && { price_unit: unit }),
    },
  };
}

/** The groups of options, but for those of sizes, which dishes take as such. */
function addGroups(incoming: Incoming, groups: References, choices: References) {
  for (const group of groups.values()) {
    const key = keyOf(group);
    const record = incoming.record('modifier_groups', key, textOf(group.name));
    nameOthers(incoming.losses, record, group, READ.group);
    const min = numberOf(group.minSelections) ?? 0;
    incoming.group({
      ...{ key, name: textOf(group.name), max: numberOf(group.maxSelections) },
      min: group.requiredMode === 'REQUIRED' ? Math.max(min, 1) : min,
      options: listIn(group.modifierOptionReferences).flatMap((reference) => {
        const option = choices.get(String(reference));
        if (!option) return [];
        nameOthers(incoming.losses, record, option, READ.option, 'options');
        return { key: keyOf(option), name: textOf(option.name), price: numberOf(option.price) };
      }),
    });
  }
}

/** The groups that hold the sizes of dishes. */
function sizeGuids(groups: readonly Row[]): Set<unknown> {
  const found = new Set<unknown>();
  const look = (group: Row) => {
    for (const item of rowsIn(group.menuItems)) {
      if (item.pricingStrategy !== 'SIZE_PRICE') continue;
      found.add(fieldsOf(item.pricingRules).sizeSpecificPricingGuid);
    }
    for (const below of rowsIn(group.menuGroups)) look(below);
  };
  for (const group of groups) look(group);
  return found;
}

/** The published menus of Toast. A step is one dish. */
export function* toastIn(source: unknown, incoming: Incoming): Generator<void, boolean> {
  const root = fieldsOf(source);
  const menus = rowsIn(root.menus);
  if (!Array.isArray(root.menus) || !menus.some(({ menuGroups }) => menuGroups)) return false;
  const { losses } = incoming;
  nameOthers(losses, incoming.record('settings', null, ''), root, READ.root);
  const choices = byReference(root.modifierOptionReferences);
  const groups = byReference(root.modifierGroupReferences);
  const sizes = sizeGuids(menus);
  const shared = new Map([...groups].filter(([, { guid }]) => !sizes.has(guid)));
  const byGuid = new Map([...groups.values()].map((group) => [group.guid, group]));
  addGroups(incoming, shared, choices);
  function* below(group: Row, parent: string | undefined, read: Known): Generator<void> {
    const key = keyOf(group);
    const record = incoming.record('categories', key, textOf(group.name));
    nameOthers(losses, record, group, read);
    const { alwaysAvailable, schedule } = fieldsOf(group.availability);
    const hours = alwaysAvailable === true ? [] : windowsIn(incoming, record, schedule);
    const notes = textOf(group.description);
    incoming.section({
      ...{ key, name: textOf(group.name), parent },
      ...(notes !== '' && { notes }),
      ...(hours.length > 0 && { hours }),
    });
    for (const item of rowsIn(group.menuItems)) {
      incoming.dish(keyOf(item), () => dishOf(incoming, item, key, { groups, choices, byGuid }));
      yield;
    }
    for (const one of rowsIn(group.menuGroups)) yield* below(one, key, READ.section);
  }
  for (const menu of menus) {
    // Of several menus, each is a section.
    if (menus.length > 1) yield* below(menu, undefined, READ.menuAsSection);
    else yield* onlyMenu(incoming, menu, (group) => below(group, undefined, READ.section));
  }
  return true;
}

/** The one menu is the menu of the restaurant, so that its groups are the sections at the top. */
function* onlyMenu(incoming: Incoming, menu: Row, add: (group: Row) => Generator<void>) {
  const record = { resource: 'menus', id: keyOf(menu), name: textOf(menu.name) };
  nameOthers(incoming.losses, record, menu, READ.menu);
  if (record.name !== '') incoming.losses.lossy(record, 'name', 'noPlace');
  const { alwaysAvailable, schedule } = fieldsOf(menu.availability);
  if (alwaysAvailable !== true && windowsIn(incoming, record, schedule).length > 0) {
    incoming.fact(record.id, record.name, 'opening_hours');
  }
  for (const group of rowsIn(menu.menuGroups)) yield* add(group);
}

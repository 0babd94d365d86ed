import { listIn, type Row, rowsIn } from '../schema/values/row.ts';
import { dayNamed, readSpan, windowsFrom } from './day-spans.ts';
import {
  type ExchangeImport,
  fieldsOf,
  type InDish,
  type InOptions,
  numberOf,
  textOf,
} from './in-menu.ts';
import { createIncoming, type Incoming } from './incoming.ts';
import { ALL_LABELS, dishLabelNamed } from './tag-names.ts';

// The menus of Toast, as GET /menus/v2/menus gives them. Its allergens are reserved and not read.

const UNITS: Readonly<Record<string, string>> = { KG: 'kg', L: 'litre' };

/** The id that stays the same from one publication to the next. */
const keyOf = ({ multiLocationId, guid }: Row) => textOf(multiLocationId) || textOf(guid);

/** Windows of a schedule of days and ranges of time. */
function windowsIn(schedule: unknown): Row[] {
  const spans = rowsIn(schedule).flatMap(({ days, timeRanges }) =>
    listIn(days).flatMap((name) =>
      rowsIn(timeRanges).flatMap(({ start, end }) => readSpan(dayNamed(name), start, end)),
    ),
  );
  return windowsFrom(spans) ?? [];
}

/** Prices at certain times as offers; a schedule of several windows makes several. */
function offersOf(rules: Row): Row[] {
  return rowsIn(rules.timeSpecificPricingRules).flatMap(({ timeSpecificPrice, schedule }) => {
    const price = numberOf(timeSpecificPrice);
    return price === null
      ? []
      : windowsIn(schedule).map((window) => ({
          ...{ label: {}, price, date_start: null, date_end: null, ...window },
        }));
  });
}

type References = ReadonlyMap<string, Row>;
const byReference = (value: unknown): References =>
  new Map(Object.entries(fieldsOf(value)).map(([id, row]) => [id, fieldsOf(row)]));

/** The sizes of a dish: of its rules, or of its group of sizes. */
function sizesOf(item: Row, groups: readonly Row[], choices: References) {
  if (item.pricingStrategy !== 'SIZE_PRICE') return [];
  const rules = fieldsOf(item.pricingRules);
  const sized = rowsIn(rules.sizeSequencePricingRules).map(({ sizeName, sequencePrices }) => ({
    name: textOf(sizeName),
    price: numberOf(rowsIn(sequencePrices)[0]?.price),
  }));
  if (sized.length > 0) return sized;
  const group = groups.find(({ guid }) => guid === rules.sizeSpecificPricingGuid);
  return listIn(group?.modifierOptionReferences).flatMap((reference) => {
    const option = choices.get(String(reference));
    return option ? [{ name: textOf(option.name), price: numberOf(option.price) }] : [];
  });
}

function labelsOf(incoming: Incoming, record: ReturnType<Incoming['record']>, item: Row) {
  const names = rowsIn(item.itemTags).map(({ name }) => textOf(name));
  const found = names.map(dishLabelNamed);
  if (found.includes(null)) incoming.losses.lossy(record, 'itemTags', 'unknownTag');
  // A menu without a single tag says nothing of labels.
  return names.length > 0
    ? { labels: { given: found.filter((one) => one !== null), known: ALL_LABELS } }
    : {};
}

/** Fields of Toast that have no place here, where they say something. */
function nameRest(incoming: Incoming, record: ReturnType<Incoming['record']>, item: Row) {
  const { losses } = incoming;
  for (const field of ['portions', 'prepStations', 'eligiblePaymentAssistancePrograms']) {
    if (listIn(item[field]).length > 0) losses.lossy(record, field, 'noPlace');
  }
  if (listIn(item.allergens).length > 0) losses.lossy(record, 'allergens', 'undeclared');
  const { containsAlcohol } = fieldsOf(fieldsOf(item.contentAdvisories).alcohol);
  if (containsAlcohol === 'YES') losses.lossy(record, 'contentAdvisories', 'noPlace');
  const unit = textOf(item.unitOfMeasure);
  if (unit !== '' && unit !== 'NONE' && !UNITS[unit]) {
    losses.lossy(record, 'unitOfMeasure', 'noPlace');
  }
}

interface Source {
  groups: References;
  choices: References;
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
  const sizes = sizesOf(item, groups, source.choices);
  const sizeGroup = sizes.length > 0 ? rules.sizeSpecificPricingGuid : undefined;
  const offers = item.pricingStrategy === 'TIME_SPECIFIC_PRICE' ? offersOf(rules) : undefined;
  const [timed] = rowsIn(rules.timeSpecificPricingRules);
  const base = offers ? numberOf(timed?.basePrice) : null;
  const kcal = numberOf(item.calories);
  const unit = UNITS[textOf(item.unitOfMeasure)];
  return {
    ...{ key, section, name, sizes, price: base ?? numberOf(item.price) },
    description: textOf(item.description),
    isOnRequest: item.pricingStrategy === 'OPEN_PRICE',
    ...(offers && { offers }),
    groups: groups.filter(({ guid }) => guid !== sizeGroup).map(keyOf),
    ...labelsOf(incoming, record, item),
    photo: textOf(item.highResImage) || textOf(item.image),
    isHidden: Array.isArray(item.visibility) && item.visibility.length === 0,
    fields: {
      ...(kcal !== null && { kcal: Math.round(kcal) }),
      ...(unit && { price_unit: unit }),
    },
  };
}

/** The groups of options, but for those of sizes, which dishes take as such. */
function addGroups(incoming: Incoming, { groups, choices }: Source) {
  for (const group of groups.values()) {
    const key = keyOf(group);
    const record = incoming.record('modifier_groups', key, textOf(group.name));
    if (group.preModifierGroupReference) {
      incoming.losses.lossy(record, 'preModifierGroupReference', 'noPlace');
    }
    const min = numberOf(group.minSelections) ?? 0;
    incoming.group({
      ...{ key, name: textOf(group.name), max: numberOf(group.maxSelections) },
      min: group.requiredMode === 'REQUIRED' ? Math.max(min, 1) : min,
      options: listIn(group.modifierOptionReferences).flatMap((reference) => {
        const option = choices.get(String(reference));
        if (!option) return [];
        if (listIn(option.modifierGroupReferences).length > 0) {
          incoming.losses.lossy(record, 'modifierGroupReferences', 'noPlace');
        }
        return { name: textOf(option.name), price: numberOf(option.price) };
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
export function* toastIn(
  source: unknown,
  options: InOptions,
): Generator<void, ExchangeImport | null> {
  const root = fieldsOf(source);
  const menus = rowsIn(root.menus);
  if (!Array.isArray(root.menus) || !menus.some(({ menuGroups }) => menuGroups)) return null;
  const incoming = createIncoming('toast', options);
  const choices = byReference(root.modifierOptionReferences);
  const groups = byReference(root.modifierGroupReferences);
  const sizes = sizeGuids(menus);
  const shared = new Map([...groups].filter(([, { guid }]) => !sizes.has(guid)));
  addGroups(incoming, { groups: shared, choices });
  function* below(group: Row, parent: string | undefined): Generator<void> {
    const key = keyOf(group);
    const { alwaysAvailable, schedule } = fieldsOf(group.availability);
    const hours = alwaysAvailable === false ? windowsIn(schedule) : [];
    const notes = textOf(group.description);
    incoming.section({
      ...{ key, name: textOf(group.name), parent },
      ...(notes !== '' && { notes }),
      ...(hours.length > 0 && { hours }),
    });
    for (const item of rowsIn(group.menuItems)) {
      incoming.dish(dishOf(incoming, item, key, { groups, choices }));
      yield;
    }
    for (const one of rowsIn(group.menuGroups)) yield* below(one, key);
  }
  for (const menu of menus) {
    // One menu is the menu; of several, each is a section.
    if (menus.length > 1) yield* below(menu, undefined);
    else for (const group of rowsIn(menu.menuGroups)) yield* below(group, undefined);
  }
  return incoming.finish();
}

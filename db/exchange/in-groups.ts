import type { Loss } from '../schema/exchange-report.ts';
import type { Row } from '../schema/values/row.ts';
import { COURSE, SIZES } from './flat-groups.ts';
import { type InDish, type InGroup, type InSize, isEmptyText, type State } from './in-menu.ts';
import { nameRecord, presentOf, referenceTo, reportedAs } from './in-names.ts';
import { keysOfParts, matchParts } from './in-parts.ts';
import { MOST, priceOf, texts, whyNoPrice } from './in-values.ts';
import type { Reported } from './report.ts';

// Groups of options: shared ones, and those that an export has made of sizes and courses.

/** The first number that stands for a group that is new here: no record has so high an id. */
const FIRST_NEW = 2_000_000_000;

/** Options with names and prices, as many as there may be; the others are named. */
function pricedOptions(state: State, { options }: InGroup, record: Reported, field: string) {
  // Many dishes may name one long group: its end is not read for each of them.
  const read = options.slice(0, 2 * MOST.options);
  const named = read.filter(({ name }) => !isEmptyText(name));
  if (named.length < read.length) state.losses.lossy(record, field, 'noName');
  if (named.length > MOST.options) state.losses.lossy(record, field, 'tooMany');
  return named.slice(0, MOST.options).flatMap((option) => {
    const price = priceOf(state, option.price);
    if (price === null) state.losses.lossy(record, field, whyNoPrice(state));
    return price === null ? [] : [{ ...option, price }];
  });
}

function whyNoGroup(state: State, given: InGroup): Loss {
  if (isEmptyText(given.name)) return 'noName';
  return state.isForeign ? 'currencyMismatch' : 'noPlace';
}

/** Writes a group that dishes share. Its id in the document; null for one without options. */
export function writeGroup(state: State, given: InGroup): number | null {
  const known = state.made.get(given.key);
  if (known !== undefined) return known;
  const record = reportedAs('modifier_groups', given.key, given.name);
  const choices = pricedOptions(state, given, record, 'options');
  if (choices.length === 0 || isEmptyText(given.name)) {
    state.losses.leftOut(record, whyNoGroup(state, given));
    state.made.set(given.key, null);
    return null;
  }
  const name = nameRecord(state, 'modifier_groups', given.key, given.name);
  const present = presentOf(state, 'modifier_groups', name);
  const before = matchParts(present?.options, choices);
  const keys = keysOfParts(choices, before);
  const own = 'id' in name ? name.id : (present?.id as number | undefined);
  const id = own ?? FIRST_NEW + state.made.size;
  state.made.set(given.key, id);
  if (given.max !== null && given.max < 1) state.losses.lossy(record, 'max', 'noPlace');
  state.rows.modifier_groups.push({
    ...name,
    id,
    name: texts(state, given.name, present?.name, record, 'name', MOST.name),
    min: Math.min(Math.max(Math.trunc(given.min), 0), choices.length),
    max: given.max === null || given.max > MOST.options ? null : Math.max(given.max, 1),
    options: choices.map(({ name: label, price, allergens, isSoldOut }, at) => ({
      // Facts that the service does not state stay.
      ...before[at],
      label: texts(state, label, before[at]?.label, record, 'options', MOST.name),
      price,
      allergens: allergens ?? before[at]?.allergens ?? null,
      is_sold_out: isSoldOut ?? before[at]?.is_sold_out ?? false,
      ...(isSoldOut === false && { sold_out_until: null }),
      ...keys[at],
    })),
  });
  return id;
}

/** The sizes as a service has them, or as the group that an export has made of them. */
function givenSizes({ groups }: State, dish: InDish): InSize[] {
  const sized = groups.get(`${dish.key}${SIZES}`);
  if (!sized || !dish.groups?.includes(sized.key)) return dish.sizes ?? [];
  const base = dish.price ?? 0;
  return sized.options.map(({ price, ...more }) => {
    return { ...more, price: price === null ? null : base + price };
  });
}

/** The sizes of a dish; of those that are here the service says their names and prices alone. */
export function sizesOf(state: State, dish: InDish, present: Row | undefined, record: Reported) {
  const given = givenSizes(state, dish);
  if (given.length > MOST.sizes) state.losses.lossy(record, 'variants', 'tooMany');
  const priced = given.slice(0, MOST.sizes).flatMap(({ price, ...size }) => {
    const amount = priceOf(state, price);
    if (amount !== null && !isEmptyText(size.name)) return [{ ...size, price: amount }];
    state.losses.lossy(record, 'variants', amount === null ? whyNoPrice(state) : 'noName');
    return [];
  });
  const before = matchParts(present?.variants, priced);
  const keys = keysOfParts(priced, before);
  return priced.map(({ name, price, abv_percent }, at) => ({
    ...before[at],
    label: texts(state, name, before[at]?.label, record, 'variants', MOST.label),
    price,
    ...(typeof abv_percent === 'number' && { abv_percent }),
    ...keys[at],
  }));
}

/** The options of a course. One that is here stays the dish that it is. */
function courseOptions(state: State, course: InGroup, present: Row | undefined, record: Reported) {
  const choices = pricedOptions(state, course, record, 'courses');
  const dishOf = (id: unknown) => state.options.find('items', { id: id as number });
  const before = matchParts(present?.options, choices, ({ item_id, label }) => {
    return typeof item_id === 'number' ? dishOf(item_id)?.name : label;
  });
  return choices.map(({ name, price, dish }, at) => {
    const known = dish === undefined ? undefined : state.names.get(`items/${dish}`);
    const item_id = before[at]?.item_id;
    if (known) return { ...referenceTo('item', known), surcharge: price };
    if (typeof item_id === 'number') return { item_id, surcharge: price };
    const label = texts(state, name, before[at]?.label, record, 'courses', MOST.name);
    return { label, surcharge: price };
  });
}

/** Whether an export has made a group of a course of a dish. */
const isCourseOf = (dish: InDish, key: string) =>
  key.startsWith(`${dish.key}.`) && COURSE.test(key);

/** The courses of a set menu. */
export function coursesOf(
  state: State,
  dish: InDish,
  present: Row | undefined,
  record: Reported,
): Row[] {
  const ours = (dish.groups ?? []).flatMap((key) => {
    return isCourseOf(dish, key) ? (state.groups.get(key) ?? []) : [];
  });
  const all = [...ours, ...(dish.courses ?? [])];
  const most = state.courseOptions < MOST.courseOptions ? MOST.courses : 0;
  if (all.length > most) state.losses.lossy(record, 'courses', 'tooMany');
  const given = all.slice(0, most);
  const before = matchParts(present?.courses, given);
  return given.flatMap((course, at) => {
    const options = courseOptions(state, course, before[at], record);
    state.courseOptions += options.length;
    if (options.length === 0) return [];
    return {
      label: texts(state, course.name, before[at]?.label, record, 'courses', MOST.name),
      choose: Math.min(Math.max(Math.trunc(course.min), 1), options.length),
      options,
    };
  });
}

/** The groups that a dish shares with others, by their ids in the document. */
export function groupReferences(state: State, dish: InDish, record: Reported): Row {
  if (dish.groups === undefined) return {};
  const isOwn = (key: string) => key === `${dish.key}${SIZES}` || isCourseOf(dish, key);
  const shared = dish.groups.filter((key) => !isOwn(key));
  const found = [...new Set(shared)].flatMap((key) => {
    const given = state.groups.get(key);
    const id = given ? writeGroup(state, given) : null;
    return id === null ? [] : [id];
  });
  if (found.length > MOST.groups) state.losses.lossy(record, 'modifier_group_ids', 'tooMany');
  return { modifier_group_ids: found.slice(0, MOST.groups) };
}

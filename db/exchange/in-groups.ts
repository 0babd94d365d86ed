import { type Row, rowsIn } from '../schema/values/row.ts';
import { COURSE, SIZES } from './flat-groups.ts';
import { type InDish, type InGroup, isEmptyText, type State } from './in-menu.ts';
import { nameRecord, presentOf, referenceTo, reportedAs } from './in-names.ts';
import { labelOf, MOST, optionsOf, priceOf, texts, whyNoPrice } from './in-values.ts';
import type { Reported } from './report.ts';

// Groups of options: shared ones, and those that an export has made of sizes and courses.

/** The first number that stands for a group that is new here: no record has so high an id. */
const FIRST_NEW = 2_000_000_000;

/** Writes a group that dishes share. Its id in the document; null for one without options. */
export function writeGroup(state: State, given: InGroup): number | null {
  const known = state.made.get(given.key);
  if (known !== undefined) return known;
  const record = reportedAs('modifier_groups', given.key, given.name);
  const choices = optionsOf(state, given, record, 'options').flatMap((option) => {
    const price = priceOf(state, option.price ?? 0);
    if (price === null) state.losses.lossy(record, 'options', whyNoPrice(state));
    return price === null ? [] : [{ option, price }];
  });
  if (choices.length === 0 || isEmptyText(given.name)) {
    state.losses.leftOut(record, isEmptyText(given.name) ? 'noName' : 'noPlace');
    state.made.set(given.key, null);
    return null;
  }
  const name = nameRecord(state, 'modifier_groups', given.key, given.name);
  const present = presentOf(state, 'modifier_groups', name);
  const before = rowsIn(present?.options);
  const own = 'id' in name ? name.id : (present?.id as number | undefined);
  const id = own ?? FIRST_NEW + state.made.size;
  state.made.set(given.key, id);
  state.rows.modifier_groups.push({
    ...name,
    id,
    name: texts(state, given.name, present?.name, record, 'name', MOST.name),
    min: Math.min(given.min, choices.length),
    max: given.max === null || given.max > MOST.options ? null : Math.max(given.max, 1),
    options: choices.map(({ option, price }, at) => ({
      label: labelOf(state, option.name, record, 'options', MOST.name),
      price,
      // Without a word of the service the declaration of here stays.
      allergens: option.allergens ?? before[at]?.allergens ?? null,
      ...(option.isSoldOut !== undefined
        ? { is_sold_out: option.isSoldOut }
        : { is_sold_out: before[at]?.is_sold_out ?? false }),
    })),
  });
  return id;
}

/** The sizes of a dish, from a list of its own or from the group that an export has made of them. */
export function sizesOf(state: State, dish: InDish, record: Reported) {
  const sized = state.groups.get(`${dish.key}${SIZES}`);
  const isOurs = sized !== undefined && dish.groups?.includes(sized.key);
  const base = dish.price ?? 0;
  const given = isOurs
    ? sized.options.map(({ name, price, ...more }) => {
        return { name, price: price === null ? null : base + price, ...more };
      })
    : (dish.sizes ?? []);
  if (given.length > MOST.sizes) state.losses.lossy(record, 'variants', 'tooMany');
  return given.slice(0, MOST.sizes).flatMap(({ name, price, ...more }) => {
    const amount = priceOf(state, price);
    if (amount === null || isEmptyText(name)) {
      state.losses.lossy(record, 'variants', amount === null ? whyNoPrice(state) : 'noName');
      return [];
    }
    const { abv_percent } = more as { abv_percent?: number | null };
    const label = labelOf(state, name, record, 'variants', MOST.label);
    return [{ label, price: amount, ...(typeof abv_percent === 'number' && { abv_percent }) }];
  });
}

/** The courses of a set menu. */
export function coursesOf(state: State, dish: InDish, record: Reported): Row[] {
  const ours = (dish.groups ?? []).flatMap((key) => {
    const found =
      key.startsWith(`${dish.key}.`) && COURSE.test(key) ? state.groups.get(key) : undefined;
    return found ?? [];
  });
  return [...ours, ...(dish.courses ?? [])].slice(0, MOST.courses).flatMap((course) => {
    const choices = optionsOf(state, course, record, 'courses');
    if (choices.length === 0) return [];
    return {
      label: labelOf(state, course.name, record, 'courses', MOST.name),
      choose: Math.min(Math.max(course.min, 1), choices.length),
      options: choices.map(({ name, price, dish: of }) => {
        const known = of === undefined ? undefined : state.names.get(`items/${of}`);
        const label = labelOf(state, name, record, 'courses', MOST.name);
        return {
          ...(known ? referenceTo('item', known) : { label }),
          surcharge: priceOf(state, price ?? 0) ?? 0,
        };
      }),
    };
  });
}

/** The groups that a dish shares with others, by their ids in the document. */
export function groupReferences(state: State, dish: InDish, record: Reported): Row {
  const shared = (dish.groups ?? []).filter(
    (key) => key !== `${dish.key}${SIZES}` && !(key.startsWith(`${dish.key}.`) && COURSE.test(key)),
  );
  const found = [...new Set(shared)].flatMap((key) => {
    const given = state.groups.get(key);
    const id = given ? writeGroup(state, given) : null;
    return id === null ? [] : [id];
  });
  if (found.length > MOST.groups) state.losses.lossy(record, 'modifier_group_ids', 'tooMany');
  return { modifier_group_ids: found.slice(0, MOST.groups) };
}

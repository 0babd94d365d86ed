import { constants } from '../runtime/constants.ts';
import { ALLERGEN_OF } from '../schema/dictionary.ts';
import type { Field, Fields } from '../schema/field.ts';
import { type RecordType, storedName } from '../schema/record.ts';
import { idsIn } from '../schema/references.ts';
import { records, referencesFrom } from '../schema/registry.ts';
import type { StoredSection } from '../schema/section.ts';
import { isOfCountry, type StoredSettings } from '../schema/settings.ts';
import type { Input } from '../schema/validation/check-input.ts';
import { isoSeconds } from '../schema/validation/date-fields.ts';
import { broken, type FieldErrors } from '../schema/validation/rule.ts';
import { currencyDecimals, fitsCurrency } from '../schema/values/currency.ts';
import { type Locale, textsIn } from '../schema/values/locale.ts';
import type { Resource } from '../schema/values/resource.ts';
import { listIn, type Row, rowsIn } from '../schema/values/row.ts';
import type { MenuRow, StoredMenu } from '../sql/menus.ts';
import { indexOf, recordByKey, recordOf, referringTo } from './working-menu.ts';

/** The paths of prices that a currency has no coins for. */
function without(fields: Fields, prefix: string, row: Row, currency: string): string[] {
  const paths: string[] = [];
  for (const name of Object.keys(row)) {
    const { kind, parts } = fields[name] ?? {};
    const value = row[name];
    if (kind === 'price' && typeof value === 'number' && !fitsCurrency(value, currency)) {
      paths.push(`${prefix}${name}`);
    }
    if (!parts) continue;
    for (const [at, one] of rowsIn(value).entries()) {
      paths.push(...without(parts, `${prefix}${name}.${at}.`, one, currency));
    }
  }
  return paths;
}

/** The errors of those prices of a record, and of its lists, that a currency has no coins for. */
export function priceErrors(fields: Fields, row: Row, currency: string): FieldErrors {
  const max = currencyDecimals(currency);
  const paths = without(fields, '', row, currency);
  return Object.fromEntries(paths.map((path) => [path, [broken('decimals', { max })]]));
}

/** The errors of names of a record that lack the language which names must have. */
export function nameErrors(fields: Fields, row: Row, fallback: Locale): FieldErrors {
  const lacking = Object.entries<Field>(fields).filter(([name, field]) => {
    if (!field.isRequired || !field.isTranslated) return false;
    return !textsIn(row[storedName(name, field)])[fallback];
  });
  return Object.fromEntries(lacking.map(([name]) => [`${name}.${fallback}`, [broken('required')]]));
}

// The rules that one body alone cannot show: they look at the menu that the write is about to
// change, and at the record as it would be afterwards. A menu holds no deleted records.

function invalidFields(verdicts: Record<string, boolean>): FieldErrors {
  const wrong = Object.entries(verdicts).filter(([, valid]) => !valid);
  return Object.fromEntries(wrong.map(([field]) => [field, [broken('invalid')]]));
}

/** Each reference that a write sets names a record that is there, and belongs where its own does. */
function checkReferences(
  menu: StoredMenu,
  record: RecordType,
  isSet: (field: string) => boolean,
  after: Input,
): FieldErrors {
  const verdicts: Record<string, boolean> = {};
  for (const { field, to, isNullable, options } of referencesFrom(record)) {
    const { within } = options;
    if (!isSet(field) && !(within && isSet(within))) continue;
    verdicts[field] = idsIn(after[field]).every((id) => {
      if (id === null) return isNullable;
      const named = recordOf(menu, to, id);
      return named && (within === undefined || named[within] === after[within]);
    });
  }
  return invalidFields(verdicts);
}

/** No two records of a kind have the same external id. */
function checkExternalId(
  menu: StoredMenu,
  record: RecordType,
  { external_id: key }: Input,
  id: number | null,
): FieldErrors {
  if (typeof key !== 'string') return {};
  const other = recordByKey(menu, record, key);
  return other && other.id !== id ? { external_id: [broken('unique')] } : {};
}

/** A type that moved away would leave its dishes with a type of another section. */
function checkMove(menu: StoredMenu, { category_id }: Input, id: number | null): FieldErrors {
  if (category_id === undefined || id === null) return {};
  const dishes = menu.dishes.filter((dish) => dish.type_id === id);
  return invalidFields({ category_id: dishes.every((dish) => dish.category_id === category_id) });
}

type Placed = Pick<StoredSection, 'id' | 'parent_id'>;

/** From a section's parent up to the top; ends where it comes round to `stop`. */
function ancestors(sections: readonly Placed[], parentId: number, stop: number | null): number[] {
  const { byId } = indexOf(sections);
  const chain: number[] = [];
  const above = (id: number) => (byId.get(id)?.parent_id ?? null) as number | null;
  for (let at: number | null = parentId; at !== null; at = above(at)) {
    chain.push(at);
    if (at === stop) break;
  }
  return chain;
}

/** How many levels of sections stand below one; no more than `most` are looked for. */
function heightBelow(sections: readonly Placed[], id: number, most: number): number {
  const below = (parentId: number) => referringTo(sections, 'parent_id', parentId);
  let height = 0;
  let level = below(id);
  while (level.length > 0 && height < most) {
    height += 1;
    level = level.flatMap((child) => below(child.id));
  }
  return height;
}

/** Whether a section, with those below it, may stand below `parentId`. */
export function isPlace(sections: readonly Placed[], parentId: number, id: number | null): boolean {
  if (!indexOf(sections).byId.has(parentId)) return false;
  const chain = ancestors(sections, parentId, id);
  const own = chain.length + 1;
  if (id === null) return own <= constants.maxSectionDepth;
  if (chain.includes(id)) return false;
  return own + heightBelow(sections, id, constants.maxSectionDepth) <= constants.maxSectionDepth;
}

type Times = Pick<StoredSection, 'time_visibility_enabled' | 'time_start' | 'time_end' | 'hours'>;

const NO_TIMES: Times = {
  time_visibility_enabled: false,
  time_start: null,
  time_end: null,
  hours: [],
};

/** A time span has both its ends, and a section that is shown by time has a span. */
function checkTimes(after: Times): FieldErrors {
  const { time_visibility_enabled: enabled, time_start: start, time_end: end } = after;
  const errors: FieldErrors = {};
  if (start === null && (enabled || end !== null)) {
    errors.time_start = [broken('required')];
  }
  if (end === null && (enabled || start !== null)) {
    errors.time_end = [broken('required')];
  }
  if (enabled && after.hours.some(({ time_start }) => time_start === null)) {
    errors.hours = [broken('required')];
  }
  return errors;
}

function checkDates({ date_start: start, date_end: end }: Input): FieldErrors {
  if (typeof start !== 'string' || typeof end !== 'string' || start <= end) return {};
  return { date_end: [broken('notBefore', { date: start })] };
}

/** A record is seen until a moment that comes after its beginning. */
function checkVisibility({ visible_from: from, visible_until: until }: Input): FieldErrors {
  if (typeof from !== 'string' || typeof until !== 'string' || from < until) return {};
  return { visible_until: [broken('later')] };
}

/** The moment before which a write may set none, and the rule that such a one breaks. */
export interface Earliest {
  at: Date;
  rule: 'past' | 'later';
}

/** A moment that is over when a write is sent would do nothing. */
export function noPast(at: Date): Earliest {
  return { at, rule: 'past' };
}

/**
 * The errors of moments that a write sets and that are over: nothing would happen at them. A record may
 * keep one that it has.
 */
export function checkMoments(
  { fields }: RecordType,
  input: Input,
  current: MenuRow | undefined,
  { at, rule }: Earliest,
): FieldErrors {
  const isPast = (name: string) => {
    const [kind, value] = [fields[name]?.kind, input[name]];
    if ((kind !== 'moment' && kind !== 'instant') || typeof value !== 'string') return false;
    return value <= isoSeconds(at.getTime()) && value !== current?.[name];
  };
  const past = Object.keys(input).filter(isPast);
  return Object.fromEntries(past.map((name) => [name, [broken(rule)]]));
}

/** The address of a dish's picture is one that pages load: none over plain http. One that is stored may stay. */
function checkPicture({ photo_url: url }: Input, current: MenuRow | undefined): FieldErrors {
  const isPlain = typeof url === 'string' && /^http:/i.test(url) && url !== current?.photo_url;
  return isPlain ? { photo_url: [broken('format')] } : {};
}

/** A dish does not both contain and possibly contain an allergen. */
function checkTraces({ allergens, traces }: Input): FieldErrors {
  const contained = listIn(allergens);
  const isRepeated = listIn(traces).some((key) => contained.includes(key));
  return isRepeated ? { traces: [broken('alsoContained')] } : {};
}

/** A cereal or a nut is one of an allergen that the dish contains or may contain. */
function checkKinds({ allergens, traces, allergen_detail }: Input): FieldErrors {
  const named = new Set([...listIn(allergens), ...listIn(traces)]);
  const parents = listIn(allergen_detail).flatMap((kind) => ALLERGEN_OF.get(String(kind)) ?? []);
  const keys = [...new Set(parents.filter((key) => !named.has(key)))];
  return keys.length > 0 ? { allergen_detail: [broken('withoutAllergen', { keys })] } : {};
}

/** A wine of one year is no blend of several. */
function checkVintage({ vintage, non_vintage }: Input): FieldErrors {
  return typeof vintage === 'number' && non_vintage === true
    ? { non_vintage: [broken('yearOfBlend')] }
    : {};
}

/** A set menu is made of dishes, and of no set menu. */
function checkCourses(menu: StoredMenu, { courses }: Input, id: number | null): FieldErrors {
  if (!Array.isArray(courses) || courses.length === 0) return {};
  const isDish = (named: number | null) => {
    const dish = recordOf(menu, records.items, named);
    return named !== id && !isMenu(dish);
  };
  const isPart = id !== null && referringTo(menu.dishes, 'courses', id).length > 0;
  return invalidFields({
    courses: !isPart && idsIn(courses).every((one) => one === null || isDish(one)),
  });
}

const isMenu = (dish: MenuRow | undefined) => listIn(dish?.courses).length > 0;

/** Guests can choose as many options as they must, and no fewer than the least. */
function checkCounts({ min, max, options }: Input): FieldErrors {
  const count = rowsIn(options).reduce((sum, { max: times }) => sum + Number(times ?? 1), 0);
  const least = Number(min ?? 0);
  return {
    ...(least > count && { min: [broken('max', { max: count })] }),
    ...(typeof max === 'number' && max < least && { max: [broken('min', { min: least })] }),
  };
}

/** The errors of a whole record, which no reference and no single field shows. */
function checkRecord(
  menu: StoredMenu,
  resource: Resource,
  input: Input,
  id: number | null,
  after: Input,
): FieldErrors {
  if (resource === 'types') return checkMove(menu, input, id);
  if (resource === 'categories') {
    const parentId = Number(input.parent_id ?? 0);
    const isRight = parentId === 0 || isPlace(menu.sections, parentId, id);
    return {
      ...invalidFields({ parent_id: isRight }),
      ...checkTimes({ ...NO_TIMES, ...after }),
      ...checkDates(after),
      ...checkVisibility(after),
    };
  }
  if (resource === 'items') {
    const courses = checkCourses(menu, after, id);
    const declared = { ...checkTraces(after), ...checkKinds(after), ...checkVintage(after) };
    return { ...declared, ...checkVisibility(after), ...courses };
  }
  if (resource === 'modifier_groups') return checkCounts(after);
  if (resource === 'settings') {
    const { default_locale, supported_locales } = after as unknown as StoredSettings;
    const country = String(after.country ?? '');
    return {
      ...invalidFields({ default_locale: supported_locales.includes(default_locale) }),
      ...(!isOfCountry(after) && { region: [broken('notOfCountry', { country })] }),
    };
  }
  return {};
}

/**
 * The errors of a deleted record that is to come back as it was, behind the one in which it stands.
 *
 * @param row its stored row
 */
export function checkReturn(menu: StoredMenu, record: RecordType, row: MenuRow): FieldErrors {
  const { parent_id: parentId = null } = row;
  // Its parent may stand deeper now than it did when they were parted.
  const isRight = parentId === null || isPlace(menu.sections, Number(parentId), null);
  // Another record may have its external id by now.
  return {
    ...invalidFields({ parent_id: isRight }),
    ...priceErrors(record.fields, row, menu.settings.currency),
    ...nameErrors(record.fields, row, menu.settings.fallback_locale),
    ...checkExternalId(menu, record, row, row.id),
  };
}

/** The error of a write that would make the menu too long. */
export function menuFull(): FieldErrors {
  return { menu: [broken('menuFull')] };
}

/**
 * The errors of a write whose shape is right.
 *
 * @param current the record that is changed; undefined when one is created
 */
export function checkAgainstMenu(
  menu: StoredMenu,
  resource: Resource,
  input: Input,
  current: MenuRow | undefined,
): FieldErrors {
  const record = records[resource];
  const id = record.isSingleton ? null : (current?.id ?? null);
  const after = { ...current, ...input };
  return {
    ...priceErrors(record.fields, input, menu.settings.currency),
    ...checkExternalId(menu, record, input, id),
    ...checkReferences(menu, record, (field) => !current || field in input, after),
    ...checkRecord(menu, resource, input, id, after),
    ...(resource === 'items' && checkPicture(input, current)),
  };
}

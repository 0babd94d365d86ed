import { memoize } from '../runtime/memoize.ts';
import { withKeptAvailability } from '../schema/availability.ts';
import { parseMediaName } from '../schema/photo.ts';
import { isSame, localizeInput, type RecordType, sentDefaults } from '../schema/record.ts';
import { records, referencesFrom } from '../schema/registry.ts';
import type { Input, InputSettings } from '../schema/validation/check-input.ts';
import { type Broken, broken, type FieldErrors } from '../schema/validation/rule.ts';
import { type Locale, localize, readingIn, textsIn } from '../schema/values/locale.ts';
import { MAX_INTEGER } from '../schema/values/record-id.ts';
import type { Resource } from '../schema/values/resource.ts';
import { listIn, rowsIn } from '../schema/values/row.ts';
import type { MenuRow, StoredMenu } from '../sql/menus.ts';
import { checkAgainstMenu } from './rules.ts';
import { lastPlace, recordByKey, recordOf } from './working-menu.ts';

/** Whether a label that stands beside a dish says no more than the dish's name. */
function isNameOf(dish: MenuRow, label: unknown): boolean {
  const names = textsIn(dish.name_translations);
  if (typeof label === 'string') return Object.values(names).includes(label);
  return Object.entries(textsIn(label)).every(([locale, text]) => names[locale as Locale] === text);
}

/** An option of a course, whose dish is named by its id; that dish's name comes along with it. */
function resolveOption(
  menu: StoredMenu,
  to: RecordType,
  { item_external_id: key, ...option }: Input,
  note: (part: string, one: Broken) => void,
): Input {
  const named = typeof key === 'string' ? recordByKey(menu, to, key) : undefined;
  if (typeof key === 'string' && (!named || (option.item_id ?? named.id) !== named.id)) {
    note('item_external_id', broken('invalid'));
    return option;
  }
  const dish = named ?? recordOf(menu, to, option.item_id as number | null);
  if (!dish) return option;
  if (!isNameOf(dish, option.label_translations)) {
    const reading = readingIn(menu.settings.default_locale);
    const name = localize(textsIn(dish.name_translations), reading);
    note('label', broken('otherDish', { name }));
  }
  return { ...option, item_id: dish.id, label_translations: {} };
}

/** The courses of a body, whose options name dishes by their ids. */
function resolveOptions(menu: StoredMenu, to: RecordType, courses: unknown, errors: FieldErrors) {
  return (courses as Input[] | undefined)?.map((course, at) => ({
    ...course,
    options: rowsIn(course.options).map((option, index) =>
      resolveOption(menu, to, option, (part, one) => {
        errors[`courses.${at}.options.${index}.${part}`] = [one];
      }),
    ),
  }));
}

/** Replaces external ids of other records by their ids. */
function resolveReferences(menu: StoredMenu, record: RecordType, input: Input) {
  const resolved = { ...input };
  const errors: FieldErrors = {};
  for (const { field, external: name, to, isNullable, isSingle } of referencesFrom(record)) {
    if (!(name in input)) continue;
    if (name === field) {
      resolved[field] = resolveOptions(menu, to, input[field], errors);
      continue;
    }
    const { [name]: key } = input;
    delete resolved[name];
    if (key === undefined) continue;
    if (!isSingle) {
      const ids = listIn(key).map((one) => recordByKey(menu, to, one)?.id);
      const isOther = input[field] !== undefined && !isSame(input[field], ids);
      if (isOther || ids.includes(undefined)) errors[name] = [broken('invalid')];
      else resolved[field] = ids;
      continue;
    }
    const named = recordByKey(menu, to, key);
    const id = key === null && isNullable ? null : named?.id;
    // Both may be sent, when they name the same record.
    if (id === undefined || (input[field] ?? id) !== id) errors[name] = [broken('invalid')];
    else resolved[field] = id;
  }
  return { resolved, errors };
}

/** A record by its id, which a singleton needs none of; undefined when it is not there. */
export function currentOf(
  menu: StoredMenu,
  resource: Resource,
  id: number | null,
): MenuRow | undefined {
  const record = records[resource];
  if (record.isSingleton) return menu[resource as 'settings'];
  return recordOf(menu, record, id);
}

/** A checked body whose references are ids, in the form in which it is stored. */
export function storedInput(
  menu: StoredMenu,
  record: RecordType,
  resolved: Input,
  current: MenuRow | undefined,
): Input {
  // A plain text that is sent with a new default language is one in that.
  const { default_locale = menu.settings.default_locale } = resolved;
  const plain = localizeInput(record, resolved, default_locale as Locale, current);
  const whole = withKeptAvailability(record, plain, current);
  return { ...whole, ...record.derive?.(whole, { ...current, ...whole }, current) };
}

/** The fields for addresses of pictures, each with the field that shows a photo in its place. */
const photoFields = memoize(({ fields }: RecordType) =>
  Object.entries(fields).flatMap(([name, { options }]) =>
    options.photo === undefined ? [] : [[name, options.photo] as const],
  ),
);

/**
 * A body without addresses of own photos, which readers see in fields for addresses of other sites: a
 * client that writes back what it has read changes nothing. Such an address names the photo.
 */
function withoutOwnAddresses(menu: StoredMenu, record: RecordType, input: Input): Input {
  let left = input;
  for (const [name, shown] of photoFields(record)) {
    const { [name]: address } = input;
    if (typeof address !== 'string') continue;
    const media = parseMediaName(/\/media\/([^/?#]+)$/.exec(address)?.[1] ?? '');
    const photo = media && recordByKey(menu, records.photos, media.digest);
    if (!photo) continue;
    left = { ...left };
    delete left[name];
    const { via = '' } = record.fields[shown] ?? {};
    left[via] ??= via in input ? null : photo.id;
  }
  return left;
}

/**
 * A checked body in the form in which it is stored, and what is wrong with it beside the menu.
 *
 * @param id of the record that is changed; null when one is created
 */
export function prepareInput(menu: StoredMenu, resource: Resource, sent: Input, id: number | null) {
  const record = records[resource];
  const current = currentOf(menu, resource, id);
  const { resolved: named, errors } = resolveReferences(menu, record, sent);
  const resolved = withoutOwnAddresses(menu, record, named);
  const input = storedInput(menu, record, resolved, current);
  const rules = checkAgainstMenu(menu, resource, input, current);
  // The error of a reference is given under the name by which it was sent.
  for (const name of Object.keys(errors))
    delete rules[(name.split('.')[0] ?? '').replace('_external_id', '_id')];
  const conflicts = record.conflicts?.(resolved, current);
  return { input, errors: { ...errors, ...rules, ...conflicts } };
}

/** The settings of a menu that decide which bodies of its records are right. */
export function inputSettingsOf({ settings }: StoredMenu): InputSettings {
  return { fallbackLocale: settings.fallback_locale, currency: settings.currency };
}

/** The default `display_order`: after the last sibling. */
function defaultPlace(menu: StoredMenu, record: RecordType, input: Input): number {
  const { parent = '' } = record;
  return Math.min(lastPlace(menu, record, input[parent] ?? null) + 1, MAX_INTEGER);
}

/** A new record's input with its place; the other defaults are added where it is inserted. */
export function withPlace(menu: StoredMenu, record: RecordType, input: Input): Input {
  if (!('display_order' in record.fields)) return input;
  return { display_order: input.display_order ?? defaultPlace(menu, record, input), ...input };
}

/** A new record's whole input: what was sent, and defaults for the rest. */
export function withDefaults(menu: StoredMenu, record: RecordType, input: Input): Input {
  return { ...sentDefaults(record), ...withPlace(menu, record, input) };
}

/** Whether a write puts a dish or a type into another section. */
export function isMove(
  menu: StoredMenu,
  resource: Resource,
  { category_id }: Input,
  id: number | null,
): boolean {
  const isOfSection = resource === 'types' || resource === 'items';
  if (!isOfSection || category_id === undefined) return false;
  return recordOf(menu, records[resource], id)?.category_id !== category_id;
}

import { memoize } from '../runtime/memoize.ts';
import type { Field } from '../schema/field.ts';
import {
  defaultsOf,
  documentedValue,
  type RecordType,
  saysSame,
  sentValue,
  storedName,
} from '../schema/record.ts';
import { purgeOrder, records } from '../schema/registry.ts';
import { type Locale, localize, readingIn, type Translations } from '../schema/values/locale.ts';
import { type Resource, SINGLETONS } from '../schema/values/resource.ts';
import type { Change, ChangeAction } from '../schema/version.ts';
import { type MenuRow, recordsOf, type StoredMenu } from '../sql/menus.ts';

/** A row's name in the restaurant's own language; a theme has none. */
export function nameInMenu(row: MenuRow, locale: Locale): string | null {
  const texts = row.name_translations as Translations | undefined;
  if (texts) return localize(texts, readingIn(locale));
  return typeof row.name === 'string' ? row.name : null;
}

/** The fields of a record that is new or gone, but for those that are null as by default. */
function wholeFields(record: RecordType, row: MenuRow, at: 0 | 1): Change['fields'] {
  const defaults = defaultsOf(record);
  const fields: Change['fields'] = {};
  for (const [name, field] of Object.entries<Field>(record.fields)) {
    if (field.input === null) continue;
    const value = documentedValue(record, row, name);
    if (value === null && (defaults[name] ?? null) === null) continue;
    fields[name] = at === 0 ? [value, null] : [null, value];
  }
  return fields;
}

/**
 * The fields that are compared, with their columns where these alone decide what a body says. The slug
 * is only read: it changes when an operator renames the restaurant.
 */
const comparedFields = memoize(({ fields, asSent = {} }: RecordType) =>
  Object.entries<Field>(fields)
    .filter(([, { input, kind }]) => input !== null || kind === 'slug')
    .map(([name, field]) => {
      return { name, field, column: name in asSent ? null : storedName(name, field) };
    }),
);

function changedFields(record: RecordType, before: MenuRow, after: MenuRow): Change['fields'] {
  const changed: Change['fields'] = {};
  for (const { name, field, column } of comparedFields(record)) {
    if (column !== null && before[column] === after[column]) continue;
    if (saysSame(field, sentValue(record, before, name), sentValue(record, after, name))) continue;
    const old = documentedValue(record, before, name);
    const now = documentedValue(record, after, name);
    if (!saysSame(field, old, now)) changed[name] = [old, now];
  }
  return changed;
}

/** A change of one record. */
export function describe(
  record: RecordType,
  action: ChangeAction,
  row: MenuRow,
  fields: Change['fields'],
  locale: Locale,
): Change {
  const external_id = (row.external_id as string | undefined) ?? null;
  const resource = record.resource;
  return { resource, id: row.id, external_id, name: nameInMenu(row, locale), action, fields };
}

/** Kinds of records of a menu, in an order in which each record comes after those that it names. */
const menuOrder: readonly Resource[] = [
  ...SINGLETONS,
  ...purgeOrder()
    .toReversed()
    .filter((one) => records[one].isOnMenu),
];

/** The part of two lists that is left when the same objects at their ends are taken away. */
function middle(before: readonly MenuRow[], after: readonly MenuRow[]) {
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  ] as const;
}

function* listDifference(
  record: RecordType,
  before: readonly MenuRow[],
  after: readonly MenuRow[],
  appears: (resource: Resource, id: number) => 'created' | 'restored',
  locale: Locale,
): Generator<void, Change[]> {
  const former = new Map(before.map((row) => [row.id, row]));
  const changes: Change[] = [];
  for (const row of after) {
    const known = former.get(row.id);
    former.delete(row.id);
    if (known === row) continue;
    yield;
    if (!known) {
      const fields = wholeFields(record, row, 1);
      const action = appears(record.resource, row.id);
      changes.push(describe(record, action, row, fields, locale));
      continue;
    }
    const fields = changedFields(record, known, row);
    if (Object.keys(fields).length > 0) {
      changes.push(describe(record, 'changed', row, fields, locale));
    }
  }
  for (const row of former.values()) {
    const fields = wholeFields(record, row, 0);
    changes.push(describe(record, 'deleted', row, fields, locale));
  }
  return changes;
}

/**
 * The difference between two states of a menu, the records in an order in which each comes after those
 * that it names. Lists and records that are the same object in both cost nothing. A step is one record.
 *
 * @param appears how a record came that only the later state has
 */
export function* differenceInSteps(
  before: StoredMenu,
  after: StoredMenu,
  appears: (resource: Resource, id: number) => 'created' | 'restored' = () => 'created',
): Generator<void, Change[]> {
  const locale = after.settings.default_locale;
  const changes: Change[] = [];
  for (const resource of menuOrder) {
    const record = records[resource];
    const [old, now] = middle(recordsOf(before, record), recordsOf(after, record));
    if (old.length + now.length === 0) continue;
    changes.push(...(yield* listDifference(record, old, now, appears, locale)));
  }
  return changes;
}

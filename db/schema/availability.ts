import { certain } from '../runtime/certain.ts';
import { groupBy } from '../runtime/group-by.ts';
import { memoize } from '../runtime/memoize.ts';
import type { Field, Fields } from './field.ts';
import { isSame, type RecordType } from './record.ts';
import { records } from './registry.ts';
import { textsIn } from './values/locale.ts';
import type { Resource } from './values/resource.ts';
import { isObject, listIn, type Row, rowsIn } from './values/row.ts';

// The fields that say what is available: of dishes, and of sizes and options.

type Declared = Readonly<Record<string, Field>>;

/** The fields that say what is available, with the lists whose objects have such a part. */
const availabilityOf: (fields: Declared) => readonly [string, Fields | null][] = memoize((fields) =>
  Object.entries(fields).flatMap(([name, { options, parts }]): [string, Fields | null][] => {
    if (options.isAvailability) return [[name, null]];
    return parts && availabilityOf(parts).length > 0 ? [[name, parts]] : [];
  }),
);

/** The fields of dishes that the scope `availability:write` may set. */
const DISH_FIELDS = availabilityOf(records.items.fields).flatMap(([name, parts]) =>
  parts ? [] : [name],
);

/** Whether fields of a dish say what is available, and nothing else. */
export function areAvailabilityFields(fields: readonly string[]): boolean {
  return fields.length > 0 && fields.every((name) => DISH_FIELDS.includes(name));
}

const labelOf = ({ label, label_translations: texts }: Row) => label ?? texts;

/** A plain label, or its texts in the order of their languages. */
function labelTexts(row: Row): [string, string][] {
  const label = labelOf(row);
  return typeof label === 'string' ? [['', label]] : Object.entries(textsIn(label)).sort();
}

/** The names by which an object is known: its key, its label in all languages, and in any of them. */
const NAMES: readonly ((row: Row) => readonly string[])[] = [
  ({ external_id: key }) => (typeof key === 'string' ? [key] : []),
  (row) => [JSON.stringify(labelTexts(row))],
  (row) => labelTexts(row).map(([, text]) => text),
];

/** The present object of each of a list's objects: the one of its key, else of its label. */
function namesakesOf(rows: readonly Row[], present: readonly Row[]): (Row | undefined)[] {
  const left = new Set(present);
  let found: (Row | undefined)[] = rows.map(() => undefined);
  for (const namesOf of NAMES) {
    const pairs = [...left].flatMap((one) => namesOf(one).map((name) => ({ name, one })));
    const named = groupBy(pairs, ({ name }) => name);
    found = rows.map((row, at) => {
      if (found[at]) return found[at];
      const alike = namesOf(row).flatMap((name) => named.get(name) ?? []);
      const namesake = alike.find(({ one }) => left.has(one))?.one;
      if (namesake) left.delete(namesake);
      return namesake;
    });
  }
  return found;
}

/** The present object of a list's object, else the one in its place. */
function pairOf(past: readonly Row[], present: readonly Row[]): (Row | undefined)[] {
  const namesakes = namesakesOf(past, present);
  const taken = new Set(namesakes);
  return namesakes.map((one, at) => one ?? (taken.has(present[at]) ? undefined : present[at]));
}

/** An object of a list that is as available as another one. */
function partLike(parts: Fields, row: Row, present: Row): Row {
  const own = { ...row };
  for (const [name] of availabilityOf(parts)) {
    if (present[name] === undefined) delete own[name];
    else own[name] = present[name];
  }
  return own;
}

/** An object of a list as it is stored: what it does not say is as usual. */
function storedPart(parts: Fields, row: Row): Row {
  const own = { ...row };
  for (const [name] of availabilityOf(parts)) {
    const { isSparse, options } = certain(parts[name], name);
    own[name] ??= options.default;
    if (isSparse && own[name] === options.default) delete own[name];
  }
  return own;
}

/**
 * A checked body whose sizes and options are as available as they were, where it does not say it: a
 * till that sends prices puts nothing on sale again. New ones are on sale.
 */
export function withKeptAvailability<R extends Row>(
  record: RecordType,
  body: R,
  current: Row | undefined,
): R {
  const kept = availabilityOf(record.fields).flatMap(([name, parts]) => {
    if (!parts || body[name] === undefined) return [];
    const rows = rowsIn(body[name]);
    const isSaid = (row: Row) =>
      availabilityOf(parts).some(([part]) => (row[part] ?? null) !== null);
    const now = rowsIn(current?.[name]);
    const isAnyGone = now.some(({ is_sold_out: isGone }) => isGone === true);
    const pairs = isAnyGone && !rows.every(isSaid) ? namesakesOf(rows, now) : [];
    const whole = rows.map((row, at) =>
      storedPart(parts, isSaid(row) ? row : partLike(parts, row, pairs[at] ?? {})),
    );
    return [[name, whole]];
  });
  return { ...body, ...Object.fromEntries(kept) };
}

/** A former record with what is sold out as it is now. Both are in the same form. */
export function withPresentAvailability<R extends Row>(
  resource: Resource,
  former: R,
  present: Row,
): R {
  const own = availabilityOf(records[resource].fields).filter(([name]) => name in former);
  const kept = own.map(([name, parts]) => {
    if (!parts) return [name, present[name] ?? null];
    const past = rowsIn(former[name]);
    const pairs = pairOf(past, rowsIn(present[name]));
    return [name, past.map((one, at) => (pairs[at] ? partLike(parts, one, pairs[at]) : one))];
  });
  return { ...former, ...Object.fromEntries(kept) };
}

/**
 * Whether a bulk operation says what is available, and nothing else. A list of sizes or options may
 * differ from the one that it expects in that alone.
 */
export function isAvailabilityOperation(operation: unknown): boolean {
  if (!isObject(operation)) return false;
  const { resource, action, data, expected = {} } = operation;
  const isKnown = resource === 'items' || resource === 'modifier_groups';
  if (!isKnown || action !== 'update' || !isObject(data) || !isObject(expected)) return false;
  const names = Object.keys(data);
  const fields: Fields = records[resource].fields;
  // Longer lists are refused by their rule.
  if (names.some((name) => listIn(data[name]).length > (fields[name]?.max ?? 0))) return false;
  const kept = withPresentAvailability(resource, data, expected);
  const isLeft = (name: string) => name in expected && isSame(kept[name], expected[name]);
  const isOwn = (name: string) => resource === 'items' && areAvailabilityFields([name]);
  return names.length > 0 && names.every((name) => isOwn(name) || isLeft(name));
}

/**
 * An object of a list that is sold out, or on sale.
 *
 * @param until as the API takes it: `indefinitely`, or null for on sale
 */
export function soldOutPart(row: Row, until: string | null): Row {
  const { is_sold_out: _was, sold_out_until: _end, ...rest } = row;
  return {
    ...rest,
    is_sold_out: until !== null,
    ...(until !== null && until !== 'indefinitely' && { sold_out_until: until }),
  };
}

/** A value of a field in which everything is available. */
export function asAvailable({ parts, options }: Field, value: unknown): unknown {
  if (options.isAvailability) return options.default ?? null;
  if (!parts || availabilityOf(parts).length === 0) return value;
  return rowsIn(value).map((row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, own]) => {
        const part = parts[name];
        if (part?.isSparse && part.options.isAvailability) return [];
        return [[name, part ? asAvailable(part, own) : own]];
      }),
    ),
  );
}

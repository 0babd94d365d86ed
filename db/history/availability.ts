import type { Field } from '../schema/field.ts';
import { isSame } from '../schema/record.ts';
import { records } from '../schema/registry.ts';
import type { Resource } from '../schema/values/resource.ts';
import { type Row, rowsIn } from '../schema/values/row.ts';

// The kitchen knows best which dishes are sold out now. An older menu knows nothing of it, so ways back
// leave it as it is.

type Fields = Readonly<Record<string, Field>>;

/** The fields that say what is available, with the lists whose objects have such a part. */
function availabilityOf(fields: Fields): [name: string, parts: Fields | null][] {
  return Object.entries(fields).flatMap(([name, { options, parts }]): [string, Fields | null][] => {
    if (options.isAvailability) return [[name, null]];
    return parts && availabilityOf(parts).length > 0 ? [[name, parts]] : [];
  });
}

const labelOf = ({ label, label_translations: texts }: Row) => label ?? texts;

/** The present object of a list's object: the one of the same label, else the one in its place. */
function pairOf(past: readonly Row[], present: readonly Row[]): (Row | undefined)[] {
  const left = new Set(present);
  const take = (row: Row | undefined) => (row && left.delete(row) ? row : undefined);
  const alike = past.map((one) =>
    take([...left].find((row) => isSame(labelOf(row), labelOf(one)))),
  );
  return alike.map((row, at) => row ?? take(present[at]));
}

function withAvailability<R extends Row>(fields: Fields, row: R, present: Row): R {
  const kept = availabilityOf(fields).map(([name, parts]) => {
    if (!parts) return [name, present[name] ?? null];
    const past = rowsIn(row[name]);
    const pairs = pairOf(past, rowsIn(present[name]));
    return [
      name,
      past.map((one, at) => (pairs[at] ? withAvailability(parts, one, pairs[at]) : one)),
    ];
  });
  return { ...row, ...Object.fromEntries(kept.filter(([name]) => String(name) in row)) };
}

/** A former record with what is sold out as it is now. Both are in the same form. */
export function withPresentAvailability<R extends Row>(
  resource: Resource,
  former: R,
  present: Row,
): R {
  return withAvailability(records[resource].fields, former, present);
}

/** A value of a field in which everything is available. */
export function asAvailable({ parts, options }: Field, value: unknown): unknown {
  if (options.isAvailability) return options.default ?? null;
  if (!parts || availabilityOf(parts).length === 0) return value;
  return rowsIn(value).map((row) => {
    const own = Object.entries(parts).filter(([name]) => name in row);
    return {
      ...row,
      ...Object.fromEntries(own.map(([name, part]) => [name, asAvailable(part, row[name])])),
    };
  });
}

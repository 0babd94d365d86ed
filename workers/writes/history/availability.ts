import type { Field } from '../../../db/schema/field.ts';
import { isSame } from '../../../db/schema/record.ts';
import { records } from '../../../db/schema/registry.ts';
import type { Resource } from '../../../db/schema/values/resource.ts';
import { type Row, rowsIn } from '../../../db/schema/values/row.ts';
import type { NetChange } from './later-changes.ts';

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

/** The present object of a list's object: the one of the same label, else the one in its place. */
function pairOf(past: readonly Row[], present: readonly Row[]): (Row | undefined)[] {
  const left = new Set(present);
  const take = (row: Row | undefined) => (row && left.delete(row) ? row : undefined);
  const alike = past.map(({ label }) => take([...left].find((row) => isSame(row.label, label))));
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

/** A former record with what is sold out as it is now. Both are as documents have them. */
export function withPresentAvailability<R extends Row>(
  resource: Resource,
  former: R,
  present: Row,
): R {
  return withAvailability(records[resource].fields, former, present);
}

/** Whether a change of a record leaves what is available as it is. */
function leavesAvailability({ resource, before, after }: NetChange): boolean {
  return !before || !after || isSame(withPresentAvailability(resource, before, after), before);
}

/** Whether changes say what is available, and nothing else. */
export function areAvailability(nets: readonly NetChange[]): boolean {
  return nets.every(({ resource, before, after }) => {
    return before && after && isSame(withPresentAvailability(resource, before, after), after);
  });
}

/**
 * A change that is to be taken back, without what it did to availability.
 *
 * @param now the record as it is, whose availability both sides get
 * @param isWhole whether the change takes its own availability back, too
 */
export function apartFromAvailability(net: NetChange, now: Row, isWhole: boolean): NetChange {
  if (isWhole && !leavesAvailability(net)) return net;
  const { resource, before, after } = net;
  return {
    ...net,
    before: before && withPresentAvailability(resource, before, now),
    after: after && withPresentAvailability(resource, after, now),
  };
}

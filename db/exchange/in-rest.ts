import type { Loss } from '../schema/exchange-report.ts';
import type { Row } from '../schema/values/row.ts';
import type { SpanOfDay } from './day-spans.ts';
import type { Losses, Reported, Telling } from './report.ts';

// Fields of services that an import does not read. They are named where they say something: nothing
// is dropped in silence, a field that a service adds tomorrow neither.

/** How deep empty values are looked for. */
const DEEPEST = 6;

/** Whether a value of a service says something; one of 0 or false is its usual one. */
export function saysAnything(value: unknown, depth = 0): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) {
    return false;
  }
  if (typeof value !== 'object' || depth > DEEPEST) return true;
  return Object.values(value).some((one) => saysAnything(one, depth + 1));
}

/** The names of fields that are read, or that say nothing of a menu. */
export type Known = ReadonlySet<string>;

/** @param names with blanks between them */
export const known = (names: string): Known => new Set(names.split(/\s+/));

/**
 * Names the fields of a part of a document that are not read.
 *
 * @param as the field under which all of them are named, for parts within a record
 */
export function nameOthers(losses: Telling, record: Reported, part: Row, read: Known, as?: string) {
  for (const [name, value] of Object.entries(part)) {
    if (!read.has(name) && saysAnything(value)) losses.lossy(record, as ?? name, 'noPlace');
  }
}

/** Names the day on which an option is available again, which no option has here. */
export function nameEnd(losses: Telling, record: Reported, soldOut: string | null | undefined) {
  if (soldOut && soldOut !== 'indefinitely') losses.lossy(record, 'options', 'soldOut');
}

/** Reads an object of a document by its key. */
export type ReadOnce<T> = (key: string, losses: Losses, record: Reported) => T;

/**
 * Reads what many records may name once, such as an option of many groups. Its losses are told of
 * each record that names it.
 */
export function readOnce<T>(read: (key: string, losses: Telling) => T): ReadOnce<T> {
  const known = new Map<string, { value: T; told: [field: string, why: Loss][] }>();
  return (key, losses, record) => {
    let found = known.get(key);
    if (!found) {
      const told: [string, Loss][] = [];
      const value = read(key, { lossy: (_, field, why) => told.push([field, why]) });
      found = { value, told };
      known.set(key, found);
    }
    for (const [field, why] of found.told) losses.lossy(record, field, why);
    return found.value;
  };
}

/** The spans that entries of a service say; one that cannot be read is named. */
export function spansOf<T>(
  losses: Losses,
  record: Reported,
  entries: readonly T[],
  read: (entry: T) => SpanOfDay[],
  field = 'hours',
): SpanOfDay[] {
  return entries.flatMap((entry) => {
    const spans = read(entry);
    if (spans.length === 0) losses.lossy(record, field, 'spanLeftOut');
    return spans;
  });
}

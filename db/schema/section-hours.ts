import { isSame } from './same-value.ts';
import { broken, type FieldErrors } from './validation/rule.ts';

// A section's hours are one list for those who know it, and three fields of its first window for the
// others. The row keeps the window in the fields, and the further ones under `hours`.

type Row = Record<string, unknown>;

const FIRST = ['weekdays', 'time_start', 'time_end'] as const;

interface Window {
  weekdays: readonly number[] | null;
  time_start: string | null;
  time_end: string | null;
}

const firstOf = (row: Row): Window => ({
  weekdays: (row.weekdays ?? null) as Window['weekdays'],
  time_start: (row.time_start ?? null) as string | null,
  time_end: (row.time_end ?? null) as string | null,
});
const isEmpty = (window: Window) => FIRST.every((name) => window[name] === null);
const furtherOf = (row: Row) => (row.hours ?? []) as Window[];

/** All windows of a stored row. */
export function hoursOf(row: Row): Window[] {
  const first = firstOf(row);
  return isEmpty(first) ? [] : [first, ...furtherOf(row)];
}

/** Whether a body changes the hours by the list, and not by sending back what it has read. */
function changesList(input: Row, current: Row): boolean {
  return input.hours !== undefined && !isSame(input.hours, hoursOf(current));
}

/** The fields in which a body changes the first window. */
function changedFirst(input: Row, current: Row): string[] {
  const before = firstOf(current);
  return FIRST.filter((name) => input[name] !== undefined && !isSame(input[name], before[name]));
}

/** The error of a body that changes the list and the fields of its first window in different ways. */
export function hoursErrors(input: Row, current: Row = {}): FieldErrors {
  if (!changesList(input, current)) return {};
  const [first] = input.hours as Window[];
  const fields = changedFirst(input, current).filter(
    (name) => !isSame(input[name], first?.[name as keyof Window] ?? null),
  );
  return fields.length > 0 ? { hours: [broken('otherWindow', { fields })] } : {};
}

/** The values that a write of hours stores, by whichever of its two forms. */
export function deriveHours(input: Row, current: Row = {}): Row {
  if (changesList(input, current)) {
    const [first = firstOf({}), ...hours] = input.hours as Window[];
    const hasTimes = (input.hours as Window[]).some(({ time_start }) => time_start !== null);
    return {
      ...firstOf(first as unknown as Row),
      hours,
      ...(input.time_visibility_enabled === undefined && { time_visibility_enabled: hasTimes }),
    };
  }
  const isUntouched = input.hours === undefined && changedFirst(input, current).length === 0;
  if (isUntouched) return {};
  const first = firstOf({ ...current, ...input });
  return { hours: isEmpty(first) ? [] : furtherOf(current) };
}

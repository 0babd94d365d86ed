import { isObject } from './validation/check-input.ts';

/** Jsonb and bodies have the languages of a text in different orders. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, canonical(one)] as const);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Whether two values of a field are the same, whatever the order of their languages. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  return JSON.stringify(canonical(left)) === JSON.stringify(canonical(right));
}

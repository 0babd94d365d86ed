/** @throws Error when a value is missing that must be there: a fault of ours, which `missing` names */
export function certain<T>(value: T | null | undefined, missing: string): T {
  if (value === null || value === undefined) throw new Error(missing);
  return value;
}

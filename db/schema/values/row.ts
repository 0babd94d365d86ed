/** The fields of a record whose declaration alone knows their kinds. */
export type Row = Record<string, unknown>;

export function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entries of a list of such a record; none where it has no list. */
export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list of such a record; none where it has no list. */
export function rowsIn(value: unknown): readonly Row[] {
  return listIn(value).filter(isObject);
}

import * as v from 'valibot';

/** The largest value of Postgres' integer: of ids, and of places in an order. */
export const MAX_INTEGER = 2_147_483_647;

/** An id, or another whole number, as records show it. */
export const integerSchema = v.pipe(v.number(), v.integer());

/** The id that a text is, as addresses hold it; null when no record can have it. */
export function parseRecordId(text: string): number | null {
  if (!/^[1-9][0-9]{0,9}$/.test(text)) return null;
  const id = Number(text);
  return id <= MAX_INTEGER ? id : null;
}

/** The name under which a body may give the external id of a record instead of its id. */
export function externalName(reference: string): string {
  return reference.replace(/_id(s?)$/, '_external_id$1');
}

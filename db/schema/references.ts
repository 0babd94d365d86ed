import * as v from 'valibot';
import type { Fields, FieldWords, ReferenceWords, ShownOf } from './field.ts';
import { field } from './kinds.ts';
import type { Embedded, RecordType } from './record.ts';
import { referencesInput } from './validation/input-fields.ts';
import { integerSchema } from './values/record-id.ts';
import type { Collection } from './values/resource.ts';
import { isObject, type Row } from './values/row.ts';

// Fields that name several records.

/** The ids of records, each once, in an order of the client's. */
export function references(target: Collection, max: number, words: ReferenceWords) {
  const body = referencesInput(max);
  const ids = field('references', v.array(integerSchema), body, words, { default: [] });
  return { ...ids, target, max };
}

/** The records that references of the same record name, as guests see them. */
export function embeddedAll<F extends Fields>(
  via: string,
  record: RecordType<F>,
  words: FieldWords,
): Embedded<ShownOf<F>[]> {
  const value = v.array(record.shown);
  const erased = record as unknown as RecordType;
  return { ...field('embedded', value, null, words), via, record: erased };
}

// Values of fields that name other records: one id, a list of ids, or a list of objects. A course of a
// set menu is such an object: its options may have an `item_id`.

/** The other id of a record: null for one that goes, undefined for one that has none yet. */
type NewId = (id: number) => number | null | undefined;

/** The ids that a value names; the one of an empty reference is null. */
export function idsIn(value: unknown): readonly (number | null)[] {
  if (Array.isArray(value)) return value.flatMap((one) => (isObject(one) ? idsOfRow(one) : [one]));
  return [typeof value === 'number' ? value : null];
}

function idsOfRow(row: Row): readonly (number | null)[] {
  if (typeof row.item_id === 'number') return [row.item_id];
  return Object.values(row).flatMap((one) => (Array.isArray(one) ? idsIn(one) : []));
}

/** An object with other ids as a list, which is empty when its record goes. */
function rowWithIds(row: Row, of: NewId): Row[] {
  if (typeof row.item_id === 'number') {
    const id = of(row.item_id);
    return id === null ? [] : [{ ...row, item_id: id ?? null }];
  }
  const entries = Object.entries(row);
  return [
    Object.fromEntries(
      entries.map(([name, one]) => [name, Array.isArray(one) ? withIds(one, of) : one]),
    ),
  ];
}

/** A value that names records by other ids; a list loses those that it names no more. */
export function withIds(value: unknown, of: NewId): unknown {
  if (typeof value === 'number') return of(value) ?? null;
  if (!Array.isArray(value)) return value;
  return value.flatMap((one: unknown): unknown[] => {
    if (isObject(one)) return rowWithIds(one, of);
    const id = typeof one === 'number' ? of(one) : undefined;
    return id === null ? [] : [id ?? null];
  });
}

import * as v from 'valibot';
import type { FieldOptions, Fields, ReferenceOptions, ShownOf } from './field.ts';
import { field } from './kinds.ts';
import type { Embedded, RecordType } from './record.ts';
import { referencesInput } from './validation/input-fields.ts';
import { integerSchema } from './values/record-id.ts';

// Fields that name several records.

/** The ids of records, each once, in an order of the client's. */
export function references(target: string, max: number, options: ReferenceOptions) {
  const body = referencesInput(max);
  const ids = field('references', v.array(integerSchema), body, { default: [], ...options });
  return { ...ids, target, max };
}

/** The records that references of the same record name, as guests see them. */
export function embeddedAll<F extends Fields>(
  via: string,
  record: RecordType<F>,
  options: FieldOptions,
): Embedded<ShownOf<F>[]> {
  const value = v.array(record.shown);
  const erased = record as unknown as RecordType;
  return { ...field('embedded', value, null, options), via, record: erased };
}

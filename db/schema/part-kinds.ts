import * as v from 'valibot';
import type { FieldOptions } from './field.ts';
import { field } from './kinds.ts';
import { integer, listInput, priceInput } from './validation/input-fields.ts';
import { integerSchema } from './values/record-id.ts';

// Kinds of fields that a body may leave out, as parts of the objects of lists.

/** A whole number that is `usual` where a body says nothing of it. */
export function defaultedInteger(min: number, max: number, usual: number, options: FieldOptions) {
  const body = v.pipe(
    v.nullable(integer(min, max)),
    v.transform((given) => given ?? usual),
  );
  return field('integer', integerSchema, body, { default: usual, ...options });
}

/** A price that is 0 where a body says nothing of it. */
export function optionalPrice(options: FieldOptions) {
  const body = v.pipe(
    v.nullable(priceInput()),
    v.transform((given) => given ?? 0),
  );
  return field('price', v.number(), body, { default: 0, ...options });
}

/** As `choices`, or null, which is not the empty list. */
export function nullableChoices<const T extends readonly string[]>(
  value: v.PicklistSchema<T, undefined>,
  options: FieldOptions,
) {
  const body = v.nullable(listInput(value.options, { type: 'array' }));
  const some = field('choices', v.nullable(v.array(value)), body, { default: null, ...options });
  return { ...some, values: value.options };
}

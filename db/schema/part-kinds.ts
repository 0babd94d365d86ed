import * as v from 'valibot';
import type { FieldOptions } from './field.ts';
import { field, sparse } from './kinds.ts';
import {
  integer,
  listInput,
  MAX_KEY_LENGTH,
  nullableKey,
  priceInput,
} from './validation/input-fields.ts';
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

/** The key that an integrator gives an object of a list, such as a size, once in the list. */
export function partKey() {
  const value = v.pipe(v.string(), v.maxLength(MAX_KEY_LENGTH));
  return sparse(
    field('text', value, nullableKey(), {
      label: 'fields.any.external_id',
      description: 'A key of the client’s own, by which it names this object alone.',
      default: null,
    }),
  );
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

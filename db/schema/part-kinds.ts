import * as v from 'valibot';
import type { FieldWords } from './field.ts';
import { field, instant, sparse } from './kinds.ts';
import {
  integer,
  listInput,
  MAX_KEY_LENGTH,
  nullableKey,
  priceInput,
} from './validation/input-fields.ts';
import { broken } from './validation/rule.ts';
import { integerSchema } from './values/record-id.ts';
import type { Row } from './values/row.ts';

// Kinds of fields that a body may leave out, as parts of the objects of lists.

/** A whole number that is `usual` where a body says nothing of it. */
export function defaultedInteger(min: number, max: number, usual: number, words: FieldWords) {
  const body = v.pipe(
    v.nullable(integer(min, max)),
    v.transform((given) => given ?? usual),
  );
  return field('integer', integerSchema, body, words, { default: usual });
}

/** A price that is 0 where a body says nothing of it. */
export function optionalPrice(words: FieldWords) {
  const body = v.pipe(
    v.nullable(priceInput()),
    v.transform((given) => given ?? 0),
  );
  return field('price', v.number(), body, words, { default: 0 });
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

/** Whether an object is sold out, and when it is available again. */
export const soldOutUntil = () =>
  sparse(
    instant({
      label: 'fields.modifier.sold_out_until',
      description:
        'When it is available again; null when it is not sold out, and when it is so indefinitely. ' +
        'Only beside `is_sold_out`.',
      default: null,
      isAvailability: true,
    }),
  );

/** An end of being sold out is that of something that is sold out. */
export function checkSoldOut({ is_sold_out, sold_out_until }: Row) {
  const isLoose = typeof sold_out_until === 'string' && is_sold_out !== true;
  return isLoose ? { part: 'is_sold_out', broken: broken('required') } : null;
}

/** As `choices`, or null, which is not the empty list. */
export function nullableChoices<const T extends readonly string[]>(
  value: v.PicklistSchema<T, undefined>,
  words: FieldWords,
) {
  const body = v.nullable(listInput(value.options, { type: 'array' }));
  const some = field('choices', v.nullable(v.array(value)), body, words, { default: null });
  return { ...some, values: value.options };
}

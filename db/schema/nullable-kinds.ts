import * as v from 'valibot';
import type { FieldWords } from './field.ts';
import { field } from './kinds.ts';
import { decimal, integer, oneOfInput, priceInput } from './validation/input-fields.ts';
import { integerSchema } from './values/record-id.ts';

// Kinds of numbers and words that a record may lack.

/** A number with at most so many decimals, or null. */
export function nullableDecimal(min: number, max: number, decimals: number, words: FieldWords) {
  const body = v.nullable(decimal(min, max, decimals));
  return field('decimal', v.nullable(v.number()), body, words, { default: null });
}

/** A price in the restaurant's currency, or null. */
export function nullablePrice(words: FieldWords) {
  const body = v.nullable(priceInput());
  return field('price', v.nullable(v.number()), body, words, { default: null });
}

/** A country, or another place of some, by its code; null for none. */
export function nullableCountry(codes: readonly string[], words: FieldWords) {
  const body = v.nullable(oneOfInput(codes, 'country'));
  const one = field('country', v.nullable(v.string()), body, words, { default: null });
  return { ...one, values: codes };
}

export function nullableChoice<const T extends readonly string[]>(
  value: v.PicklistSchema<T, undefined>,
  words: FieldWords,
) {
  const body = v.nullable(oneOfInput(value.options));
  const one = field('choice', v.nullable(value), body, words, { default: null });
  return { ...one, values: value.options };
}

export function nullableInteger(min: number, max: number, words: FieldWords) {
  const body = v.nullable(integer(min, max));
  return field('integer', v.nullable(integerSchema), body, words, { default: null });
}

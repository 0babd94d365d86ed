import * as v from 'valibot';
import { flag, integer, reference, requiredTranslations } from '../validation/input-fields.ts';
import { translationsSchema } from './locale.ts';

/** A sub-category of a section; the specification leaves its fields open. */
export const typeSchema = v.object({
  id: v.pipe(v.number(), v.integer()),
  category_id: v.pipe(v.number(), v.integer()),
  name: v.string(),
  name_translations: translationsSchema,
  display_order: v.pipe(v.number(), v.integer()),
  is_active: v.boolean(),
});
export type Type = v.InferOutput<typeof typeSchema>;

/** A type as the admin API takes it. */
export const typeInputSchema = v.object({
  category_id: reference(),
  name: requiredTranslations(200),
  display_order: v.optional(integer(0)),
  is_active: v.optional(flag()),
});
export type TypeInput = v.InferOutput<typeof typeInputSchema>;

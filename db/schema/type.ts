import * as v from 'valibot';
import { translationsSchema } from './locale.ts';
import { integerSchema } from './record-id.ts';
import { flag, integer, reference, requiredTranslations } from './validation/input-fields.ts';

/** A sub-category of a section; the specification leaves its fields open. */
export const typeSchema = v.object({
  id: integerSchema,
  category_id: integerSchema,
  name: v.string(),
  name_translations: translationsSchema,
  display_order: integerSchema,
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

import * as v from 'valibot';
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

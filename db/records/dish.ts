import * as v from 'valibot';
import { allergenKeySchema } from './allergen.ts';
import { translationsSchema } from './locale.ts';
import { winerySchema } from './winery.ts';

/** A dish or wine as every public endpoint shows it (SPEC, "MenuItem"). */
export const dishSchema = v.object({
  id: v.pipe(v.number(), v.integer()),
  category_id: v.pipe(v.number(), v.integer()),
  type_id: v.nullable(v.pipe(v.number(), v.integer())),
  winery_id: v.nullable(v.pipe(v.number(), v.integer())),
  name: v.string(),
  name_translations: translationsSchema,
  description: v.string(),
  description_translations: translationsSchema,
  price: v.number(),
  allergens: v.array(allergenKeySchema),
  is_active: v.boolean(),
  is_recommended: v.boolean(),
  display_order: v.pipe(v.number(), v.integer()),
  winery: v.nullable(winerySchema),
});
export type Dish = v.InferOutput<typeof dishSchema>;

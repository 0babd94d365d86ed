import * as v from 'valibot';
import { ALLERGEN_KEYS, allergenKeySchema } from './allergen.ts';
import { translationsSchema } from './locale.ts';
import { integerSchema } from './record-id.ts';
import {
  flag,
  integer,
  nullableReference,
  price,
  reference,
  requiredTranslations,
  someOf,
  translations,
} from './validation/input-fields.ts';
import { winerySchema } from './winery.ts';

/** A dish or wine as every public endpoint shows it (SPEC, "MenuItem"). */
export const dishSchema = v.object({
  id: integerSchema,
  category_id: integerSchema,
  type_id: v.nullable(integerSchema),
  winery_id: v.nullable(integerSchema),
  name: v.string(),
  name_translations: translationsSchema,
  description: v.string(),
  description_translations: translationsSchema,
  price: v.number(),
  allergens: v.array(allergenKeySchema),
  is_active: v.boolean(),
  is_recommended: v.boolean(),
  display_order: integerSchema,
  winery: v.nullable(winerySchema),
});
export type Dish = v.InferOutput<typeof dishSchema>;

/** A dish as the admin API takes it (SPEC, "Additional facts", 2). */
export const dishInputSchema = v.object({
  category_id: reference(),
  name: requiredTranslations(200),
  type_id: v.optional(nullableReference()),
  winery_id: v.optional(nullableReference()),
  description: v.optional(translations(2_000)),
  price: v.optional(price()),
  allergens: v.optional(someOf(ALLERGEN_KEYS)),
  is_active: v.optional(flag()),
  is_recommended: v.optional(flag()),
  display_order: v.optional(integer(0)),
});
export type DishInput = v.InferOutput<typeof dishInputSchema>;

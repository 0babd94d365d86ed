import * as v from 'valibot';
import { translationsSchema } from './locale.ts';
import { integerSchema } from './record-id.ts';
import { nullableUrl, requiredText, text, translations } from './validation/input-fields.ts';

/** A winery as a wine carries it; the specification leaves its fields open. */
export const winerySchema = v.object({
  id: integerSchema,
  name: v.string(),
  region: v.string(),
  country: v.string(),
  website: v.nullable(v.string()),
  description: v.string(),
  description_translations: translationsSchema,
});
export type Winery = v.InferOutput<typeof winerySchema>;

/** A winery as the admin API takes it. */
export const wineryInputSchema = v.object({
  name: requiredText(200),
  region: v.optional(text(200)),
  country: v.optional(text(200)),
  website: v.optional(nullableUrl()),
  description: v.optional(translations(2_000)),
});

import * as v from 'valibot';
import { translationsSchema } from './locale.ts';

/** A winery as a wine carries it; the specification leaves its fields open. */
export const winerySchema = v.object({
  id: v.pipe(v.number(), v.integer()),
  name: v.string(),
  region: v.string(),
  country: v.string(),
  website: v.nullable(v.string()),
  description: v.string(),
  description_translations: translationsSchema,
});
export type Winery = v.InferOutput<typeof winerySchema>;

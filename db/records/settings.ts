import * as v from 'valibot';
import { localeSchema } from './locale.ts';

/** The restaurant as `/restaurant` and `data.settings` of `/menu` show it (SPEC, "Settings"). */
export const settingsSchema = v.object({
  id: v.pipe(v.number(), v.integer()),
  name: v.string(),
  slug: v.string(),
  logo_url: v.nullable(v.string()),
  cover_image_url: v.nullable(v.string()),
  cover_charge_text: v.string(),
  allergen_info: v.string(),
  review_url: v.string(),
  recommended_label: v.string(),
  business_name: v.string(),
  vat_number: v.string(),
  address: v.string(),
  phone: v.string(),
  email: v.string(),
  default_locale: localeSchema,
  supported_locales: v.array(localeSchema),
  is_active: v.boolean(),
});
export type Settings = v.InferOutput<typeof settingsSchema>;

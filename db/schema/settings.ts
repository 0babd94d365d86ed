import * as v from 'valibot';
import { LOCALES, localeSchema } from './locale.ts';
import { integerSchema } from './record-id.ts';
import { describedAs } from './validation/described-as.ts';
import {
  atLeastOneOf,
  flag,
  formattedText,
  nullableUrl,
  oneOf,
  requiredText,
  text,
  url,
} from './validation/input-fields.ts';

/** The restaurant as `/restaurant` and `data.settings` of `/menu` show it (SPEC, "Settings"). */
export const settingsSchema = v.object({
  id: integerSchema,
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
  /** SPEC names it and no effect of it. */
  is_active: v.pipe(
    v.boolean(),
    v.description('Kept for integrators: the menu is served whatever it says.'),
  ),
});
export type Settings = v.InferOutput<typeof settingsSchema>;

const EMAIL = /^[^\s\p{Cc}\p{Cf}@<>()[\],;:"]+@[^\s\p{Cc}\p{Cf}@.]+(\.[^\s\p{Cc}\p{Cf}@.]+)+$/u;

/** Whether a name is one of the IANA database, one that was replaced by another among them. */
function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // Later engines take offsets, too, and Postgres reads their sign the other way round.
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

/** In characters. */
export const MAX_RESTAURANT_NAME = 200;

/** The settings as the admin API takes them; the slug is the restaurant's address and stays. */
export const settingsInputSchema = v.object({
  name: requiredText(MAX_RESTAURANT_NAME),
  logo_url: nullableUrl(),
  cover_image_url: nullableUrl(),
  cover_charge_text: text(500),
  allergen_info: text(2_000),
  review_url: url(),
  recommended_label: text(100),
  business_name: text(200),
  vat_number: text(50),
  address: text(500),
  phone: text(50),
  email: formattedText(254, EMAIL, 'email', 'As `info@example.com`; empty for none.'),
  default_locale: oneOf(LOCALES, { description: 'One of `supported_locales`.' }),
  supported_locales: atLeastOneOf(LOCALES),
  timezone: v.pipe(
    requiredText(64),
    describedAs({ description: 'A name of the IANA database, such as `Europe/Rome`.' }),
    v.check(isTimeZone, 'invalid'),
  ),
  is_active: flag(),
});
export type SettingsInput = v.InferOutput<typeof settingsInputSchema>;

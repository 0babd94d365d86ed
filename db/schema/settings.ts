import * as v from 'valibot';
import type { ShownOf, StoredOf } from './field.ts';
import { closures, openingHours, specialHours } from './hours.ts';
import {
  adminOnly,
  choice,
  embedded,
  flag,
  formattedText,
  localizedText,
  nullableReference,
  nullableUrl,
  requiredForm,
  requiredText,
  slug,
  someChoices,
  sparse,
  text,
  translations,
  url,
  urls,
} from './kinds.ts';
import { nullableCountry, nullableDecimal, nullablePrice } from './nullable-kinds.ts';
import { photo } from './photo.ts';
import { defineRecord } from './record.ts';
import { describedAs } from './validation/described-as.ts';
import { languageRule } from './validation/input-fields.ts';
import { COUNTRIES } from './values/country.ts';
import { USUAL_CURRENCY } from './values/currency.ts';
import { FALLBACK_LOCALE, localeSchema } from './values/locale.ts';
import type { Row } from './values/row.ts';

const EMAIL = /^[^\s\p{Cc}\p{Cf}@<>()[\],;:"]+@[^\s\p{Cc}\p{Cf}@.]+(\.[^\s\p{Cc}\p{Cf}@.]+)+$/u;

/** Whether a name is one of the IANA database, outdated names included. */
function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // Later engines take offsets, too, and Postgres reads their sign the other way round.
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

function timeZone() {
  const zone = requiredText(64, 'The time zone of its opening hours.');
  const input = v.pipe(
    zone.input as v.GenericSchema<string>,
    describedAs({ description: 'A name of the IANA database, such as `Europe/Rome`.' }),
    v.check(isTimeZone, 'invalid'),
  );
  return adminOnly({ ...zone, input });
}

const ORIGIN = 'https://[a-z0-9-]+(\\.[a-z0-9-]+)*(:[0-9]{1,5})?';
/** Nothing of another meaning in a header, where they stand as they are. */
const ORIGINS = new RegExp(`^${ORIGIN}( +${ORIGIN})*$`, 'i');

function embedOrigins() {
  const form = 'Origins such as `https://www.example.com`, separated by spaces; empty for none.';
  return adminOnly(
    formattedText(
      1_000,
      ORIGINS,
      'invalid',
      form,
      'Other sites whose pages may show the menu’s page in a frame.',
    ),
  );
}

function currency() {
  const options = {
    description: 'The currency of all prices.',
    default: USUAL_CURRENCY,
  };
  const code = requiredForm(3, /^[A-Z]{3}$/, 'invalid', options);
  const input = v.pipe(
    code.input as v.GenericSchema<string>,
    describedAs({ description: 'A code of ISO 4217, such as `EUR`.' }),
    v.check((given) => Intl.supportedValuesOf('currency').includes(given), 'invalid'),
  );
  return { ...code, input };
}

const REGION = /^[A-Z]{2}-[A-Z0-9]{1,3}$/;

/** The sizes of a business from which some laws hold. */
const CHAIN_SIZES = ['none', 'us_20', 'uk_250'] as const;

/** Facts on which it depends which laws hold, and charges beside the prices. */
const legalFields = {
  country: sparse(
    nullableCountry(
      COUNTRIES,
      'The country whose laws its menu follows, by ISO 3166-1 alpha-2, or null.',
    ),
  ),
  region: sparse(
    formattedText(
      6,
      REGION,
      'format',
      'A region of `country` by ISO 3166-2; empty for none.',
      'The part of the country whose own laws hold, such as `US-CA`.',
    ),
  ),
  chain_size: sparse(
    choice(v.picklist(CHAIN_SIZES), {
      description:
        'Whether it belongs to a business of 20 places in the US, or of 250 employees in the UK.',
      default: 'none',
    }),
  ),
  cover_charge: sparse(nullablePrice('What a guest pays for the cover; null for none.')),
  service_charge_percent: sparse(
    nullableDecimal(
      0,
      100,
      1,
      'What is added to a bill for service; 0 when it is included, null if unsaid.',
    ),
  ),
  prices_exclude_tax: sparse(flag('Whether taxes are added to the prices.')),
};

/** A region goes when its country changes. */
function deriveRegion(input: Row, after: Row): Row {
  if (!('country' in input) || 'region' in input || isOfCountry(after)) return {};
  return { region: '' };
}

/** Whether a region, if there is one, lies in the country. */
export function isOfCountry({ country, region }: Row): boolean {
  return !region || String(region).startsWith(`${country}-`);
}

/** In characters. */
export const MAX_RESTAURANT_NAME = 200;

/** The restaurant (SPEC, "Settings"). */
export const settings = defineRecord({
  resource: 'settings',
  table: 'settings',
  schema: 'Settings',
  one: 'the restaurant’s settings',
  label: 'records.settings',
  isSingleton: true,
  isOnMenu: true,
  fields: {
    name: requiredText(MAX_RESTAURANT_NAME, 'The restaurant’s name.'),
    slug: slug('The first label of its host name.'),
    logo_photo_id: nullableReference('photos', {
      description: 'An uploaded photo: its logo.',
      onDelete: 'detach',
    }),
    logo_url: nullableUrl({
      description: 'The address of its logo; that of its own photo, when it has one.',
      photo: 'logo_photo',
    }),
    cover_photo_id: nullableReference('photos', {
      description: 'An uploaded photo: a wide picture above the menu.',
      onDelete: 'detach',
    }),
    cover_image_url: nullableUrl({
      description:
        'The address of a wide picture above the menu; that of its own photo, when it has one.',
      photo: 'cover_photo',
    }),
    logo_photo: embedded('logo_photo_id', photo, {
      label: 'fields.settings.logo_photo_id',
      description: 'The photo of its logo, or null.',
    }),
    cover_photo: embedded('cover_photo_id', photo, {
      label: 'fields.settings.cover_photo_id',
      description: 'The photo above the menu, or null.',
    }),
    cover_charge_text: localizedText(500, 'What guests read about the cover charge.'),
    allergen_info: localizedText(2_000, 'What guests read about allergens.'),
    review_url: url('The address of a page where guests write reviews.'),
    recommended_label: localizedText(100, 'The label shown on recommended dishes.'),
    business_name: text(200, 'The company that runs the restaurant.'),
    vat_number: text(50, 'The company’s VAT number.'),
    address: text(500, 'Where the restaurant is.'),
    phone: text(50, 'Its phone number.'),
    email: formattedText(
      254,
      EMAIL,
      'email',
      'As `info@example.com`; empty for none.',
      'Its e-mail address.',
    ),
    opening_hours: openingHours,
    closures,
    special_hours: specialHours,
    map_url: url('The address of a map that shows where the restaurant is.'),
    social_urls: urls(12, 'Addresses of its pages elsewhere, such as social networks.'),
    cuisine: translations(200, 'What it cooks, such as `Sicilian cuisine`.'),
    default_locale: choice(localeSchema, {
      broken: languageRule,
      description: 'The language of the menu when none is asked for. One of `supported_locales`.',
    }),
    fallback_locale: adminOnly(
      choice(localeSchema, {
        broken: languageRule,
        description:
          'The language that names must have, that texts without a translation come in, and that a ' +
          'reader of another language gets. It can change when all names have the new one.',
        default: FALLBACK_LOCALE,
      }),
    ),
    supported_locales: someChoices(localeSchema, {
      broken: languageRule,
      description: 'The languages of the menu.',
    }),
    currency: currency(),
    // SPEC names it and no effect of it.
    is_active: flag({
      description: 'Kept for integrators: the menu is served whatever it says.',
      default: true,
    }),
    timezone: timeZone(),
    embed_origins: embedOrigins(),
    ...legalFields,
  },
  derive: deriveRegion,
  example: {
    id: 1,
    name: 'Trattoria da Ada',
    slug: 'trattoria',
    cover_charge_text: 'Coperto 2 €',
    allergen_info: 'Chiedete al personale.',
    recommended_label: 'Consigliato',
    address: 'Via Roma 1, Trieste',
    phone: '+39 040 000000',
    email: 'ada@trattoria.example',
    default_locale: 'it',
    supported_locales: ['it', 'en', 'de'],
    timezone: 'Europe/Rome',
  },
});
export type StoredSettings = StoredOf<typeof settings.fields>;
export type Settings = ShownOf<typeof settings.fields>;

import * as v from 'valibot';
import { courses } from './courses.ts';
import {
  additives,
  allergens as allergenDictionary,
  allergenKinds,
  dishLabels,
} from './dictionary.ts';
import { deriveDish } from './dish-derived.ts';
import type { ShownOf, StoredOf } from './field.ts';
import {
  choices,
  computedFlag,
  date,
  declaredChoices,
  displayOrder,
  embedded,
  externalId,
  flag,
  localizedText,
  moment,
  nullableReference,
  nullableUrl,
  price,
  reference,
  requiredLocalizedText,
  requiredPrice,
  requiredTranslations,
  sparse,
  text,
  time,
  translations,
  visibility,
  weekdays,
} from './kinds.ts';
import { list } from './lists.ts';
import { modifierGroup } from './modifier-group.ts';
import { nullableChoice, nullableDecimal, nullableInteger } from './nullable-kinds.ts';
import { origins } from './origins.ts';
import { checkSoldOut, partKey, soldOutUntil } from './part-kinds.ts';
import { photo } from './photo.ts';
import { defineRecord } from './record.ts';
import { embeddedAll, references } from './references.ts';
import { NEVER } from './validation/date-fields.ts';
import { broken } from './validation/rule.ts';
import type { Row } from './values/row.ts';
import { visibleMoments } from './visibility.ts';
import { winery } from './winery.ts';

// Fields of dishes that few menus use: for laws, and for wines and portions.

/** A drink's amount and strength, of a dish or of one of its sizes. */
const drinkParts = {
  volume_ml: sparse(
    nullableInteger(1, 100_000, {
      label: 'fields.dish.volume_ml',
      description: 'How much of a drink it is, in millilitres, or null.',
    }),
  ),
  abv_percent: sparse(
    nullableDecimal(0, 100, 1, {
      label: 'fields.dish.abv_percent',
      description: 'Its alcohol in percent of the volume, with one decimal, or null.',
    }),
  ),
};

/** How a wine tastes, and what it goes with. */
const wineTexts = {
  taste: sparse(translations(200, 'How a wine tastes, such as `dry, mineral`.')),
  pairing: sparse(translations(200, 'What a wine goes well with.')),
};

/** How much a dish is, and of what. */
const portionFields = {
  portion: sparse(
    translations(100, 'How much guests get of a dish of one size, such as `8 pieces`.'),
  ),
  serves: sparse(nullableInteger(1, 99, 'For how many people it is, or null.')),
  ingredients: sparse(translations(2_000, 'All its ingredients.')),
};

/** Cereals and nuts of a dish. */
const allergenDetail = () =>
  sparse(
    choices(
      allergenKinds.keySchema,
      'Which cereals with gluten and which nuts it contains or may contain: kinds of allergens ' +
        'of `allergens` or `traces`. An allergen without a kind may be any of them.',
    ),
  );

const nonVintage = () =>
  sparse(flag('Whether a wine is a blend of several years, on labels “NV”.'));

/** Why a dish is sold out. */
const soldOutNote = () =>
  sparse(
    translations(200, {
      description: 'Why it is sold out; guests read it as long as it is.',
      isAvailability: true,
    }),
  );

const MOST_OFFERS = 6;

const offerParts = {
  label: localizedText(100, {
    label: 'fields.offer.label',
    description: 'What the offer is called, such as “happy hour”; empty for none.',
  }),
  price: requiredPrice({
    label: 'fields.dish.price',
    description: 'The price of the dish while the offer holds.',
  }),
  weekdays: weekdays({
    label: 'fields.section.weekdays',
    description: 'The days on which it holds, from 1, Monday, to 7; null for all.',
  }),
  time_start: time({
    label: 'fields.section.time_start',
    description: 'When it begins, `HH:MM` in the restaurant’s local time; null for all day.',
  }),
  time_end: time({
    label: 'fields.section.time_end',
    description: 'When it ends; past midnight when it is not after `time_start`.',
  }),
  date_start: date({
    label: 'fields.section.date_start',
    description: 'The first day on which it holds, or null.',
  }),
  date_end: date({
    label: 'fields.section.date_end',
    description: 'The last day on which it holds, or null.',
  }),
};

/** Hours have both ends, and days come in their order. */
function checkOffer({ time_start, time_end, date_start, date_end }: Row) {
  if (time_start === null && time_end !== null) {
    return { part: 'time_start', broken: broken('required') };
  }
  if (time_end === null && time_start !== null) {
    return { part: 'time_end', broken: broken('required') };
  }
  if (typeof date_start !== 'string' || typeof date_end !== 'string') return null;
  return date_start <= date_end
    ? null
    : { part: 'date_end', broken: broken('notBefore', { date: date_start }) };
}

/** Prices that hold at certain times, beside the usual one; they inform displays. */
function offers() {
  return list(
    offerParts,
    { max: MOST_OFFERS, check: checkOffer },
    'Prices that hold at certain times. They inform displays: `price` stays.',
  );
}

export const PRICE_UNITS = [
  'piece',
  'person',
  '100g',
  'kg',
  'glass',
  'carafe',
  'bottle',
  'half_litre',
  'litre',
] as const;

const sizeParts = {
  label: requiredLocalizedText(100, {
    label: 'fields.dish.variants',
    description: 'What the size is called.',
  }),
  price: requiredPrice({ label: 'fields.dish.price', description: 'The price of this size.' }),
  ...drinkParts,
  is_sold_out: sparse(
    flag({
      label: 'fields.dish.is_sold_out',
      description:
        'Whether guests cannot order this size now. Where it is left out, a size that is there stays ' +
        'as it is.',
      isAvailability: true,
    }),
  ),
  sold_out_until: soldOutUntil(),
  external_id: partKey(),
};

/** A dish or wine (SPEC, "MenuItem"). */
export const dish = defineRecord({
  resource: 'items',
  table: 'dishes',
  schema: 'MenuItem',
  one: 'a dish or wine',
  label: 'records.dish',
  isOnMenu: true,
  parent: 'category_id',
  fields: {
    external_id: externalId(),
    category_id: reference('categories', {
      description: 'The section that it belongs to.',
      filter: 'Only dishes of this section.',
      onDelete: 'cascade',
    }),
    type_id: nullableReference('types', {
      description: 'The sub-category of the same section that it belongs to.',
      filter: 'Only dishes of this sub-category.',
      onDelete: 'detach',
      within: 'category_id',
    }),
    winery_id: nullableReference('wineries', {
      description: 'The producer of a wine.',
      onDelete: 'detach',
    }),
    name: requiredTranslations(200, 'Its name.'),
    description: translations(2_000, 'What guests read below the name.'),
    price: price('Its price in the restaurant’s currency.'),
    price_on_request: flag('Whether displays show “on request” instead of the price.'),
    price_unit: nullableChoice(
      v.picklist(PRICE_UNITS),
      'What the price is for; null for one serving.',
    ),
    variants: list(
      sizeParts,
      { max: 12, check: checkSoldOut },
      'Its sizes with their prices; `price` is then the lowest of them.',
    ),
    offers: offers(),
    modifier_group_ids: references('modifier_groups', 8, {
      description: 'The groups of options that guests choose from with it, in their order.',
      onDelete: 'detach',
    }),
    courses: courses(),
    allergens: declaredChoices(
      allergenDictionary.keySchema,
      'Keys of the allergens that it contains. `[]` declares that there are none, null that ' +
        'nothing is declared.',
    ),
    allergens_declared: computedFlag(
      'Whether the restaurant has declared the allergens, be it that there are none.',
    ),
    traces: choices(
      allergenDictionary.keySchema,
      'Keys of the allergens that it may contain; none of them is in `allergens`.',
    ),
    allergen_detail: allergenDetail(),
    additives: choices(additives.keySchema, 'Keys of the additives that it contains.'),
    labels: choices(dishLabels.keySchema, {
      description: 'Keys of what guests look for in it.',
      filter: 'Only dishes with all of these labels: keys with commas between them.',
    }),
    vintage: nullableInteger(1800, 2200, 'The year of a wine.'),
    non_vintage: nonVintage(),
    grapes: text(200, 'The grapes of a wine.'),
    denomination: text(200, 'The protected origin of a wine.'),
    ...wineTexts,
    ...drinkParts,
    ...portionFields,
    code: text(20, 'Its number on the menu or in the cellar, which guests see.'),
    kcal: nullableInteger(
      0,
      99_999,
      'Its energy in kilocalories a serving; null when it is not stated.',
    ),
    origin: translations(300, 'Where its main ingredients come from.'),
    origins: sparse(origins()),
    photo_id: nullableReference('photos', {
      label: photo.label,
      description: 'An uploaded photo of it.',
      onDelete: 'detach',
    }),
    photo_url: nullableUrl({
      description:
        'The address of a picture of it, with `https://`; that of its own photo, when it has one.',
      photo: 'photo',
    }),
    photo_alt: translations(300, 'What the picture shows, for those who cannot see it.'),
    sold_out_until: moment({
      description: 'When it is available again; null too when it is sold out indefinitely.',
      isAvailability: true,
    }),
    is_sold_out: computedFlag('Whether guests cannot order it now.'),
    sold_out_note: soldOutNote(),
    is_active: visibility('Whether guests see it.'),
    ...visibleMoments,
    is_recommended: flag({
      description: 'Whether the restaurant recommends it.',
      filter: '1: only recommended dishes; 0: only the others.',
    }),
    display_order: displayOrder('Its place in the section, in ascending order.'),
    winery: embedded('winery_id', winery, {
      label: winery.label,
      description: 'The producer of a wine; null for a dish without one.',
    }),
    modifier_groups: embeddedAll('modifier_group_ids', modifierGroup, {
      label: modifierGroup.label,
      description: 'The groups of options that guests choose from with it.',
    }),
    photo: embedded('photo_id', photo, {
      label: photo.label,
      description: 'Its own photo; null for a dish without one.',
    }),
  },
  asSent: {
    allergens: (row) => (row.allergens_declared ? row.allergens : null),
    sold_out_until: (row) => (row.is_sold_out ? (row.sold_out_until ?? NEVER) : null),
  },
  derive: deriveDish,
  example: {
    id: 7,
    category_id: 2,
    name: { it: 'Gricia', en: 'Gricia' },
    price: 11.5,
    allergens: ['cereali_glutine', 'latte'],
    allergens_declared: true,
  },
});
export type StoredDish = StoredOf<typeof dish.fields>;
export type Dish = ShownOf<typeof dish.fields>;

import { allergenKinds } from './dictionary.ts';
import { choices, flag, sparse, translations } from './kinds.ts';
import { nullableDecimal, nullableInteger } from './nullable-kinds.ts';

// Fields of dishes that few menus use: for laws, and for wines and portions.

/** A drink's amount and strength, of a dish or of one of its sizes. */
export const drinkParts = {
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
export const wineTexts = {
  taste: sparse(translations(200, 'How a wine tastes, such as `dry, mineral`.')),
  pairing: sparse(translations(200, 'What a wine goes well with.')),
};

/** How much a dish is, and of what. */
export const portionFields = {
  portion: sparse(
    translations(100, 'How much guests get of a dish of one size, such as `8 pieces`.'),
  ),
  serves: sparse(nullableInteger(1, 99, 'For how many people it is, or null.')),
  ingredients: sparse(translations(2_000, 'All its ingredients.')),
};

/** Cereals and nuts of a dish. */
export const allergenDetail = () =>
  sparse(
    choices(
      allergenKinds.keySchema,
      'Which cereals with gluten and which nuts it contains or may contain: kinds of allergens ' +
        'of `allergens` or `traces`. An allergen without a kind may be any of them.',
    ),
  );

/** Whether a wine has no year. */
export const nonVintage = () =>
  sparse(flag('Whether a wine is a blend of several years, on labels “NV”.'));

/** Why a dish is sold out. */
export const soldOutNote = () =>
  sparse(
    translations(200, {
      description: 'Why it is sold out; guests read it as long as it is.',
      isAvailability: true,
    }),
  );

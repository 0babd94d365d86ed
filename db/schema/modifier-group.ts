import { allergens } from './dictionary.ts';
import type { StoredOf } from './field.ts';
import {
  externalId,
  flag,
  required,
  requiredLocalizedText,
  requiredTranslations,
  sparse,
} from './kinds.ts';
import { list } from './lists.ts';
import { nullableInteger } from './nullable-kinds.ts';
import {
  checkSoldOut,
  defaultedInteger,
  nullableChoices,
  optionalPrice,
  partKey,
  soldOutUntil,
} from './part-kinds.ts';
import { defineRecord } from './record.ts';

const MOST_OPTIONS = 60;

const optionParts = {
  label: requiredLocalizedText(200, 'What the option is called.'),
  price: optionalPrice('What it costs beside the dish; 0 when it is included.'),
  allergens: nullableChoices(allergens.keySchema, {
    label: 'fields.dish.allergens',
    description:
      'Keys of the allergens that it contains. `[]` declares that there are none, null that nothing ' +
      'is declared.',
  }),
  is_sold_out: flag({
    description:
      'Whether guests cannot choose it now. Where it is left out, an option that is there stays as it is.',
    isAvailability: true,
  }),
  sold_out_until: soldOutUntil(),
  max: sparse(
    defaultedInteger(
      1,
      MOST_OPTIONS,
      1,
      'How many times a guest may choose it at most; it costs its price each time.',
    ),
  ),
  external_id: partKey(),
};

/** How many times a guest may choose an option. */
export const timesOf = ({ max }: { max?: number | undefined }) => max ?? 1;

/** A group of options that dishes share: sides, sauces, extras. */
export const modifierGroup = defineRecord({
  resource: 'modifier_groups',
  table: 'modifier_groups',
  schema: 'ModifierGroup',
  one: 'a group of options',
  label: 'records.modifierGroup',
  isOnMenu: true,
  fields: {
    external_id: externalId(),
    name: requiredTranslations(200, 'Its name.'),
    min: defaultedInteger(0, MOST_OPTIONS, 0, 'How many of the options a guest chooses at least.'),
    max: nullableInteger(
      1,
      MOST_OPTIONS,
      'How many of the options a guest chooses at most; null for any number.',
    ),
    options: required(
      list(
        optionParts,
        { topic: 'modifier', min: 1, max: MOST_OPTIONS, check: checkSoldOut },
        'The options, in their order.',
      ),
    ),
  },
  example: {
    id: 4,
    name: { it: 'Contorno', en: 'Side dish' },
    min: 1,
    max: 1,
    options: [{ label: { it: 'Patate' }, price: 0, allergens: [], is_sold_out: false }],
  },
});
export type StoredModifierGroup = StoredOf<typeof modifierGroup.fields>;

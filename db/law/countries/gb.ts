import type { CountryLaw } from './country-law.ts';

/** The calorie rules are those of England alone. */
const CALORIES = {
  law: 'Calorie Labelling (Out of Home Sector) (England) Regulations 2021',
  source: 'https://www.legislation.gov.uk/uksi/2021/909',
};
const ENGLISH_CHAIN = {
  chain_size: 'uk_250',
  region: { code: 'GB-ENG', optional: true },
} as const;

export const unitedKingdom: CountryLaw = {
  rules: [
    {
      rule: 'gb.allergens',
      title: 'allergens',
      law: 'Food Information Regulations 2014, reg. 5',
      source: 'https://www.legislation.gov.uk/uksi/2014/1855',
      since: '2014-12-13',
      check: 'allergens',
    },
    {
      rule: 'gb.allergen_kinds',
      title: 'allergenKinds',
      law: 'FSA best practice guidance of 5 March 2025 (guidance, not law)',
      source:
        'https://www.food.gov.uk/business-guidance/allergen-information-for-non-prepacked-foods-best-practice',
      since: '2025-03-05',
      check: 'allergen_kinds',
      of: ['cereali_glutine', 'frutta_guscio'],
    },
    {
      ...{ rule: 'gb.calories', title: 'kcal', ...CALORIES, since: '2022-04-06' },
      ...{ check: 'kcal', abv_above: 1.2, holds: ENGLISH_CHAIN },
    },
  ],
  sentences: [{ text: 'caloriesGb', about: 'kcal', holds: ENGLISH_CHAIN }],
  reminders: [{ text: 'withoutCalories', ...CALORIES, holds: ENGLISH_CHAIN }],
};

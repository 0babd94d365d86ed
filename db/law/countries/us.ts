import type { CountryLaw } from './country-law.ts';

const CHAIN = { chain_size: 'us_20' } as const;
const MENU_LABELING = 'https://www.ecfr.gov/current/title-21/section-101.11';
const SB_68 = {
  law: 'California SB 68 (2025), Health and Safety Code § 114093.5',
  source: 'https://leginfo.legislature.ca.gov/faces/billNavClient.xhtml?bill_id=202520260SB68',
  since: '2026-07-01',
  holds: { ...CHAIN, region: { code: 'US-CA' } },
};

/** The United States, and California. */
export const unitedStates: CountryLaw = {
  rules: [
    {
      rule: 'us.calories',
      title: 'kcal',
      law: '21 CFR 101.11(b)(2)(i)',
      source: MENU_LABELING,
      since: '2018-05-07',
      check: 'kcal',
      holds: CHAIN,
    },
    { rule: 'us_ca.allergens', title: 'nineAllergens', ...SB_68, check: 'allergens' },
    // Wheat is one of the nine; gluten is none.
    {
      ...{ rule: 'us_ca.wheat', title: 'wheat', ...SB_68 },
      ...{ check: 'allergen_kinds', of: ['cereali_glutine'] },
    },
  ],
  sentences: [
    { text: 'caloriesUs', about: 'kcal', holds: CHAIN },
    { text: 'nutritionUs', about: 'kcal', holds: CHAIN },
  ],
  reminders: [
    { text: 'nutrition', law: '21 CFR 101.11(b)(2)(ii)', source: MENU_LABELING, holds: CHAIN },
  ],
};

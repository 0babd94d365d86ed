import type { CountryLaw } from './country-law.ts';

const REGULATION_1169 = 'https://eur-lex.europa.eu/eli/reg/2011/1169/oj';

/** The European Union: what holds in all its countries. */
export const europeanUnion: CountryLaw = {
  rules: [
    {
      rule: 'eu.allergens',
      title: 'allergens',
      law: 'Regulation (EU) 1169/2011, art. 9(1)(c) and 44, Annex II',
      source: REGULATION_1169,
      since: '2014-12-13',
      check: 'allergens',
    },
    {
      rule: 'eu.allergen_kinds',
      title: 'allergenKinds',
      law: 'Regulation (EU) 1169/2011, Annex II, points 1 and 8; Notice 2017/C 428/01',
      source: 'https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:52017XC1213(01)',
      since: '2014-12-13',
      check: 'allergen_kinds',
      of: ['cereali_glutine', 'frutta_guscio'],
    },
    {
      rule: 'eu.final_prices',
      title: 'tax',
      law: 'Directive 2005/29/EC, art. 7(4)(c)',
      source: 'https://eur-lex.europa.eu/eli/dir/2005/29/oj',
      since: '2007-12-12',
      check: 'tax',
    },
  ],
  sentences: [],
  reminders: [],
};

import type { CountryLaw } from './country-law.ts';

/** Spain, beside the European Union. */
export const spain: CountryLaw = {
  rules: [
    {
      rule: 'es.allergens',
      title: 'allergens',
      law: 'Real Decreto 126/2015',
      source: 'https://www.boe.es/buscar/act.php?id=BOE-A-2015-2293',
      since: '2015-03-05',
      check: 'allergens',
    },
  ],
  sentences: [{ text: 'askStaff', about: 'always' }],
  reminders: [],
};

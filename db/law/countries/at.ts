import type { CountryLaw } from './country-law.ts';

const REGULATION = {
  law: 'Allergeninformationsverordnung, BGBl. II Nr. 175/2014',
  source: 'https://www.ris.bka.gv.at/eli/bgbl/ii/2014/175',
};

/** Austria, beside the European Union. */
export const austria: CountryLaw = {
  rules: [
    {
      ...{ rule: 'at.allergens', title: 'allergens', ...REGULATION, since: '2014-12-13' },
      check: 'allergens',
    },
  ],
  sentences: [{ text: 'askStaff', about: 'always' }],
  reminders: [{ text: 'record', ...REGULATION }],
};

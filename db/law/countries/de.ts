import type { CountryLaw } from './country-law.ts';

const LMIDV = { law: 'LMIDV § 4', source: 'https://www.gesetze-im-internet.de/lmidv/__4.html' };
const PANGV = {
  law: 'PAngV § 13',
  source: 'https://www.gesetze-im-internet.de/pangv_2022/__13.html',
  since: '2022-05-28',
};

/** Germany, beside the European Union. */
export const germany: CountryLaw = {
  rules: [
    { rule: 'de.allergens', title: 'allergens', ...LMIDV, since: '2017-07-13', check: 'allergens' },
    { rule: 'de.prices', title: 'price', ...PANGV, check: 'price' },
    { rule: 'de.volumes', title: 'volume', ...PANGV, check: 'volume' },
    { rule: 'de.service', title: 'service', ...PANGV, check: 'service' },
  ],
  sentences: [{ text: 'askStaff', about: 'always' }],
  reminders: [
    {
      text: 'additives',
      law: 'LMZDV § 5',
      source: 'https://www.gesetze-im-internet.de/lmzdv/__5.html',
    },
    { text: 'record', ...LMIDV },
  ],
};

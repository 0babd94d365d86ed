import type { CountryLaw } from './country-law.ts';

const LMIDV = 'https://www.gesetze-im-internet.de/lmidv/__4.html';
const PANGV = 'https://www.gesetze-im-internet.de/pangv_2022/__13.html';

/** Germany, beside the European Union. */
export const germany: CountryLaw = {
  rules: [
    {
      rule: 'de.allergens',
      title: 'allergens',
      law: 'LMIDV § 4',
      source: LMIDV,
      since: '2017-07-13',
      check: 'allergens',
    },
    {
      rule: 'de.prices',
      title: 'price',
      law: 'PAngV § 13',
      source: PANGV,
      since: '2022-05-28',
      check: 'price',
    },
    {
      rule: 'de.volumes',
      title: 'volume',
      law: 'PAngV § 13',
      source: PANGV,
      since: '2022-05-28',
      check: 'volume',
    },
    {
      rule: 'de.service',
      title: 'service',
      law: 'PAngV § 13',
      source: PANGV,
      since: '2022-05-28',
      check: 'service',
    },
  ],
  sentences: [{ text: 'askStaff', about: 'always' }],
  reminders: [
    {
      text: 'additives',
      law: 'LMZDV § 5',
      source: 'https://www.gesetze-im-internet.de/lmzdv/__5.html',
    },
    { text: 'record', law: 'LMIDV § 4', source: LMIDV },
  ],
};

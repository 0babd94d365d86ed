import type { CountryLaw } from './country-law.ts';

const LIV = 'https://www.fedlex.admin.ch/eli/cc/2017/158/de#art_5';
const LDV =
  'https://gastrosuisse.ch/de/branchenwissen/hygiene-und-lebensmittelsicherheit/deklaration';
const ORIGINS = { law: 'LIV Art. 5 Abs. 1 Bst. a und b', source: LIV, since: '2017-05-01' };

export const switzerland: CountryLaw = {
  rules: [
    {
      rule: 'ch.allergens',
      title: 'allergens',
      law: 'LIV Art. 5 Abs. 1 Bst. d; LGV Art. 39',
      source: LIV,
      since: '2017-05-01',
      check: 'allergens',
    },
    {
      ...{ rule: 'ch.origin_meat', title: 'originMeat', ...ORIGINS },
      ...{ check: 'origins', kinds: ['beef', 'pork', 'sheep', 'poultry', 'meat'], found: 'meat' },
      parts: [['country'], ['reared']],
    },
    {
      ...{ rule: 'ch.origin_fish', title: 'originFish', ...ORIGINS },
      ...{ check: 'origins', kinds: ['fish'], found: 'fish' },
      parts: [['country'], ['catch_area']],
    },
  ],
  sentences: [
    { text: 'askStaff', about: 'always' },
    { text: 'hormones', about: 'foreign_meat' },
    { text: 'antibiotics', about: 'foreign_meat' },
  ],
  reminders: [
    { text: 'bread', law: 'LGV Art. 39 Abs. 2 Bst. d', source: LIV },
    { text: 'keeping', law: 'LDV Art. 3 und 4', source: LDV },
  ],
};

import type { CountryLaw } from './country-law.ts';

const ORIGINS = {
  law: 'Décret n° 2002-1465, modifié par 2022-65, 2024-171 et 2025-141',
  source: 'https://www.legifrance.gouv.fr/loda/id/JORFTEXT000000411003',
  since: '2025-02-19',
};

/** France, beside the European Union. */
export const france: CountryLaw = {
  rules: [
    {
      rule: 'fr.allergens',
      title: 'allergens',
      law: 'Décret n° 2015-447 du 17 avril 2015',
      source: 'https://www.legifrance.gouv.fr/eli/decret/2015/4/17/2015-447/jo/texte',
      since: '2015-07-01',
      check: 'allergens',
    },
    {
      ...{ rule: 'fr.origin_beef', title: 'originBeef', ...ORIGINS },
      ...{ check: 'origins', kinds: ['beef'], found: 'meat' },
      parts: [['country'], ['born', 'reared', 'slaughtered']],
    },
    {
      ...{ rule: 'fr.origin_meat', title: 'originMeat', ...ORIGINS },
      ...{ check: 'origins', kinds: ['pork', 'sheep', 'poultry'], found: 'meat' },
      parts: [['country'], ['reared', 'slaughtered']],
    },
  ],
  sentences: [],
  reminders: [
    {
      text: 'homemade',
      law: 'Code de la consommation, art. L122-19 à L122-21; décret n° 2015-505',
      source: 'https://www.legifrance.gouv.fr/eli/decret/2015/5/6/2015-505/jo/texte',
    },
  ],
};

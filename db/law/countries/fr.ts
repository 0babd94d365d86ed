import type { CountryLaw } from './country-law.ts';

const ORIGINS = 'Décret n° 2002-1465, modifié par 2022-65, 2024-171 et 2025-141';
const SOURCE = 'https://www.legifrance.gouv.fr/loda/id/JORFTEXT000000411003';

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
      rule: 'fr.origin_beef',
      title: 'originBeef',
      law: ORIGINS,
      source: SOURCE,
      since: '2025-02-19',
      check: 'origins',
      kinds: ['beef'],
      parts: [['country'], ['born', 'reared', 'slaughtered']],
      found: 'meat',
    },
    {
      rule: 'fr.origin_meat',
      title: 'originMeat',
      law: ORIGINS,
      source: SOURCE,
      since: '2025-02-19',
      check: 'origins',
      kinds: ['pork', 'sheep', 'poultry'],
      parts: [['country'], ['reared', 'slaughtered']],
      found: 'meat',
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

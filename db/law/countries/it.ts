import type { CountryLaw } from './country-law.ts';

/** Italy, beside the European Union. */
export const italy: CountryLaw = {
  rules: [
    {
      rule: 'it.allergens',
      title: 'allergens',
      law: 'D.Lgs. 15 dicembre 2017, n. 231, art. 19, comma 8',
      source: 'https://www.normattiva.it/uri-res/N2Ls?urn:nir:stato:decreto.legislativo:2017;231',
      since: '2018-05-09',
      check: 'allergens',
    },
    {
      rule: 'it.cover_charge',
      title: 'coverCharge',
      law: 'R.D. 6 maggio 1940, n. 635, art. 180',
      source: 'https://www.normattiva.it/uri-res/N2Ls?urn:nir:stato:regio.decreto:1940;635',
      since: '1940-07-11',
      check: 'cover_charge',
    },
  ],
  sentences: [
    { text: 'frozen', about: 'frozen' },
    { text: 'askStaff', about: 'always' },
  ],
  reminders: [
    {
      text: 'frozen',
      law: 'Art. 515 e 56 c.p.; Cass. pen. 34783/2017 e 38793/2018',
      source: 'https://www.normattiva.it/uri-res/N2Ls?urn:nir:stato:regio.decreto:1930;1398',
    },
  ],
};

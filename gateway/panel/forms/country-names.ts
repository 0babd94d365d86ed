import { memoize } from '../../../db/runtime/memoize.ts';
import { COUNTRIES, countryName } from '../../../db/schema/values/country.ts';
import type { PanelLanguage } from '../../../db/texts/catalogues.ts';
import { type Html, html } from '../../http/html.ts';
import type { FormView } from './draft.ts';

/** The id of the list of places. */
export const COUNTRY_LIST = 'country-names';

const namesIn = memoize((language: PanelLanguage) => {
  const names = [...COUNTRIES, 'EU'].map((code) => countryName(code, language));
  const sorted = names.sort(new Intl.Collator(language).compare);
  return html`${sorted.map((name) => html`<option value="${name}">`)}`;
});

/** Places by name; their codes are taken, too. */
export function countryNames({ place, say }: FormView): Html {
  return html`<datalist id="${COUNTRY_LIST}">${namesIn(place.language)}<option value="${say('editor.nonEu')}"></datalist>`;
}

import { COUNTRIES, countryName } from '../../../db/schema/values/country.ts';
import { type Html, html } from '../../http/html.ts';
import type { FormView } from './draft.ts';

/** The id of the list of places. */
export const COUNTRY_LIST = 'country-names';

/** Places by name; their codes are taken, too. */
export function countryNames({ place, say }: FormView): Html {
  const names = [...COUNTRIES, 'EU'].map((code) => countryName(code, place.language));
  const sorted = names.sort(new Intl.Collator(place.language).compare);
  const options = [...sorted, say('editor.nonEu')].map((name) => html`<option value="${name}">`);
  return html`<datalist id="${COUNTRY_LIST}">${options}</datalist>`;
}

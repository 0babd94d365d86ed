import { type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { input } from '../forms/inputs.ts';
import { onceFields } from '../pages/fields.ts';

export const SECTIONS_BUTTON = 'sections';
export const NAMES = 'names';

/** The form of an empty menu: the names of its sections, one a line. */
export function manySectionsForm({ request, say }: Desk, names: string): Html {
  const field = { name: NAMES, label: say('menu.sectionsAtOnce'), value: names, rows: 7 };
  return html`<form method="post" action="/admin/menu">${onceFields(request)}${input(field)}
<p class="row"><button class="button main" name="do" value="${SECTIONS_BUTTON}">${say('menu.addSections')}</button></p></form>`;
}

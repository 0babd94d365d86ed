import { LANGUAGE_NAMES } from '../../db/schema/values/locale.ts';
import { PANEL_LANGUAGES } from '../../db/texts/catalogues.ts';
import { type Html, html } from '../http/html.ts';
import { addressOf, isPanelPath } from './navigation.ts';
import type { PanelRequest } from './panel-request.ts';

/** The id of the form on the sign-in page. */
export const SIGN_IN_FORM = 'sign-in';

const NAME = 'shell.language';

/** A button for each language; the page comes back in the one that is pressed. */
export function languageForm(request: PanelRequest): Html {
  const isKept = Boolean(request.purpose?.kept);
  // The sign-in form itself brings what it keeps: it is long, and stands in the page once.
  const target = isKept && html` form="${SIGN_IN_FORM}" formaction="/admin/language"`;
  const buttons = PANEL_LANGUAGES.map((locale) => {
    const isPressed = locale === request.language;
    return html`<button name="language" value="${locale}" lang="${locale}" aria-pressed="${String(isPressed)}"${target}>${LANGUAGE_NAMES[locale]}</button>`;
  });
  const label = request.say(NAME);
  if (isKept)
    return html`<div class="languages" role="group" aria-label="${label}">${buttons}</div>`;
  return html`<form class="languages" method="post" action="/admin/language" aria-label="${label}">
  <input type="hidden" name="back" value="${backPath(addressOf(request.context))}">
  ${buttons}
</form>`;
}

/** The page of the panel that a path names; whatever else it is, the first one. */
export function backPath(path: string): string {
  return isPanelPath(path) ? path : '/admin';
}

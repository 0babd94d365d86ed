import { LOCALES } from '../../db/schema/locale.ts';
import { type Html, html } from '../http/html.ts';
import { addressOf, isPanelPath } from './panel-path.ts';
import type { PanelRequest } from './panel-request.ts';
import { purposeFields } from './sign-in/kept-form.ts';
import { LANGUAGE_NAMES } from './texts/choose.ts';

const NAME = 'shell.language';

/** A button for each language; the page comes back in the one that is pressed. */
export function languageForm(request: PanelRequest): Html {
  const buttons = LOCALES.map((locale) => {
    const isPressed = locale === request.language;
    return html`<button name="language" value="${locale}" lang="${locale}" aria-pressed="${String(isPressed)}">${LANGUAGE_NAMES[locale]}</button>`;
  });
  return html`<form class="languages" method="post" action="/admin/language" aria-label="${request.say(NAME)}">
  <input type="hidden" name="back" value="${backPath(addressOf(request.context))}">
  ${request.purpose?.kept ? purposeFields(request.purpose) : null}
  ${buttons}
</form>`;
}

/** The page of the panel that a path names; whatever else it is, the first one. */
export function backPath(path: string): string {
  return isPanelPath(path) ? path : '/admin';
}

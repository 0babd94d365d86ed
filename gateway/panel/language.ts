import { labels } from '../../db/schema/field.ts';
import { LOCALES } from '../../db/schema/locale.ts';
import { type Html, html } from '../http/html.ts';
import { addressOf, isPanelPath } from './panel-path.ts';
import { purposeFields } from './sign-in/kept-form.ts';
import { LANGUAGE_NAMES } from './texts/choose.ts';
import type { Visit } from './visit.ts';

const NAME = labels(
  'Lingua del pannello',
  'Language of the panel',
  'Langue de la gestion',
  'Sprache der Verwaltung',
  'Idioma del panel',
);

/** A button for each language; the page comes back in the one that is pressed. */
export function languageForm(visit: Visit): Html {
  const buttons = LOCALES.map((locale) =>
    locale === visit.texts.language
      ? html`<button name="language" value="${locale}" lang="${locale}" aria-pressed="true">${LANGUAGE_NAMES[locale]}</button>`
      : html`<button name="language" value="${locale}" lang="${locale}" aria-pressed="false">${LANGUAGE_NAMES[locale]}</button>`,
  );
  return html`<form class="languages" method="post" action="/admin/language" aria-label="${visit.say(NAME)}">
  <input type="hidden" name="back" value="${backPath(addressOf(visit.context))}">
  ${visit.purpose?.kept ? purposeFields(visit.purpose) : null}
  ${buttons}
</form>`;
}

/** The page of the panel that a path names; whatever else it is, the first one. */
export function backPath(path: string): string {
  return isPanelPath(path) ? path : '/admin';
}

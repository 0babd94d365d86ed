import { labels } from '../../db/schema/field.ts';
import { isLocale, LOCALES } from '../../db/schema/locale.ts';
import type { Answer } from '../http/answer.ts';
import { type Html, html } from '../http/html.ts';
import { readForm } from './form.ts';
import { redirectAnswer } from './pages/page.ts';
import { addressOf, isPanelPath } from './panel-path.ts';
import { LANGUAGE_NAMES, setLanguageCookie } from './texts/choose.ts';
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
  ${buttons}
</form>`;
}

/** The page of the panel that a path names; whatever else it is, the first one. */
function backPath(path: string): string {
  return isPanelPath(path) ? path : '/admin';
}

/** `POST /admin/language`: it changes nothing but a cookie, so that any page may send it. */
export async function chooseLanguage(visit: Visit): Promise<Answer> {
  const form = await readForm(visit.context);
  const chosen = form.text('language');
  const back = backPath(form.text('back'));
  return redirectAnswer(visit, back, isLocale(chosen) ? [setLanguageCookie(chosen)] : []);
}

import type { Locale } from '../../../db/schema/values/locale.ts';
import {
  isPanelLanguage,
  PANEL_LANGUAGES,
  type PanelLanguage,
  panelLanguage,
} from '../../../db/texts/catalogues.ts';
import { preferredLanguage } from '../../http/negotiation.ts';

/** How dates are written: in English as in Europe, with the day before the month. */
export function dateLocale(language: PanelLanguage): string {
  return language === 'en' ? 'en-GB' : language;
}

const COOKIE = /(?:^|;)[ \t]*lavagna-lang=([a-z]{2})[ \t]*(?:;|$)/;
/** A year, in seconds. */
const COOKIE_AGE = 31_536_000;

/** The Set-Cookie header that keeps a choice of language. */
export function setLanguageCookie(locale: PanelLanguage, secure: boolean): string {
  const only = secure ? '; Secure' : '';
  return `lavagna-lang=${locale}; Path=/admin; Max-Age=${COOKIE_AGE}; HttpOnly; SameSite=Lax${only}`;
}

/**
 * The language that somebody has chosen in this browser, else in the one that the
 * browser prefers, else in the restaurant's default language.
 */
export function requestLanguage(
  headers: ReadonlyMap<string, string>,
  defaultLocale: Locale,
): PanelLanguage {
  const chosen = COOKIE.exec(headers.get('cookie') ?? '')?.[1] ?? '';
  if (isPanelLanguage(chosen)) return chosen;
  const usual = panelLanguage(defaultLocale);
  const available = [usual, ...PANEL_LANGUAGES.filter((locale) => locale !== usual)];
  const wish = preferredLanguage(headers.get('accept-language') ?? '', available);
  return wish ?? usual;
}

import { isLocale, LOCALES, type Locale } from '../../../db/schema/locale.ts';
import { preferredLanguage } from '../../http/negotiation.ts';

/** How each language calls itself. */
export const LANGUAGE_NAMES: Record<Locale, string> = {
  it: 'Italiano',
  en: 'English',
  fr: 'Français',
  de: 'Deutsch',
  es: 'Español',
};

/** How dates are written: in English as in Europe, with the day before the month. */
export function dateLocale(language: Locale): string {
  return language === 'en' ? 'en-GB' : language;
}

const COOKIE = /(?:^|;)[ \t]*lavagna-lang=([a-z]{2})[ \t]*(?:;|$)/;
/** A year, in seconds. */
const COOKIE_AGE = 31_536_000;

/** The Set-Cookie header that keeps a choice of language. */
export function setLanguageCookie(locale: Locale, secure: boolean): string {
  const only = secure ? '; Secure' : '';
  return `lavagna-lang=${locale}; Path=/admin; Max-Age=${COOKIE_AGE}; HttpOnly; SameSite=Lax${only}`;
}

/**
 * The language that somebody has chosen in this browser, else in the one that the
 * browser prefers, else in the restaurant's default language.
 */
export function chooseLanguage(
  headers: ReadonlyMap<string, string>,
  defaultLocale: Locale,
): Locale {
  const chosen = COOKIE.exec(headers.get('cookie') ?? '')?.[1] ?? '';
  if (isLocale(chosen)) return chosen;
  const available = [defaultLocale, ...LOCALES.filter((locale) => locale !== defaultLocale)];
  const wish = preferredLanguage(headers.get('accept-language') ?? '', available);
  return wish ?? defaultLocale;
}

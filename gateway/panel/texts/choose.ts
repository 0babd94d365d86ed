import { isLocale, LOCALES, type Locale } from '../../../db/schema/locale.ts';
import { preferredLanguage } from '../../http/negotiation.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';
import { italian } from './it.ts';
import { withFrenchSpaces } from './say.ts';
import type { Texts } from './texts.ts';

const LANGUAGES: Record<Locale, Texts> = {
  it: italian,
  en: english,
  fr: withFrenchSpaces(french),
  de: german,
  es: spanish,
};

/** How each language calls itself. */
export const LANGUAGE_NAMES: Record<Locale, string> = {
  it: 'Italiano',
  en: 'English',
  fr: 'Français',
  de: 'Deutsch',
  es: 'Español',
};

export function textsOf(locale: Locale): Texts {
  return LANGUAGES[locale];
}

/** How dates are written: in English as in Europe, with the day before the month. */
export function dateLocale({ language }: Pick<Texts, 'language'>): string {
  return language === 'en' ? 'en-GB' : language;
}

const COOKIE = /(?:^|;)[ \t]*lavagna-lang=([a-z]{2})[ \t]*(?:;|$)/;
/** A year, in seconds. */
const COOKIE_AGE = 31_536_000;

/** The Set-Cookie header that keeps a choice of language. */
export function setLanguageCookie(locale: Locale): string {
  return `lavagna-lang=${locale}; Path=/admin; Max-Age=${COOKIE_AGE}; HttpOnly; SameSite=Lax`;
}

/**
 * The panel's texts in the language that somebody has chosen in this browser, else in the one that the
 * browser prefers, else in the restaurant's default language.
 */
export function chooseTexts(headers: ReadonlyMap<string, string>, defaultLocale: Locale): Texts {
  const chosen = COOKIE.exec(headers.get('cookie') ?? '')?.[1] ?? '';
  if (isLocale(chosen)) return LANGUAGES[chosen];
  const available = [defaultLocale, ...LOCALES.filter((locale) => locale !== defaultLocale)];
  const wish = preferredLanguage(headers.get('accept-language') ?? '', available);
  return LANGUAGES[wish ?? defaultLocale];
}

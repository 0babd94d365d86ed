import * as v from 'valibot';
import { keysOf, objectOf } from '../../runtime/keys.ts';
import { isObject } from './row.ts';

/** The languages that menus have by default (SPEC, "What the service does", 7). */
export const LOCALES = ['it', 'en', 'fr', 'de', 'es'] as const;

/**
 * The languages in which a menu can be published, as BCP 47 tags. Their order is stored: new ones come
 * last.
 */
export const ALL_LOCALES = [
  ...LOCALES,
  ...(['pt', 'nl', 'pl', 'cs', 'sk', 'hu', 'ro', 'bg', 'el', 'tr', 'az', 'ru', 'uk'] as const),
  ...(['ar', 'he', 'fa', 'ur', 'hi', 'zh-Hans', 'zh-Hant', 'ja', 'ko', 'th', 'vi'] as const),
  ...(['sv', 'da', 'nb', 'fi', 'is', 'et', 'lv', 'lt', 'hr', 'sl', 'sr', 'bs', 'mk'] as const),
  ...(['sq', 'hy', 'ka', 'ca', 'eu', 'gl', 'ga', 'mt', 'lb', 'rm'] as const),
] as const;

export const localeSchema = v.picklist(ALL_LOCALES);
export type Locale = v.InferOutput<typeof localeSchema>;

/** A text in some of the languages: locale code to string. */
export const translationsSchema = v.record(localeSchema, v.string());
export type Translations = Partial<Record<Locale, string>>;

const PLACES: ReadonlyMap<string, number> = new Map(
  ALL_LOCALES.map((locale, place) => [locale, place]),
);

const isTexts = (value: unknown): value is Translations => isObject(value);

/** The texts of a field that has one in each of some languages; none where it has no such value. */
export function textsIn(value: unknown): Translations {
  return isTexts(value) ? value : {};
}

/** Whether texts stand in the fixed order of the languages, none of them blank. */
function isInOrder(texts: Translations): boolean {
  let last = -1;
  for (const code of keysOf(texts)) {
    const place = PLACES.get(code) ?? -1;
    if (place <= last || !texts[code]) return false;
    last = place;
  }
  return true;
}

/** In the fixed order of the languages, so that equal data give equal bytes; without blank texts. */
export function inOrder(texts: Translations): Translations {
  if (isInOrder(texts)) return texts;
  const present = keysOf(texts).filter((code) => PLACES.has(code));
  present.sort((a, b) => Number(PLACES.get(a)) - Number(PLACES.get(b)));
  const ordered: Translations = {};
  for (const locale of present) if (texts[locale]) ordered[locale] = texts[locale];
  return ordered;
}

/** The language that texts fall back to in a restaurant that has chosen no other. */
export const FALLBACK_LOCALE: Locale = 'it';

/** The language of a request: one of ours, or one that no menu can have (in the words of BCP 47). */
export type RequestedLocale = Locale | 'und';

export function isLocale(code: string): code is Locale {
  return PLACES.has(code);
}

const BY_SMALL_LETTERS = new Map(ALL_LOCALES.map((locale) => [locale.toLowerCase(), locale]));

/** The language that a request names, in any letter case, as BCP 47 says; it may be none of ours. */
export function requestedLocale(code: string): RequestedLocale {
  return BY_SMALL_LETTERS.get(code.toLowerCase()) ?? 'und';
}

/** The languages that decide which of its translations a text is read in. */
interface Reading {
  locale: Locale;
  /** The restaurant's `fallback_locale`. */
  fallback: Locale;
  /** The restaurant's `default_locale`. */
  usual: Locale;
}

/**
 * The text that a reader of `locale` sees: the requested language, else the restaurant's fallback, else
 * its default, else any that there is, else the empty string. Blank texts count as missing.
 */
export function localize(texts: Translations, { locale, fallback, usual }: Reading): string {
  const first = texts[locale] || texts[fallback] || texts[usual];
  return first || Object.values(inOrder(texts))[0] || '';
}

/** A reading for somebody of the house, whose own language is the only wish. */
export function readingIn(locale: Locale, fallback: Locale = FALLBACK_LOCALE): Reading {
  return { locale, fallback, usual: locale };
}

const RIGHT_TO_LEFT: ReadonlySet<Locale> = new Set(['ar', 'he', 'fa', 'ur']);

/** The direction in which a language is written, as the attribute `dir` names it. */
export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(locale) ? 'rtl' : 'ltr';
}

function nameOf(locale: Locale): string {
  const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale;
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}

/** How each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = objectOf(ALL_LOCALES, nameOf);

import * as v from 'valibot';

/** The languages in which a menu can be published (SPEC, "What the service does", 7). */
export const LOCALES = ['it', 'en', 'fr', 'de', 'es'] as const;

export const localeSchema = v.picklist(LOCALES);
export type Locale = v.InferOutput<typeof localeSchema>;

/** A text in some of the languages: locale code to string. */
export const translationsSchema = v.record(localeSchema, v.string());
export type Translations = Partial<Record<Locale, string>>;

/** In the fixed order of the languages, so that equal data give equal bytes; without blank texts. */
export function inOrder(texts: Translations): Translations {
  return Object.fromEntries(
    LOCALES.flatMap((locale) => (texts[locale] ? [[locale, texts[locale]]] : [])),
  );
}

/** The language that every text falls back to before the restaurant's own. */
export const FALLBACK_LOCALE: Locale = 'it';

export function isLocale(code: string): code is Locale {
  return (LOCALES as readonly string[]).includes(code);
}

/**
 * The text that a reader of `locale` sees: the requested language, else Italian, else the
 * restaurant's default, else any that there is, else the empty string. Blank texts count as missing.
 */
export function localize(texts: Translations, locale: Locale, defaultLocale: Locale): string {
  for (const candidate of [locale, FALLBACK_LOCALE, defaultLocale, ...LOCALES]) {
    const text = texts[candidate];
    if (text) return text;
  }
  return '';
}

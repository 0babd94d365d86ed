import type { Locale } from '../../db/schema/values/locale.ts';
import { preferredLanguage } from '../http/negotiation.ts';
import { parseQuery } from '../http/query.ts';
import type { PageContext } from '../pipeline/route.ts';

/** The page's script sets this cookie when a guest chooses a language. */
const COOKIE = /(?:^|;)\s*lang=([A-Za-z]{2}(?:-[A-Za-z]{4})?)\s*(?:;|$)/;

/**
 * The language of a guest's page: the address's `lang`, else the cookie's, else what the browser
 * prefers, else the restaurant's default.
 */
export function chooseLocale({ query, headers, snapshot }: PageContext): Locale {
  const { supportedLocales, defaultLocale } = snapshot.tenant;
  const cookie = COOKIE.exec(headers.get('cookie') ?? '')?.[1];
  for (const wish of [query && parseQuery(query).get('lang'), cookie]) {
    const locale = supportedLocales.find((code) => code.toLowerCase() === wish?.toLowerCase());
    if (locale) return locale;
  }
  const others = supportedLocales.filter((code) => code !== defaultLocale);
  const available = supportedLocales.includes(defaultLocale) ? [defaultLocale, ...others] : others;
  return preferredLanguage(headers.get('accept-language') ?? '', available) ?? defaultLocale;
}

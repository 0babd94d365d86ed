import Negotiator from 'negotiator';
import type { Locale } from '../../../db/schema/locale.ts';
import { english } from './en.ts';
import { italian } from './it.ts';
import type { Texts } from './texts.ts';

const LANGUAGES: Record<string, Texts> = { it: italian, en: english };

/**
 * The texts in the language that a browser prefers (RFC 9110, 12.5.4). When it names none of ours,
 * they are Italian if the restaurant's default language is, and English otherwise.
 */
export function chooseTexts(acceptLanguage: string, defaultLocale: Locale): Texts {
  const available = defaultLocale === 'it' ? ['it', 'en'] : ['en', 'it'];
  const negotiator = new Negotiator({ headers: { 'accept-language': acceptLanguage } });
  const [byDefault = 'en'] = available;
  return LANGUAGES[negotiator.language(available) ?? byDefault] ?? english;
}

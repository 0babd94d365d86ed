import type { Locale } from '../../../db/schema/locale.ts';
import { preferredLanguage } from '../../http/preferred-language.ts';
import { english } from './en.ts';
import { italian } from './it.ts';
import type { Texts } from './texts.ts';

const LANGUAGES: Record<'it' | 'en', Texts> = { it: italian, en: english };

/**
 * The language that a browser likes best among those that the panel speaks. Without a wish that can
 * be met it is Italian where the restaurant's menu is, else English.
 */
export function chooseTexts(acceptLanguage: string, defaultLocale: Locale): Texts {
  const byDefault = defaultLocale === 'it' ? 'it' : 'en';
  const available = byDefault === 'it' ? (['it', 'en'] as const) : (['en', 'it'] as const);
  return LANGUAGES[preferredLanguage(acceptLanguage, available) ?? byDefault];
}

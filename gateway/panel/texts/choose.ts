import type { Locale } from '../../../db/schema/locale.ts';
import { english } from './en.ts';
import { italian } from './it.ts';
import type { Texts } from './texts.ts';

const LANGUAGES: Record<string, Texts> = { it: italian, en: english };

/**
 * The language that a browser likes best among those that the panel speaks (RFC 9110, 12.5.4).
 * Without a wish that can be met it is Italian where the restaurant's menu is, else English.
 */
export function chooseTexts(acceptLanguage: string, defaultLocale: Locale): Texts {
  let best: Texts | undefined;
  let bestWeight = 0;
  for (const wish of acceptLanguage.toLowerCase().split(',')) {
    const [, language = '', q = '1'] =
      /^\s*([a-z]{2,3})(?:-[^;]*)?(?:\s*;\s*q=([\d.]+))?/.exec(wish) ?? [];
    const texts = LANGUAGES[language];
    if (texts && Number(q) > bestWeight) {
      best = texts;
      bestWeight = Number(q);
    }
  }
  return best ?? (defaultLocale === 'it' ? italian : english);
}

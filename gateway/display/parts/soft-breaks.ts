import { createRequire } from 'node:module';
import { memoize } from '../../../db/runtime/memoize.ts';
import type { Locale } from '../../../db/schema/values/locale.ts';

// Browsers break words by `hyphens: auto` where they have a dictionary of the language, and many have
// none. So words that are longer than a line of a narrow phone get soft hyphens.

/** Words with fewer letters fit beside a price, in any type. */
const LONG = /\p{L}{12,}/gu;

/** Names of pattern files that differ from the language's own. */
const PATTERNS: Partial<Record<Locale, string>> = { en: 'en-gb', bs: 'hr' };

type Hyphenate = (text: string, options: { minWordLength: number }) => string;

const load = createRequire(import.meta.url);

/** The function that hyphenates words of a language; null where there are no patterns for it. */
const hyphenatorOf = memoize((locale: Locale): Hyphenate | null => {
  try {
    return load(`hyphen/${PATTERNS[locale] ?? locale}`).hyphenateSync;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
});

/** A text with soft hyphens in its longest words. */
export function softBreaks(text: string, locale: Locale): string {
  if (text.search(LONG) < 0) return text;
  const hyphenate = hyphenatorOf(locale);
  if (!hyphenate) return text;
  return text.replace(LONG, (word) => hyphenate(word, { minWordLength: 12 }));
}

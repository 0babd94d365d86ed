import { createRequire } from 'node:module';
import { keysOf } from '../../../db/runtime/keys.ts';
import { memoize } from '../../../db/runtime/memoize.ts';
import type { Locale, Translations } from '../../../db/schema/values/locale.ts';
import { type Content, type Html, html } from '../../http/html.ts';

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

/** A text of the restaurant's on a line with other texts: its letters cannot change their direction. */
export function isolated(text: string): Html {
  return html`<span class="own">${text}</span>`;
}

/** Such texts with a dot between them; those that are empty are left out. */
export function sideBySide(...texts: readonly string[]): Content {
  return texts.filter(Boolean).map((text, index) => [index > 0 && ' · ', isolated(text)]);
}

/** A web address as it may stand in a link or picture, else the empty string. */
export function webAddress(text: string | null): string {
  return text !== null && /^https?:\/\//i.test(text) ? text : '';
}

/** The language in which a reader of `locale` gets a text; null where that is not known. */
function languageOf(value: string, translations: Translations, locale: Locale): Locale | null {
  if (translations[locale]) return locale;
  return keysOf(translations).find((one) => translations[one] === value) ?? null;
}

/**
 * The `lang` attribute of a text that the menu does not have in the reader's language; nothing for
 * the others.
 */
export function foreignLang(value: string, translations: Translations, locale: Locale): Content {
  const lang = languageOf(value, translations, locale);
  return lang !== null && lang !== locale && html` lang="${lang}"`;
}

/** A text whose longest words can be broken at the end of a line, in any browser. */
export function breakable(value: string, translations: Translations, locale: Locale): string {
  const lang = languageOf(value, translations, locale);
  return lang === null ? value : softBreaks(value, lang);
}

/** The element around a text, its class and further attributes. */
interface Frame {
  tag: string;
  className?: string;
  attributes?: Content;
  /** Instead of the text alone. */
  content?: Content;
}

/**
 * A text of the restaurant's in an element; null when there is none. It says its language where that
 * is not the reader's; its direction follows its letters.
 */
export function translated(
  value: string,
  translations: Translations,
  locale: Locale,
  { tag, className, attributes, content }: Frame,
): Html | null {
  if (!value) return null;
  const lang = foreignLang(value, translations, locale);
  const named = className !== undefined && html` class="${className}"`;
  return html`<${tag}${named}${lang} dir="auto"${attributes ?? null}>${content ?? breakable(value, translations, locale)}</${tag}>`;
}

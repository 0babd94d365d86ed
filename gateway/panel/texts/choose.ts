import {
  isLocale,
  LANGUAGE_NAMES,
  type Locale,
  localize,
  readingIn,
  type Translations,
  textsIn,
} from '../../../db/schema/values/locale.ts';
import type { Row } from '../../../db/schema/values/row.ts';
import { isPanelLanguage, isTextKey, type PanelLanguage } from '../../../db/texts/catalogues.ts';
import { type Say, sayIn } from '../../../db/texts/say.ts';
import { readerLanguage } from '../../http/negotiation.ts';

/** How dates are written: in English as in Europe, with the day before the month. */
export function dateLocale(language: PanelLanguage): string {
  return language === 'en' ? 'en-GB' : language;
}

const COOKIE = /(?:^|;)[ \t]*lavagna-lang=([a-z]{2})[ \t]*(?:;|$)/;
/** A year, in seconds. */
const COOKIE_AGE = 31_536_000;

/** The Set-Cookie header that keeps a choice of language. */
export function setLanguageCookie(locale: PanelLanguage, secure: boolean): string {
  const only = secure ? '; Secure' : '';
  return `lavagna-lang=${locale}; Path=/admin; Max-Age=${COOKIE_AGE}; HttpOnly; SameSite=Lax${only}`;
}

/**
 * The language that somebody has chosen in this browser, else in the one that the
 * browser prefers, else in the restaurant's default language.
 */
export function requestLanguage(headers: ReadonlyMap<string, string>, defaultLocale: Locale) {
  const chosen = COOKIE.exec(headers.get('cookie') ?? '')?.[1] ?? '';
  if (isPanelLanguage(chosen)) return chosen;
  return readerLanguage(headers, defaultLocale);
}

/** A name in one or in several languages, as a page shows it. */
export function nameIn(name: string | Translations, language: Locale): string {
  return typeof name === 'string' ? name : localize(name, readingIn(language));
}

/** A name as a body has it: texts by language, or one in the default language. */
export function sentName(name: unknown, language: Locale): string {
  return nameIn(typeof name === 'string' ? name : textsIn(name), language);
}

/** The name of a record on a page: in the page's language where it has one. */
export function recordName(data: Row, language: PanelLanguage): string {
  const texts = data.name_translations && textsIn(data.name_translations);
  if ('alt_translations' in data) {
    const shows = nameIn(textsIn(data.alt_translations), language);
    return shows || sayIn(language)('photos.numbered', { n: Number(data.id) });
  }
  return nameIn(texts ?? String(data.name ?? ''), language);
}

/** The topics of words whose field has another name. */
const TOPICS: Readonly<Record<string, string>> = { traces: 'allergens', kind: 'origin_kinds' };

/** The text for a word of a choice; the word itself when it has no text yet. */
export function sayWord(say: Say, field: string, word: string): string {
  if (/_locales?$/.test(field) && isLocale(word)) return LANGUAGE_NAMES[word];
  const topic = TOPICS[field] ?? field;
  const key = [`words.${topic}.${word}`, `${topic}.${word}`].find(isTextKey);
  return key ? say(key) : word;
}

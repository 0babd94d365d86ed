import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { described } from './validation/described-as.ts';
import { ALL_LOCALES, type Locale, type Translations } from './values/locale.ts';

/** The settings that say which text is the source of the others. */
export interface SourceLanguages {
  fallback_locale: Locale;
  default_locale: Locale;
}

/** A text and its language. */
export interface Source {
  locale: Locale;
  text: string;
}

/**
 * The text that a translation into `locale` is made from: the fallback's, else the default's, else any;
 * null when there is none.
 */
export function sourceOf(
  texts: Translations,
  locale: Locale | null,
  { fallback_locale, default_locale }: SourceLanguages,
): Source | null {
  const order = [fallback_locale, default_locale, ...ALL_LOCALES];
  const from = order.find((one) => one !== locale && texts[one]);
  const text = from && texts[from];
  return from && text ? { locale: from, text } : null;
}

/** The digest of a text, 22 characters. */
export function textDigest(...parts: readonly string[]): string {
  return createHash('md5').update(JSON.stringify(parts)).digest('base64url');
}

/** Names a translation together with its source. */
export function pairOf(locale: Locale, source: string, text: string): string {
  return textDigest(locale, source, text);
}

/** A translation whose pair with its source is another one now. */
export interface MovedPair {
  /** The pair that is gone. */
  was: string;
  /** The new pair of a translation whose source alone changed; null for one that changed itself. */
  pair: string | null;
  /** Digests of the source before and now. */
  source: string;
  now: string;
}

/** A translation whose source has changed since, as documents have it. */
export const staleTextSchema = v.object(
  {
    locale: described(v.picklist(ALL_LOCALES, 'invalid'), 'The language of the translation.'),
    source: described(v.string('string'), 'The source as it is.'),
    text: described(v.string('string'), 'The translation, which does not fit it any more.'),
  },
  'object',
);
export type StaleText = v.InferOutput<typeof staleTextSchema>;

/** Whether a translation is missing, has a source that changed since, or is done. */
export const TRANSLATION_STATES = ['missing', 'stale', 'done'] as const;
export type TranslationState = (typeof TRANSLATION_STATES)[number];

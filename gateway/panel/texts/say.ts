import type { Labels } from '../../../db/schema/field.ts';
import type { Locale } from '../../../db/schema/locale.ts';

/**
 * A text in the language of the page, with its placeholders filled in: `{n}` by the value itself,
 * `{n:dish|dishes}` by the word that stands beside such a number.
 */
export type Say = (text: Labels, values?: Readonly<Record<string, string | number>>) => string;

const PLACEHOLDER = /\{(\w+)(?::([^{|}]*)\|([^{|}]*))?\}/g;

/** In French these stand behind a space, or before one, at which no line may end. */
const FRENCH_SPACE = / (?=[:;?!»])|(?<=«) /g;

function spaced(text: string): string {
  return text.replace(FRENCH_SPACE, '\u00A0');
}

/** French texts, and what makes them, with spaces at which no line ends where French wants them. */
export function withFrenchSpaces<T>(texts: T): T {
  const change = (value: unknown): unknown => {
    if (typeof value === 'string') return spaced(value);
    if (typeof value === 'function') return (...args: unknown[]) => change(value(...args));
    return Object.fromEntries(Object.entries(value as object).map(([k, v]) => [k, change(v)]));
  };
  return change(texts) as T;
}

export function sayIn(locale: Locale): Say {
  const plurals = new Intl.PluralRules(locale);
  return (text, values = {}) => {
    const said = text[locale].replace(
      PLACEHOLDER,
      (whole, name: string, one?: string, more?: string) => {
        const value = values[name];
        if (value === undefined) return whole;
        const word = plurals.select(Number(value)) === 'one' ? one : more;
        return word ?? String(value);
      },
    );
    return locale === 'fr' ? spaced(said) : said;
  };
}

import { IntlMessageFormat } from 'intl-messageformat';
import { type PanelLanguage, type TextKey, textsByKey } from './catalogues.ts';

/** Values for the placeholders of a text, by name. */
export type Values = Readonly<Record<string, string | number>>;

/**
 * A text in one language, its placeholders filled in. A text is an ICU message: `{n}` is the value as
 * it is, `{n, number}` and `{n, plural, one {dish} other {dishes}}` follow the rules of the language.
 *
 * @throws {Error} when a value is missing
 */
export type Say = (key: TextKey, values?: Values) => string;

/** A function that fills in the placeholders of a text as its language does. */
export function compile(text: string, locale: string): (values: Values) => string {
  const message = new IntlMessageFormat(text, locale, undefined, { ignoreTag: true });
  return (values) => String(message.format(values));
}

/** By language: a text is read once (0.06 to 0.2 ms) and filled in often (0.6 µs). */
const compiled = new Map<PanelLanguage, Map<TextKey, (values: Values) => string>>();

export function sayIn(locale: PanelLanguage): Say {
  const texts = textsByKey(locale);
  const known = compiled.get(locale) ?? new Map<TextKey, (values: Values) => string>();
  compiled.set(locale, known);
  return (key, values = {}) => {
    const text = texts.get(key) as string;
    if (!text.includes('{')) return text;
    const fill = known.get(key) ?? compile(text, locale);
    known.set(key, fill);
    return fill(values);
  };
}

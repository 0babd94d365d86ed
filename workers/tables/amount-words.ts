import prices from '../../db/schema/words/prices.json' with { type: 'json' };
import { squeezed, wordsOf } from '../../db/schema/words/read-words.ts';

// The words around the number of a cell: currencies, units, and words that stand in place of a price.

/** The most characters of a cell that says an amount: longer ones are texts. */
export const MAX_SAID = 100;

const CODES = Intl.supportedValuesOf('currency').map((code) => code.toLowerCase());
const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const longestFirst = (words: readonly string[]) =>
  [...new Set(words)].sort((one, other) => other.length - one.length);
/** A word is no part of another one; scripts of East Asia have no blanks between words. */
const bounded = (word: string) => {
  if (/[\p{Script=Han}\p{Script=Hangul}]/u.test(word)) return escaped(word);
  const begins = /^\p{L}/u.test(word) ? '(?<!\\p{L})' : '';
  return `${begins}${escaped(word)}${/\p{L}$/u.test(word) ? "\\.?(?![\\p{L}'’])" : ''}`;
};
const words = longestFirst(
  [...wordsOf(prices.currencies), ...CODES].map((one) => one.normalize('NFKC')),
);
/** Signs with the letters of their country, as in `NT$`, codes and words of currencies. */
const CURRENCY = new RegExp(`\\p{L}{0,3}\\p{Sc}|${words.map(bounded).join('|')}`, 'giu');
const whole = new Set(wordsOf(prices.whole).map((one) => one.normalize('NFKC')));

/** Whether amounts in a currency have no decimals in everyday use: `25.000` is a whole number then. */
export const isWhole = (currency: string) => whole.has(currency.toLowerCase().replace(/\.$/, ''));

/** A text without its currencies, and the first of them. */
export function withoutCurrency(text: string): { rest: string; currency: string } {
  let currency = '';
  const rest = text.replace(CURRENCY, (found) => {
    currency ||= found;
    return ' ';
  });
  return { rest: rest.replace(/\s+/g, ' ').trim(), currency };
}

const onRequest = new Set(wordsOf(prices.on_request).map(squeezed));
const from = new Set(wordsOf(prices.from).map(squeezed));

/** Whether a cell says that the price is asked for. */
export const isOnRequest = (text: string) => onRequest.has(squeezed(text));
/** Whether a word says that the price is the lowest of several. */
export const isFrom = (text: string) => from.has(squeezed(text));

/** Units with a word before them, by their squeezed text, and those that stand alone. */
const units = new Map<string, string>();
const bare = new Map<string, string>();
for (const [unit, list] of Object.entries(prices.units)) {
  for (const word of wordsOf(list).map(squeezed)) {
    bare.set(word, unit);
    for (const per of wordsOf(prices.per)) units.set(`${squeezed(per)}${word}`, unit);
  }
}
for (const [word, unit] of Object.entries(prices.alone_units)) units.set(squeezed(word), unit);

/** The unit that words beside a price name; undefined for other words. */
export function unitOf(text: string): string | undefined {
  const word = squeezed(text);
  return text.trimStart().startsWith('/') ? bare.get(word) : units.get(word);
}

const energy = wordsOf(prices.energy).map(escaped).join('|');
const ENERGY = new RegExp(`([0-9][0-9.,'’\\s]*?)\\s*(?:${energy})(?!\\p{L})`, 'iu');

/** The number of a cell such as `450 kcal / 1883 kJ`; null without the word. */
export const energyIn = (text: string): string | null =>
  text.length > MAX_SAID ? null : (ENERGY.exec(text)?.[1] ?? null);

import { currencyDecimals } from '../schema/values/currency.ts';
import { inOrder, type Translations } from '../schema/values/locale.ts';
import { fieldsOf, type State, type Text } from './in-menu.ts';
import type { Reported } from './report.ts';

// Texts and prices of services as values of here.

/** The most of each kind that a record may have; texts in characters. */
export const MOST = {
  ...{ name: 200, text: 2_000, label: 100, sizes: 12, options: 60, groups: 8, offers: 6 },
  ...{ courses: 12, hours: 8 },
  // Many set menus may name one bundle: a menu has not more options of courses than this.
  courseOptions: 100_000,
};

/**
 * Texts by language over those that are here, in the language that names need at least.
 *
 * @param max the most characters; where it is less than `MOST.text`, texts stand on one line
 */
export function texts(
  { options, losses }: State,
  text: Text,
  present: unknown,
  record: Reported,
  field: string,
  max: number,
) {
  const given = typeof text === 'string' ? { [options.locale]: text } : text;
  const cut = Object.entries(given).map(([code, one = '']) => {
    const line = max < MOST.text ? one.replace(/\s+/g, ' ') : one;
    return [code, losses.cut(record, field, line.trim(), max)] as const;
  });
  const merged: Translations = { ...fieldsOf(present), ...Object.fromEntries(cut) };
  if (field === 'name' && !merged[options.fallback]) {
    merged[options.fallback] = cut.map(([, one]) => one).find(Boolean) ?? '';
    losses.lossy(record, field, 'languageAssumed');
  }
  return inOrder(merged);
}

/** An amount of a service as a price of here; null where it is not known. */
export function priceOf(state: State, amount: number | null): number | null {
  if (amount === null || state.isForeign) return null;
  const rounded = Number(amount.toFixed(currencyDecimals(state.options.currency)));
  // Binary fractions come with a tail; a real third decimal stays, and is refused.
  return Math.abs(rounded - amount) < 1e-6 ? rounded : amount;
}

/** Why a price is not taken. */
export const whyNoPrice = (state: State) => (state.isForeign ? 'currencyMismatch' : 'noPrice');

/** Parts of a document that are looked at in one step. */
const PARTS_OF_STEP = 1_000;

/** The currencies that the prices of a document name, in capital letters. */
export function* currenciesIn(source: unknown): Generator<void, Set<string>> {
  const found = new Set<string>();
  const left: unknown[] = [source];
  for (let count = 1; left.length > 0; count += 1) {
    const part = left.pop();
    if (typeof part !== 'object' || part === null) continue;
    for (const [name, value] of Object.entries(part)) {
      if (typeof value === 'object') left.push(value);
      else if (/^currency(_?code)?$/i.test(name) && typeof value === 'string' && value !== '') {
        found.add(value.toUpperCase());
      }
    }
    if (count % PARTS_OF_STEP === 0) yield;
  }
  return found;
}

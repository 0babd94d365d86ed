import { currencyDecimals } from '../schema/values/currency.ts';
import { inOrder, type Translations } from '../schema/values/locale.ts';
import {
  fieldsOf,
  type InGroup,
  type InOption,
  isEmptyText,
  type State,
  type Text,
} from './in-menu.ts';
import type { Reported } from './report.ts';

// Texts and prices of services as values of here.

/** The most of each kind that a record may have; texts in characters. */
export const MOST = {
  ...{ name: 200, text: 2_000, label: 100, sizes: 12, options: 60, groups: 8, offers: 6 },
  ...{ courses: 12, hours: 8 },
  // Many set menus may name one bundle: a menu has not more options of courses than this.
  courseOptions: 100_000,
};

/** Texts by language, short enough for a field. @param isLine whether each stands on one line */
function cutTexts(
  { options, losses }: State,
  text: Text,
  record: Reported,
  field: string,
  max: number,
  isLine: boolean,
): Translations {
  const given = typeof text === 'string' ? { [options.locale]: text } : text;
  return Object.fromEntries(
    Object.entries(given).map(([code, one = '']) => {
      const line = isLine ? one.replace(/\s+/g, ' ') : one;
      return [code, losses.cut(record, field, line.trim(), max)];
    }),
  );
}

/** Texts by language over those that are here, in the language that names need at least. */
export function texts(
  state: State,
  text: Text,
  present: unknown,
  record: Reported,
  field: string,
  max: number,
) {
  const cut = cutTexts(state, text, record, field, max, field === 'name');
  const merged: Translations = { ...fieldsOf(present), ...cut };
  if (field === 'name' && !merged[state.options.fallback]) {
    merged[state.options.fallback] = Object.values(cut).find(Boolean) ?? '';
    state.losses.lossy(record, field, 'languageAssumed');
  }
  return inOrder(merged);
}

/** A label of a list over the one that is here. */
export function labelOf(
  state: State,
  text: Text,
  present: unknown,
  record: Reported,
  field: string,
  max: number,
): Translations {
  return inOrder({
    ...fieldsOf(present),
    ...cutTexts(state, text, record, field, max, true),
  });
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

/** The options of a group that have names, as many as there may be. */
export function optionsOf(
  state: State,
  group: InGroup,
  record: Reported,
  field: string,
): InOption[] {
  // Many dishes may name one long group: its end is not read for each of them.
  const read = group.options.slice(0, 2 * MOST.options);
  const named = read.filter(({ name }) => !isEmptyText(name));
  if (named.length < read.length) state.losses.lossy(record, field, 'noName');
  if (named.length > MOST.options) state.losses.lossy(record, field, 'tooMany');
  return named.slice(0, MOST.options);
}

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

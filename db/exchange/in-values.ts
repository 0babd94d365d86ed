import type { Loss } from '../schema/exchange-report.ts';
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
};

/** Texts by language over those that are here, in the language that names need at least. */
export function texts(
  state: State,
  text: Text,
  present: unknown,
  record: Reported,
  field: string,
  max: number,
) {
  const given = typeof text === 'string' ? { [state.options.locale]: text } : text;
  const cut = Object.fromEntries(
    Object.entries(given).map(([code, one = '']) => {
      const line = field === 'name' ? one.replace(/\s+/g, ' ').trim() : one.trim();
      return [code, state.losses.cut(record, field, line, max)];
    }),
  );
  const merged: Translations = { ...fieldsOf(present), ...cut };
  if (field === 'name' && !merged[state.options.fallback]) {
    merged[state.options.fallback] = Object.values(cut).find(Boolean) ?? '';
    state.losses.lossy(record, field, 'languageAssumed');
  }
  return inOrder(merged);
}

/** A label of a list: a plain text keeps the translations that are here. */
export function labelOf(
  state: State,
  text: Text,
  record: Reported,
  field: string,
  max: number,
): Text {
  const cut = (one: string) =>
    state.losses.cut(record, field, one.replace(/\s+/g, ' ').trim(), max);
  if (typeof text === 'string') return cut(text);
  const entries = Object.entries(text).map(([code, one = '']) => [code, cut(one)] as const);
  const [only, second] = entries;
  if (only && !second && only[0] === state.options.locale) return only[1];
  return Object.fromEntries(entries);
}

/** An amount of a service as a price of here; null where it is not known. */
export function priceOf(state: State, amount: number | null): number | null {
  if (amount === null || state.isForeign) return null;
  const rounded = Number(amount.toFixed(currencyDecimals(state.options.currency)));
  // Binary fractions come with a tail; a real third decimal stays, and is refused.
  return Math.abs(rounded - amount) < 1e-6 ? rounded : amount;
}

/** Why a price is not taken. */
export const whyNoPrice = (state: State): Loss =>
  state.isForeign ? 'currencyMismatch' : 'noPrice';

/** The options of a group that have names, as many as there may be. */
export function optionsOf(
  state: State,
  group: InGroup,
  record: Reported,
  field: string,
): InOption[] {
  const named = group.options.filter(({ name }) => !isEmptyText(name));
  if (named.length < group.options.length) state.losses.lossy(record, field, 'noName');
  if (named.length > MOST.options) state.losses.lossy(record, field, 'tooMany');
  return named.slice(0, MOST.options);
}

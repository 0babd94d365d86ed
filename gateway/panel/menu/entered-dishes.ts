import { currencyDecimals, USUAL_CURRENCY } from '../../../db/schema/values/currency.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import type { Form } from '../form.ts';
import { readPrice } from '../forms/read-draft.ts';

/** The values that somebody has entered in a list of dishes. */
export type EnteredDishes = ReturnType<typeof readEntered>;

/** The steps to which prices are rounded, in the smallest units of the currency. */
const STEPS = [1, 10, 50];
/** Those of a currency with cents, which have texts of their own. */
const CENTS = ['0.01', '0.10', '0.50'] as const;

export function isCents(step: string): step is (typeof CENTS)[number] {
  return CENTS.some((one) => one === step);
}

/** The same in units of a currency. */
export function roundingsOf(currency: string): string[] {
  const decimals = currencyDecimals(currency);
  return STEPS.map((step) => (step / 10 ** decimals).toFixed(decimals));
}

/** In characters. */
const MAX_OFFER_NAME = 100;

/** The values of an untouched list. */
export const NOTHING_ENTERED: EnteredDishes = {
  ...{ shown: new Map(), prices: new Map(), chosen: new Set() },
  ...{ isAll: false, section: '', percent: '', by: 'percent', rounding: '', sizes: new Map() },
  offer: { name: '', days: [], start: '', end: '' },
  currency: USUAL_CURRENCY,
};

/** @param currency of the restaurant */
export function readEntered(form: Form, { currency }: { currency: string }) {
  /** The prices that the list showed, by the ids of their dishes. */
  const shown = new Map<number, number>();
  /** Those that were typed over, as they were typed. */
  const prices = new Map<number, string>();
  /** The prices of sizes that somebody has looked at, by the ids of their dishes. */
  const sizes = new Map<number, readonly number[]>();
  const roundings = roundingsOf(currency);
  for (const [name, [value = '']] of form.all()) {
    const sized = Number(/^sizes\.([1-9]\d{0,9})$/.exec(name)?.[1] ?? 0);
    if (sized > 0) sizes.set(sized, value.split(' ').map(Number));
    const id = Number(/^price\.([1-9]\d{0,9})$/.exec(name)?.[1] ?? 0);
    if (id === 0) continue;
    const was = readPrice(form.text(`was.${id}`), currency);
    shown.set(id, Number(was));
    if (readPrice(value, currency) !== was) prices.set(id, value);
  }
  return {
    shown,
    prices,
    chosen: new Set(form.list('chosen').flatMap((text) => parseRecordId(text) ?? [])),
    /** Every dish of the list is meant, also those that it does not show. */
    isAll: form.text('all') === '1',
    /** The id of a section, as it was sent. */
    section: form.text('section'),
    percent: form.text('percent'),
    /** Whether `percent` is a percentage of prices, or an amount that is added to them. */
    by: form.text('by') === 'amount' ? ('amount' as const) : ('percent' as const),
    /** The offer that has the new prices, where they are to hold at certain times. */
    offer: {
      name: form.text('offer_name').trim().slice(0, MAX_OFFER_NAME),
      /** From 1, Monday, to 7; none for all. */
      days: form.list('offer_days').map(Number),
      start: form.text('offer_start'),
      end: form.text('offer_end'),
    },
    /** To what new prices are rounded. */
    rounding: roundings.find((one) => one === form.text('rounding')) ?? roundings[0] ?? '',
    sizes,
    currency,
  };
}

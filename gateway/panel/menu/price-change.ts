import { certain } from '../../../db/runtime/certain.ts';
import { dish as dishRecord } from '../../../db/schema/dish.ts';
import { sentRows } from '../../../db/schema/lists.ts';
import { currencyDecimals, fitsCurrency } from '../../../db/schema/values/currency.ts';
import type { Locale } from '../../../db/schema/values/locale.ts';
import type { PricedDish } from '../../../db/sql/dishes.ts';
import { type Pricing, writePrice } from '../forms/draft.ts';
import { readPrice } from '../forms/read-draft.ts';
import type { EnteredDishes } from './entered-dishes.ts';

// New prices for several dishes: by a percentage or an amount, for good or as an offer at certain
// times.

/** A number of a sign and at most so many digits, as people write it. */
const NUMBER = /^[+-]?\d{1,9}(\.\d{1,4})?$/;

/** The percentage or the amount that was entered; null when prices cannot be changed by it. */
export function readChange({ percent, by, currency }: EnteredDishes): number | null {
  const text = percent
    .replace(/[\s%\p{Sc}]/gu, '')
    .replace(/[−–]/g, '-')
    .replace(',', '.');
  const number = NUMBER.test(text) ? Number(text) : 0;
  if (number === 0) return null;
  if (by === 'amount') return fitsCurrency(Math.abs(number), currency) ? number : null;
  return number >= -90 && number <= 500 && Number(number.toFixed(2)) === number ? number : null;
}

/** The same in words, such as `+5 %` or `−0,50`. */
export function writeChange(entered: EnteredDishes, pricing: Pricing): string {
  const change = certain(readChange(entered), 'no change of prices was entered');
  const sign = change < 0 ? '−' : '+';
  const size = Math.abs(change);
  if (entered.by === 'amount') return `${sign}${writePrice(size, pricing)}`;
  return `${sign}${size.toLocaleString(pricing.language)} %`;
}

/** A price changed by the percentage or the amount, rounded to a step that people pay with. */
function raise(price: number, entered: EnteredDishes): number {
  const change = certain(readChange(entered), 'no change of prices was entered');
  // A price of 0 was never stated.
  if (price === 0) return 0;
  const decimals = currencyDecimals(entered.currency);
  const step = Math.round(Number(entered.rounding) * 10 ** decimals);
  const rounded = (units: number) => (Math.round(units / step) * step) / 10 ** decimals;
  if (entered.by === 'amount') return rounded(Math.round((price + change) * 10 ** decimals));
  const raised = price * (100 + change);
  // Powers with whole exponents: a factor of 0.1 would make other numbers.
  return rounded(
    Math.round(decimals < 2 ? raised / 10 ** (2 - decimals) : raised * 10 ** (decimals - 2)),
  );
}

/** The prices that are changed: of each size, or of the dish as it was typed or shown. */
export function pricesBefore(
  { id, price, variants }: PricedDish,
  entered: EnteredDishes,
): number[] {
  if (variants.length > 0) return variants.map((size) => size.price);
  const typed = entered.prices.get(id);
  return [
    typed === undefined
      ? (entered.shown.get(id) ?? price)
      : Number(readPrice(typed, entered.currency)),
  ];
}

/** The same after the change. */
export function newPrices(dish: PricedDish, entered: EnteredDishes): number[] {
  return pricesBefore(dish, entered).map((price) => raise(price, entered));
}

/** Whether a dish would cost nothing, or less, after a change. */
export function isTooCheap(dish: PricedDish, entered: EnteredDishes): boolean {
  const before = pricesBefore(dish, entered);
  return newPrices(dish, entered).some((price, at) => price <= 0 && before[at] !== 0);
}

/** A change of a price that has changed meanwhile would make another price. */
export function changePrice(dish: PricedDish, entered: EnteredDishes) {
  const { id, variants } = dish;
  const [before, after] = [pricesBefore(dish, entered), newPrices(dish, entered)];
  if (variants.length === 0) {
    return { data: { price: after[0] }, expected: { price: before[0] } };
  }
  const sizes = (prices: readonly (number | undefined)[]) =>
    sentRows(dishRecord.fields.variants.parts, variants).map((size, index) => ({
      ...size,
      price: prices[index] ?? 0,
    }));
  return {
    data: { variants: sizes(after) },
    expected: { variants: sizes(entered.sizes.get(id) ?? before) },
  };
}

/** Whether a dish has one price, which an offer can stand beside. */
export const takesOffer = (dish: PricedDish, entered: EnteredDishes) =>
  dish.variants.length === 0 && !dish.price_on_request && pricesBefore(dish, entered)[0] !== 0;

/** The new price as an offer beside the usual one. @param locale of its name */
export function addOffer(dish: PricedDish, entered: EnteredDishes, locale: Locale) {
  const { name, days, start, end } = entered.offer;
  const offers = sentRows(dishRecord.fields.offers.parts, dish.offers);
  const offer = {
    label: name === '' ? {} : { [locale]: name },
    price: newPrices(dish, entered)[0],
    weekdays: days.length === 0 ? null : days,
    ...{ time_start: start, time_end: end, date_start: null, date_end: null },
  };
  return {
    data: { offers: [...offers, offer] },
    expected: { offers, price: pricesBefore(dish, entered)[0] },
  };
}

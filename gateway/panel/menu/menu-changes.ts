import { certain } from '../../../db/runtime/certain.ts';
import { currencyDecimals, USUAL_CURRENCY } from '../../../db/schema/values/currency.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import type { Row } from '../../../db/schema/values/row.ts';
import type { PricedDish } from '../../../db/sql/dishes.ts';
import type { Form } from '../form.ts';
import { readPrice } from '../forms/read-draft.ts';
import { SPANS, type Span } from '../service/service-page.ts';
import type { PanelOperation } from '../writes/save-many.ts';

/** The values that somebody has entered in a list of dishes. */
export interface EnteredDishes {
  /** The prices that the list showed, by the ids of their dishes. */
  shown: ReadonlyMap<number, number>;
  /** Those that were typed over, as they were typed. */
  prices: ReadonlyMap<number, string>;
  chosen: ReadonlySet<number>;
  /** Every dish of the list is meant, also those that it does not show. */
  isAll: boolean;
  /** The id of a section, as it was sent. */
  section: string;
  percent: string;
  /** To what new prices are rounded. */
  rounding: string;
  /** Of the prices. */
  currency: string;
  /** The prices of sizes that somebody has looked at, by the ids of their dishes. */
  sizes: ReadonlyMap<number, readonly number[]>;
}

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

/** The values of an untouched list. */
export const NOTHING_ENTERED: EnteredDishes = {
  ...{ shown: new Map(), prices: new Map(), chosen: new Set() },
  ...{ isAll: false, section: '', percent: '', rounding: '', sizes: new Map() },
  currency: USUAL_CURRENCY,
};

/** @param currency of the restaurant */
export function readEntered(form: Form, { currency }: { currency: string }): EnteredDishes {
  const shown = new Map<number, number>();
  const prices = new Map<number, string>();
  const sizes = new Map<number, number[]>();
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
    isAll: form.text('all') === '1',
    section: form.text('section'),
    percent: form.text('percent'),
    rounding: roundings.find((one) => one === form.text('rounding')) ?? roundings[0] ?? '',
    sizes,
    currency,
  };
}

/** The percentage that was entered; null when it is none that prices can be changed by. */
export function readPercent({ percent }: EnteredDishes): number | null {
  const text = percent.replace(/[\s%]/g, '').replace(/[−–]/g, '-').replace(',', '.');
  if (!/^[+-]?\d{1,3}(\.\d{1,2})?$/.test(text)) return null;
  const number = Number(text);
  return number >= -90 && number <= 500 && number !== 0 ? number : null;
}

/** The buttons that say for how long a dish is sold out. */
const SOLD_OUT = SPANS.map((span) => `sold-out-${span}` as const);

/** The actions of the buttons for one dish, or for several. */
export const ACTIONS = ['show', 'hide', 'available', 'move', 'percent', ...SOLD_OUT] as const;
export type DishAction = (typeof ACTIONS)[number];

/** A price changed by a percentage, rounded to a step that people pay with. */
function raise(price: number, entered: EnteredDishes): number {
  const percent = certain(readPercent(entered), 'no percentage was entered');
  const decimals = currencyDecimals(entered.currency);
  const raised = price * (100 + percent);
  // Powers with whole exponents: a factor of 0.1 would make other numbers.
  const units = Math.round(
    decimals < 2 ? raised / 10 ** (2 - decimals) : raised * 10 ** (decimals - 2),
  );
  const step = Math.round(Number(entered.rounding) * 10 ** decimals);
  return (Math.round(units / step) * step) / 10 ** decimals;
}

/** The prices that a percentage is of: of each size, or of the dish as it was typed or shown. */
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

/** The same after the percentage. */
export function newPrices(dish: PricedDish, entered: EnteredDishes): number[] {
  return pricesBefore(dish, entered).map((price) => raise(price, entered));
}

/** A percentage of a price that has changed meanwhile would be another price. */
function changePrice(dish: PricedDish, entered: EnteredDishes) {
  const { id, variants } = dish;
  const [before, after] = [pricesBefore(dish, entered), newPrices(dish, entered)];
  if (variants.length === 0) {
    return { data: { price: after[0] }, expected: { price: before[0] } };
  }
  const sizes = (prices: readonly (number | undefined)[]) =>
    variants.map(({ label_translations: label }, index) => ({ label, price: prices[index] ?? 0 }));
  return {
    data: { variants: sizes(after) },
    expected: { variants: sizes(entered.sizes.get(id) ?? before) },
  };
}

/** The values that an action works with. */
interface Values {
  entered: EnteredDishes;
  /** As the API takes it; null for a dish that is available. */
  soldOutUntil: string | null;
}

function changeOf(
  action: DishAction,
  dish: PricedDish,
  { entered, soldOutUntil }: Values,
): { data: Row; expected: Row } {
  switch (action) {
    case 'show':
    case 'hide':
      return { data: { is_active: action === 'show' }, expected: {} };
    case 'move':
      return { data: { category_id: entered.section }, expected: {} };
    case 'percent':
      return changePrice(dish, entered);
    default:
      return { data: { sold_out_until: soldOutUntil }, expected: {} };
  }
}

/** The change of a dish by an action. */
export function applyAction(action: DishAction, dish: PricedDish, values: Values): PanelOperation {
  return { resource: 'items', id: dish.id, ...changeOf(action, dish, values) };
}

/** The span for which an action says that a dish is sold out. */
export function spanOf(action: DishAction): Span | undefined {
  return SPANS.find((span) => action === `sold-out-${span}`);
}

/** The prices that were typed over; one that somebody else has changed meanwhile is refused. */
export function priceOperations({ prices, shown, currency }: EnteredDishes): PanelOperation[] {
  return [...prices].map(([id, text]) => ({
    ...{ resource: 'items', id, data: { price: readPrice(text, currency) } },
    expected: { price: shown.get(id) },
  }));
}

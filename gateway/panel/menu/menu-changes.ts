import { certain } from '../../../db/runtime/certain.ts';
import { currencyDecimals } from '../../../db/schema/values/currency.ts';
import type { Row } from '../../../db/schema/values/row.ts';
import type { PricedDish } from '../../../db/sql/dishes.ts';
import { readPrice } from '../forms/read-draft.ts';
import { SPANS, type Span } from '../service/service-page.ts';
import type { PanelOperation } from '../writes/save-many.ts';
import { type EnteredDishes, readPercent } from './entered.ts';

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

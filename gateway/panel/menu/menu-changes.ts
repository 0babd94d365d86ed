import type { Row } from '../../../db/schema/record.ts';
import type { PricedDish } from '../../../db/sql/dishes.ts';
import { readPrice } from '../forms/read-draft.ts';
import type { Operation } from '../writes/save-many.ts';
import { type Entered, readPercent } from './entered.ts';

/** The actions of the buttons for one dish, or for several. */
export const ACTIONS = ['show', 'hide', 'sold-out', 'available', 'move', 'percent'] as const;
export type DishAction = (typeof ACTIONS)[number];

function toCents(price: number, percent: number): number {
  return Math.round(price * (100 + percent)) / 100;
}

/** A percentage of a price that has changed meanwhile would be another price. */
function changePrice({ id, price, variants }: PricedDish, entered: Entered) {
  const percent = readPercent(entered) ?? 0;
  if (variants.length > 0) {
    const sizes = (change: (before: number) => number) =>
      variants.map(({ label_translations: label, price: before }) => ({
        ...{ label, price: change(before) },
      }));
    return {
      data: { variants: sizes((before) => toCents(before, percent)) },
      expected: { variants: sizes((before) => before) },
    };
  }
  const typed = entered.prices.get(id);
  const before = typed === undefined ? (entered.shown.get(id) ?? price) : Number(readPrice(typed));
  return { data: { price: toCents(before, percent) }, expected: { price: before } };
}

function changeOf(
  action: DishAction,
  dish: PricedDish,
  entered: Entered,
): { data: Row; expected: Row } {
  switch (action) {
    case 'show':
    case 'hide':
      return { data: { is_active: action === 'show' }, expected: {} };
    case 'sold-out':
    case 'available': {
      const until = action === 'sold-out' ? 'indefinitely' : null;
      return { data: { sold_out_until: until }, expected: {} };
    }
    case 'move':
      return { data: { category_id: entered.section }, expected: {} };
    case 'percent':
      return changePrice(dish, entered);
  }
}

/** The change of a dish by an action. */
export function applyAction(action: DishAction, dish: PricedDish, entered: Entered): Operation {
  return { resource: 'items', id: dish.id, ...changeOf(action, dish, entered) };
}

/** The prices that were typed over; one that somebody else has changed meanwhile is refused. */
export function priceOperations({ prices, shown }: Entered): Operation[] {
  return [...prices].map(([id, text]) => ({
    ...{ resource: 'items', id, data: { price: readPrice(text) } },
    expected: { price: shown.get(id) },
  }));
}

import type { Locale } from '../../../db/schema/values/locale.ts';
import type { Row } from '../../../db/schema/values/row.ts';
import type { PricedDish } from '../../../db/sql/dishes.ts';
import { readPrice } from '../forms/read-draft.ts';
import { SPANS, type Span } from '../service/spans.ts';
import type { PanelOperation } from '../writes/save-many.ts';
import type { EnteredDishes } from './entered-dishes.ts';
import { addOffer, changePrice } from './price-change.ts';

/** The buttons that say for how long a dish is sold out. */
const SOLD_OUT = SPANS.map((span) => `sold-out-${span}` as const);

/** The actions of the buttons for one dish, or for several. */
export const ACTIONS = [
  'show',
  'hide',
  'available',
  'move',
  'percent',
  'offer',
  'no-offers',
  ...SOLD_OUT,
] as const;
export type DishAction = (typeof ACTIONS)[number];

/** The values that an action works with. */
interface Values {
  entered: EnteredDishes;
  /** As the API takes it; null for a dish that is available. */
  soldOutUntil: string | null;
  /** The language of the offer's name. */
  locale: Locale;
}

function changeOf(
  action: DishAction,
  dish: PricedDish,
  { entered, soldOutUntil, locale }: Values,
): { data: Row; expected: Row } {
  switch (action) {
    case 'show':
    case 'hide':
      return { data: { is_active: action === 'show' }, expected: {} };
    case 'move':
      return { data: { category_id: entered.section }, expected: {} };
    case 'percent':
      return changePrice(dish, entered);
    case 'offer':
      return addOffer(dish, entered, locale);
    case 'no-offers':
      return { data: { offers: [] }, expected: {} };
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

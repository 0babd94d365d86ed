import { certain } from '../../../db/runtime/certain.ts';
import { MAX_OPERATIONS } from '../../../db/schema/bulk.ts';
import type { Locale } from '../../../db/schema/values/locale.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import { type DishSearch, findPrices, type PricedDish } from '../../../db/sql/dishes.ts';
import type { TextKey } from '../../../db/texts/catalogues.ts';
import type { Desk } from '../desk.ts';
import { ambiguousPrice } from '../forms/contradictions.ts';
import { pricingOf } from '../forms/draft.ts';
import { readPrice } from '../forms/read-draft.ts';
import { endOfSpan, SPANS, soldOutText } from '../service/spans.ts';
import { nameIn } from '../texts/choose.ts';
import type { MessageText } from '../writes/message.ts';
import { moveOperations, readMove } from '../writes/move.ts';
import type { PanelOperation } from '../writes/save-many.ts';
import type { EnteredDishes } from './entered-dishes.ts';
import { dishSearch, readMenuQuery } from './menu-page.ts';
import { addOffer, changePrice, isTooCheap, readChange, takesOffer } from './price-change.ts';
import type { Review } from './price-review.ts';

/** The buttons that say for how long a dish is sold out. */
const SOLD_OUT = SPANS.map((span) => `sold-out-${span}` as const);

/** The actions of the buttons for one dish, or for several. */
const ACTIONS = [
  'show',
  'hide',
  'available',
  'move',
  'percent',
  'offer',
  'no-offers',
  ...SOLD_OUT,
] as const;
type DishAction = (typeof ACTIONS)[number];

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
): Pick<PanelOperation, 'data' | 'expected'> {
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

/** The prices that were typed over; one that somebody else has changed meanwhile is refused. */
function priceOperations({ prices, shown, currency }: EnteredDishes): PanelOperation[] {
  return [...prices].map(([id, text]) => ({
    ...{ resource: 'items', id, data: { price: readPrice(text, currency) } },
    expected: { price: shown.get(id) },
  }));
}

/** Changes that a list's form asks for. */
export interface Changes {
  operations: PanelOperation[];
  /** The message when they are done. */
  text: MessageText;
  /** Of the message, beside the name. */
  values?: Record<string, string>;
  /** The names of the records in messages, by their ids. */
  names: ReadonlyMap<number, string>;
  /** How many of the chosen dishes are not there any more. */
  gone: number;
}

/** The errors of a form's request. */
interface Wrong {
  wrong: TextKey;
  values?: Record<string, string | number>;
}

/** The button that shows new prices before they are stored. */
export const REVIEW = 'many-review';

function readDishes({ db, tenantId }: Desk, search: Omit<DishSearch, 'limit'>) {
  // One more, so that too many are noticed.
  return findPrices(db, tenantId, { ...search, limit: MAX_OPERATIONS + 1 });
}

function namesOf({ request }: Desk, dishes: readonly PricedDish[]): Map<number, string> {
  const { language } = request;
  return new Map(dishes.map((dish) => [dish.id, nameIn(dish.name_translations, language)]));
}

/** The dishes that are meant, or why there are none. */
async function readChosen(
  desk: Desk,
  entered: EnteredDishes,
): Promise<readonly PricedDish[] | Wrong> {
  const { chosen, isAll } = entered;
  if (chosen.size === 0 && !isAll) return { wrong: 'messages.noneChosen' };
  const dishes = await readDishes(
    desk,
    isAll ? dishSearch(readMenuQuery(desk)) : { ids: [...chosen] },
  );
  if (dishes.length > MAX_OPERATIONS) {
    return { wrong: 'messages.tooManyDishes', values: { n: MAX_OPERATIONS } };
  }
  return dishes;
}

/** The dishes whose prices a percentage would change, for somebody who looks at them first. */
export async function readReview(desk: Desk, entered: EnteredDishes): Promise<Review | Wrong> {
  const left = leftOver(desk, REVIEW, entered);
  if (left) return left;
  const dishes = await readPriced(desk, entered);
  return 'wrong' in dishes ? dishes : { dishes, entered };
}

/** The dishes whose prices change, or why they cannot change so. */
async function readPriced(
  desk: Desk,
  entered: EnteredDishes,
): Promise<readonly PricedDish[] | Wrong> {
  if (readChange(entered) === null) {
    return { wrong: entered.by === 'amount' ? 'messages.badAmount' : 'messages.badPercent' };
  }
  const dishes = await readChosen(desk, entered);
  if ('wrong' in dishes) return dishes;
  const cheap = dishes.find((dish) => isTooCheap(dish, entered));
  if (!cheap) return dishes;
  const name = nameIn(cheap.name_translations, desk.request.language);
  return { wrong: 'messages.tooCheap', values: { name } };
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** The dishes that an action is for, or why it cannot be done. */
async function readFor(
  desk: Desk,
  action: DishAction,
  entered: EnteredDishes,
): Promise<readonly PricedDish[] | Wrong> {
  if (action === 'percent') return readPriced(desk, entered);
  if (action !== 'offer') return readChosen(desk, entered);
  const { start, end, days } = entered.offer;
  const isRight = TIME.test(start) && TIME.test(end) && days.every((day) => day >= 1 && day <= 7);
  if (!isRight) return { wrong: 'messages.offerTimes' };
  const dishes = await readPriced(desk, entered);
  if ('wrong' in dishes) return dishes;
  return dishes.filter((dish) => takesOffer(dish, entered));
}

/** The changes that an action makes of one dish, or of those that are chosen (`id` null). */
async function readAction(
  desk: Desk,
  action: DishAction,
  id: number | null,
  entered: EnteredDishes,
): Promise<Changes | Wrong> {
  const { chosen, isAll } = entered;
  const isOne = id !== null;
  const meant = isOne ? { ...entered, chosen: new Set([id]), isAll: false } : entered;
  const dishes = await readFor(desk, action, meant);
  if ('wrong' in dishes) return dishes;
  if (isOne && dishes.length === 0) return { wrong: 'editor.gone' };
  const values = await valuesOf(desk, action, entered);
  return {
    operations: dishes.map((dish) => {
      return { resource: 'items', id: dish.id, ...changeOf(action, dish, values) };
    }),
    names: namesOf(desk, dishes),
    // The page before an offer says which dishes it leaves out.
    gone: isOne || isAll || action === 'offer' ? 0 : chosen.size - dishes.length,
    ...(isOne ? tellOne(desk, action, values.soldOutUntil) : { text: 'many' }),
  };
}

/** The values that an action works with. */
async function valuesOf(desk: Desk, action: DishAction, entered: EnteredDishes) {
  const span = SPANS.find((one) => action === `sold-out-${one}`);
  const soldOutUntil = span === undefined ? null : await endOfSpan(desk, span);
  return { entered, soldOutUntil, locale: desk.request.context.restaurant.tenant.defaultLocale };
}

/** The texts about a change of one dish that name no end. */
const TOLD: Partial<Record<DishAction, MessageText>> = {
  ...{ show: 'show', hide: 'hide', available: 'available', 'sold-out-open': 'sold-out' },
  ...{ move: 'saved', percent: 'saved', offer: 'saved', 'no-offers': 'saved' },
};

/** The message about a change of one dish: that, until when it is sold out, or that it is saved. */
function tellOne(desk: Desk, action: DishAction, until: string | null) {
  const text = TOLD[action];
  if (text !== undefined) return { text };
  const end = new Date(certain(until, `${action} has no end`));
  return { text: 'soldOutUntil' as const, values: { until: soldOutText(desk, true, end) ?? '' } };
}

/** The request of a button, apart from prices. */
async function readButton(
  desk: Desk,
  button: string,
  entered: EnteredDishes,
): Promise<Changes | Wrong> {
  const move = readMove(button);
  if (move) {
    const moved = await moveOperations(desk, move);
    if (moved === 'gone') return { wrong: 'editor.gone' };
    if (moved === 'outdated') return { wrong: 'messages.orderChanged' };
    const { name, operations } = moved;
    return { operations, text: 'moved', names: new Map([[move.id, name]]), gone: 0 };
  }
  const [, many, action = '', subject = ''] = /^(many-)?([a-z-]+)(?::(\d+))?$/.exec(button) ?? [];
  const known = ACTIONS.find((one) => one === action);
  const id = parseRecordId(subject);
  if (known && (many || id !== null)) return readAction(desk, known, many ? null : id, entered);
  return { operations: [], text: 'price', names: new Map(), gone: 0 };
}

/** Values that the pressed button would drop, or a price that can be read in two ways. */
function leftOver({ request }: Desk, button: string, entered: EnteredDishes): Wrong | null {
  const { percent, section, chosen, isAll, prices } = entered;
  const isOfPrices = [REVIEW, 'many-percent', 'many-offer'].includes(button);
  if (percent.trim() !== '' && !isOfPrices) return { wrong: 'contradictions.percentLeft' };
  if (section !== '' && button !== 'many-move') return { wrong: 'contradictions.sectionLeft' };
  if (section === '' && button === 'many-move') return { wrong: 'contradictions.sectionMissing' };
  const isIdle = button === 'prices' && prices.size === 0;
  if (isIdle && (chosen.size > 0 || isAll)) return { wrong: 'contradictions.boxesLeft' };
  for (const text of prices.values()) {
    const values = ambiguousPrice(text, pricingOf(request));
    if (values) return { wrong: 'contradictions.ambiguousPrice', values };
  }
  return null;
}

/** The request of a list's form: first the prices that were typed over, then the pressed button. */
export async function readAsked(
  desk: Desk,
  button: string,
  entered: EnteredDishes,
): Promise<Changes | Wrong> {
  const left = leftOver(desk, button, entered);
  if (left) return left;
  const asked = await readButton(desk, button, entered);
  const typed = [...entered.prices.keys()];
  if ('wrong' in asked || typed.length === 0) return asked;
  const names = namesOf(desk, await readDishes(desk, { ids: typed }));
  return {
    ...asked,
    operations: [...priceOperations(entered), ...asked.operations],
    names: new Map([...names, ...asked.names]),
  };
}

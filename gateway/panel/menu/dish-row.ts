import { type Visibility, visibilityAt } from '../../../db/schema/visibility.ts';
import type { ListedDish } from '../../../db/sql/dishes.ts';
import type { Say } from '../../../db/texts/say.ts';
import { localTime } from '../../analytics/local-time.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { pricingOf, writePrice } from '../forms/draft.ts';
import { describedBy, fieldError } from '../pages/fields.ts';
import { momentText } from '../pages/moment.ts';
import { plannedPath } from '../records/editor.ts';
import { SPANS, soldOutText } from '../service/spans.ts';
import { nameIn } from '../texts/choose.ts';
import { moveButtons } from '../writes/move.ts';
import type { EnteredDishes } from './entered-dishes.ts';

function tags(desk: Desk, dish: ListedDish): Content {
  const { say } = desk;
  const missing = desk.request.brand.locales.filter((locale) => !dish.name_translations[locale]);
  const end = dish.sold_out_until === null ? null : new Date(dish.sold_out_until);
  const until = soldOutText(desk, dish.is_sold_out, end);
  const texts = [
    until !== null && html`<span class="tag bad">${until}</span>`,
    !dish.is_active && html`<span class="tag">${say('menu.hidden')}</span>`,
    !dish.allergens_declared && html`<span class="tag warn">${say('menu.undeclared')}</span>`,
    missing.length > 0 &&
      html`<span class="tag warn">${missing.join(', ')} ${say('editor.missing')}</span>`,
    visibilityTag(desk, dish),
  ].filter((tag) => tag !== false);
  return texts.length > 0 && html`<p class="tags">${texts}</p>`;
}

interface RowState {
  /** Null where it cannot be moved. */
  place: { index: number; count: number } | null;
  entered: EnteredDishes;
  error: string | undefined;
}

/** The new price, when somebody else has changed it since the list was shown. */
function changedPrice(
  { request, say }: Desk,
  { id, price }: ListedDish,
  { shown, prices }: EnteredDishes,
) {
  const before = shown.get(id);
  if (before === undefined || before === price) return undefined;
  const now = writePrice(price, pricingOf(request));
  const isOwn = prices.has(id);
  return `${say('editor.theirs', { now })}. ${say(isOwn ? 'editor.yours' : 'editor.taken')}`;
}

function priceCell(desk: Desk, dish: ListedDish, name: string, state: RowState): Html {
  const { say } = desk;
  const { id, variants: sizes } = dish;
  const price = writePrice(dish.price, pricingOf(desk.request));
  if (sizes.length > 0) return html`<p class="price">${say('menu.from', { price })}</p>`;
  const error = state.error ?? changedPrice(desk, dish, state.entered);
  const key = `price-${id}`;
  return html`<div class="price">
  <input type="text" inputmode="decimal" id="${key}" name="price.${id}" value="${state.entered.prices.get(id) ?? price}" aria-label="${say('menu.price', { name })}"${describedBy(key, { error })} aria-invalid="${error === undefined ? 'false' : 'true'}" autocomplete="off">
  <input type="hidden" name="was.${id}" value="${price}">
  ${fieldError(key, error)}
  ${dish.price_on_request && html`<span class="hint">${say('menu.onRequest')}</span>`}
</div>`;
}

/** Behind one word: today, until tomorrow, or until somebody says so. */
function soldOutMenu(say: Say, name: string, button: (action: string, text: string) => Html): Html {
  const title = say('menu.markSoldOut');
  const spans = SPANS.map((span) => button(`sold-out-${span}`, say(`service.${span}`)));
  return html`<details class="spans"><summary aria-label="${title}: ${name}">${title}</summary><div>${spans}</div></details>`;
}

/**
 * A dish of the list: its price and buttons belong to the form of the whole list. One that the chosen
 * release makes is changed on its own page.
 */
export function dishRow(desk: Desk, dish: ListedDish, state: RowState): Html {
  const { say, language } = desk.request;
  const { id } = dish;
  const { place, entered } = state;
  const name = nameIn(dish.name_translations, language);
  const button = (action: string, text: string) =>
    html`<button name="do" value="${action}:${id}" aria-label="${text}: ${name}">${text}</button>`;
  const checked = entered.chosen.has(id) && html` checked`;
  if (id < 0) {
    return html`<li class="dish">
  <div class="what"><a href="${plannedPath('items', dish.external_id)}" dir="auto">${name}</a>${tags(desk, dish)}</div>
  <p class="price">${writePrice(dish.price, pricingOf(desk.request))}</p>
</li>`;
  }
  return html`<li class="dish ${!dish.is_active ? 'off' : ''}" id="dish-${id}" data-id="${id}">
  <input type="checkbox" name="chosen" value="${id}" aria-label="${say('menu.choice', { name })}"${checked}>
  <div class="what"><a href="/admin/menu/items/${id}" dir="auto">${name}</a>${tags(desk, dish)}</div>
  ${priceCell(desk, dish, name, state)}
  <div class="acts">
    ${dish.is_sold_out ? button('available', say('menu.markAvailable')) : soldOutMenu(say, name, button)}
    ${dish.is_active ? button('hide', say('menu.hide')) : button('show', say('menu.show'))}
    ${place && moveButtons(say, 'dish', { id, name, ...place })}
  </div>
</li>`;
}

/** Says that guests do not see a record yet or any more, or until when they see it. */
export function visibilityTag(desk: Desk, record: Visibility): Content {
  const { say } = desk;
  const { visible_from: from, visible_until: end } = record;
  const state = visibilityAt(record, new Date(desk.now()));
  const at = (moment: string | null) => momentText(desk, moment ?? '');
  if (state === 'over')
    return html`<span class="tag">${say('menu.visibleOver', { at: at(end) })}</span>`;
  if (state === 'later')
    return html`<span class="tag">${say('menu.visibleLater', { at: at(from) })}</span>`;
  return (
    end !== null && html`<span class="tag">${say('menu.visibleUntil', { at: at(end) })}</span>`
  );
}

/** Says that a section is out of its dates today. */
export function datesTag(
  { session, now, say }: Desk,
  { date_start: first, date_end: last }: { date_start: string | null; date_end: string | null },
): Content {
  const { day } = localTime(session.timezone, now());
  const isOut = (first !== null && first > day) || (last !== null && last < day);
  return isOut && html`<span class="tag">${say('menu.outOfDates')}</span>`;
}

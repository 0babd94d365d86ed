import { toLocal, toUtc } from '../../../db/runtime/zone-clock.ts';
import type { PricedDish } from '../../../db/sql/dishes.ts';
import { findFormerPrices } from '../../../db/sql/versions.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { pricingOf, weekdayOptions, writePrice } from '../forms/draft.ts';
import { choiceBoxes, input, select } from '../forms/inputs.ts';
import { onceFields } from '../pages/fields.ts';
import { titledPage } from '../pages/page.ts';
import { nameIn } from '../texts/choose.ts';

import { type EnteredDishes, isCents, roundingsOf } from './entered-dishes.ts';
import { menuPath, readMenuQuery } from './menu-page.ts';
import { newPrices, pricesBefore, takesOffer, writeChange } from './price-change.ts';

/** A change of prices that somebody looks at before it is done. */
export interface Review {
  dishes: readonly PricedDish[];
  entered: EnteredDishes;
}

/** The prices that dishes had when the restaurant's day began, where they have changed since. */
async function changedToday(desk: Desk, { dishes }: Review): Promise<Map<number, number>> {
  const { db, session, now, constants, tenantId } = desk;
  const today = toLocal(new Date(now()).toISOString(), session.timezone).slice(0, 10);
  const since = new Date(toUtc(`${today}T00:00`, session.timezone));
  const former = await findFormerPrices(db, tenantId, since, constants.maxListedDishes);
  const changed = dishes.flatMap(({ id, price }): [number, number][] => {
    const before = former.get(id);
    return before === undefined || before === price ? [] : [[id, before]];
  });
  return new Map(changed);
}

/** Hidden fields that carry what was seen, so that a price that changes meanwhile is noticed. */
function seenPrices({ id, variants }: PricedDish, entered: EnteredDishes, written: string) {
  if (variants.length > 0) {
    const prices = variants.map(({ price }) => price).join(' ');
    return html`<input type="hidden" name="sizes.${id}" value="${prices}">`;
  }
  const typed = entered.prices.get(id);
  const was = typed === undefined ? written : String(entered.shown.get(id) ?? '');
  return html`<input type="hidden" name="price.${id}" value="${typed ?? written}"><input type="hidden" name="was.${id}" value="${was}">`;
}

function row(desk: Desk, dish: PricedDish, { entered }: Review, first: number | undefined): Html {
  const { say, language } = desk.request;
  const write = (price: number) => writePrice(price, pricingOf(desk.request));
  const before = pricesBefore(dish, entered);
  const after = newPrices(dish, entered);
  const today =
    first !== undefined &&
    html` <span class="tag warn">${say('priceReview.today', { price: write(first) })}</span>`;
  const name = nameIn(dish.name_translations, language);
  return html`<tr><th scope="row"><span dir="auto">${name}</span>${today}${seenPrices(dish, entered, write(dish.price))}</th>
<td>${before.map(write).join(' · ')}</td><td><b>${after.map(write).join(' · ')}</b></td></tr>`;
}

/** The choices of the list, carried on as hidden fields. */
function carried({ chosen, isAll, percent, by }: EnteredDishes): Html {
  const field = (name: string, value: string) =>
    html`<input type="hidden" name="${name}" value="${value}">`;
  return html`${[...chosen].map((id) => field('chosen', String(id)))}${isAll && field('all', '1')}${field('percent', percent)}${field('by', by)}`;
}

/** The new prices as an offer at certain times, a form of its own. */
function offerForm(desk: Desk, { dishes, entered }: Review): Content {
  const { request, say } = desk;
  const fitting = dishes.filter((dish) => takesOffer(dish, entered));
  if (fitting.length === 0) return null;
  const days = choiceBoxes('offer_days', weekdayOptions(request), [], 'days');
  const left = dishes.length - fitting.length;
  const time = (name: string, label: string) =>
    html`<div class="field"><label for="${name}">${label}</label><input id="${name}" type="time" name="${name}" required></div>`;
  return html`<details class="as-offer"><summary>${say('priceReview.asOffer')}</summary>
<form method="post" action="${menuPath(readMenuQuery(desk))}">${onceFields(request)}${carried(entered)}<input type="hidden" name="rounding" value="${entered.rounding}">
${fitting.map((dish) => seenPrices(dish, entered, writePrice(dish.price, pricingOf(request))))}
<p class="hint">${say('priceReview.offerHint')}${left > 0 && html` ${say('priceReview.offerLeft', { n: left })}`}</p>
${input({ name: 'offer_name', label: say('fields.offer.label'), value: '' })}
<fieldset class="group"><legend>${say('fields.hours.weekdays')}</legend>${days}</fieldset>
<div class="row">${time('offer_start', say('fields.hours.time_start'))}${time('offer_end', say('fields.hours.time_end'))}</div>
<div class="save"><button class="main" name="do" value="many-offer">${say('priceReview.offer', { n: fitting.length })}</button></div>
</form></details>`;
}

/** The page that shows prices before and after a percentage; nothing has changed yet. */
export async function priceReview(desk: Desk, review: Review): Promise<Answer> {
  const { request, constants, say } = desk;
  const { dishes, entered } = review;
  const query = readMenuQuery(desk);
  const changed = await changedToday(desk, review);
  const shown = dishes.slice(0, constants.maxListedDishes);
  const pricing = pricingOf(request);
  const roundings = roundingsOf(pricing.currency).map((value) => ({
    value,
    label: isCents(value)
      ? say(`roundings.${value}`)
      : say('priceReview.step', { step: writePrice(value, pricing) }),
  }));
  const rounding = { name: 'rounding', label: say('priceReview.rounding') };
  const title = say('priceReview.title', { change: writeChange(entered, pricing) });
  const content = html`${changed.size > 0 && html`<p class="remark">${say('priceReview.again', { n: changed.size })}</p>`}
<form class="price-review" method="post" action="${menuPath(query)}">${onceFields(request)}${carried(entered)}
<div class="row">${select({ ...rounding, value: entered.rounding }, roundings)}
<button class="button" name="do" value="many-review">${say('priceReview.show')}</button></div>
<table class="prices"><thead><tr><th scope="col">${say('statistics.dish')}</th><th scope="col">${say('import.before')}</th><th scope="col">${say('import.after')}</th></tr></thead>
<tbody>${shown.map((dish) => row(desk, dish, review, changed.get(dish.id)))}</tbody></table>
${shown.length < dishes.length && html`<p class="hint">${say('menu.truncated', { n: shown.length })}</p>`}
<div class="save"><button class="main" name="do" value="many-percent">${say('priceReview.apply', { n: dishes.length })}</button>
<a class="button" href="${menuPath(query)}">${say('import.cancel')}</a></div>
</form>
${offerForm(desk, review)}`;
  const head = { title, intro: say('priceReview.intro') };
  const way = [menuPath(query), say('menu.title')] as const;
  return titledPage(desk, { ...head, way, content, place: 'menu' });
}

import type { Dish } from '../../../db/schema/dish.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { MenuReading } from './menu-view.ts';
import { translated } from './own-text.ts';
import { servingData, servingTimes } from './serving-times.ts';

type Offer = Dish['offers'][number];

function offer(one: Offer, reading: MenuReading): Html {
  const { texts, locale } = reading;
  const { weekdays, time_start, time_end, date_start, date_end } = one;
  const isLimited = weekdays !== null || time_start !== null;
  const times = {
    ...{ date_start, date_end, time_visibility_enabled: time_start !== null },
    hours: isLimited ? [{ weekdays, time_start, time_end }] : [],
  };
  const said = servingTimes(times, locale, texts).join(', ');
  const name = translated(one.label, one.label_translations, locale, { tag: 'span' });
  return html`<span class="offer"${servingData(times)}>${name}${name && ' '}\
<span class="price">${reading.price(one.price)}</span>\
${said && html` <span class="offer-times">${said}</span>`} <b class="now">${texts.now}</b></span>`;
}

/** Prices that hold at certain times, each with these; the script marks the one that holds now. */
export function offerList({ offers }: Dish, reading: MenuReading): Content {
  if (offers.length === 0) return null;
  return html`<span class="offers">${offers.map((one) => offer(one, reading))}</span>`;
}

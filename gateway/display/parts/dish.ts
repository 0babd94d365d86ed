import type { Dish } from '../../../db/schema/dish.ts';
import type { Winery } from '../../../db/schema/winery.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { Reading } from '../menu-view.ts';
import { isolated, sideBySide, translated, webAddress } from './own-text.ts';

/** Narrow spaces at which no line ends: the numbers of a dish stay together. */
const DOT = '\u202f·\u202f';

/** The numbers under which the legend has a dish's allergens, in order. */
function allergenNumbers({ allergens }: Dish, reading: Reading): number[] {
  return allergens
    .map((key) => reading.allergens.get(key)?.number ?? 0)
    .filter(Boolean)
    .sort((a, b) => a - b);
}

function allergenMarks(dish: Dish, reading: Reading): Content {
  const numbers = allergenNumbers(dish, reading);
  if (numbers.length === 0) return null;
  return html`<sup class="marks" aria-hidden="true">${numbers.join(DOT)}</sup>`;
}

/** A restaurant that has no words for its recommendation recommends with a star. */
function star({ is_recommended }: Dish, { settings, texts }: Reading): Content {
  if (!is_recommended || settings.recommended_label) return null;
  const said = html`role="img" title="${texts.recommended}" aria-label="${texts.recommended}"`;
  return html`<span class="star" ${said}></span>`;
}

function name(dish: Dish, reading: Reading): Content {
  const title = translated(dish.name, dish.name_translations, reading.locale, {
    tag: 'span',
    content: [isolated(dish.name), star(dish, reading), allergenMarks(dish, reading)],
  });
  return html`<span class="name">${title}</span>`;
}

function price(dish: Dish, reading: Reading): Content {
  return html`<span class="price">${reading.price(dish.price)}</span>`;
}

function winery({ winery: maker }: Dish): Content {
  if (!maker) return null;
  const place = [maker.region, maker.country].filter(Boolean).join(', ');
  return html`<span class="winery" translate="no" dir="auto">${sideBySide(maker.name, place)}</span>`;
}

function description(dish: Dish, { locale }: Reading): Content {
  const frame = { tag: 'span', className: 'description' };
  return translated(dish.description, dish.description_translations, locale, frame);
}

function tip({ is_recommended }: Dish, { settings }: Reading): Content {
  const { recommended_label: label, default_locale: lang } = settings;
  if (!is_recommended || !label) return null;
  return html`<span class="tip" lang="${lang}" dir="auto">${label}</span>`;
}

function contains({ allergens }: Dish, reading: Reading): Content {
  if (allergens.length === 0) return null;
  const names = allergens.map((key) => reading.allergens.get(key)?.name ?? key).join(', ');
  return html`<p><strong>${reading.texts.contains}: </strong>${names}</p>`;
}

function aboutWinery(maker: Winery | null, { locale }: Reading): Content {
  if (!maker) return null;
  const href = webAddress(maker.website);
  return [
    translated(maker.description, maker.description_translations, locale, { tag: 'p' }),
    href &&
      html`<p><a href="${href}" target="_blank" rel="noopener" dir="auto">${maker.name}</a></p>`,
  ];
}

const isThere = (content: Content): boolean =>
  Array.isArray(content) ? content.some(isThere) : Boolean(content);

/** A dish or wine. Each part is one function that returns nothing where the dish has no such part. */
export function dishItem(dish: Dish, reading: Reading): Html {
  const head = [
    html`<span class="line">${name(dish, reading)}${price(dish, reading)}</span>`,
    winery(dish),
    description(dish, reading),
    tip(dish, reading),
  ];
  const more = [contains(dish, reading), aboutWinery(dish.winery, reading)];
  const className = dish.is_recommended ? 'dish recommended' : 'dish';
  const numbers = allergenNumbers(dish, reading).join(' ');
  const body = isThere(more)
    ? html`<details><summary>${head}</summary><div class="more">${more}</div></details>`
    : html`<div>${head}</div>`;
  const allergens = numbers && html` data-allergens="${numbers}"`;
  return html`<li class="${className}" id="dish-${dish.id}"${allergens}>${body}</li>\n`;
}

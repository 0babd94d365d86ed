import type { Dish } from '../../../db/schema/dish.ts';
import type { Facts } from '../../../db/snapshot/facts.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import {
  courseList,
  goneClass,
  goneTitle,
  groupLines,
  isUndeclared,
  leastExtra,
} from './choices.ts';
import { about, containsNone, focusClasses, ownPhoto } from './dish-details.ts';
import {
  DOT,
  filterNumber,
  type MenuReading,
  markOf,
  marksClass,
  numbersOf,
  regionOf,
} from './menu-view.ts';
import {
  breakable,
  foreignLang,
  isolated,
  sideBySide,
  translated,
  webAddress,
} from './own-text.ts';
import { servingData, servingTimes } from './serving-times.ts';
import { fillSoldOut, isForToday, soldOutEnd } from './sold-out.ts';
import {
  kindsLine,
  measures,
  nutrition,
  originLine,
  pairing,
  sizeMeasures,
  wineFacts,
} from './stated.ts';

/** The numbers of the allergens that a dish contains or may contain, in order. */
function allergenNumbers({ allergens, traces }: Dish, reading: MenuReading): number[] {
  return numbersOf([...allergens, ...traces], reading);
}

/** The marks of a dish that declares to contain no allergen, and of one that declares nothing. */
export const NONE = '0';
export const UNDECLARED = '?';

/**
 * The rest of a declaration, for walls and paper, where no dish can be opened: an allergen that it may
 * contain in brackets, that it contains none, that it declares nothing.
 */
function restOfDeclaration(dish: Dish, reading: MenuReading): string[] {
  const possible = allergenNumbers({ ...dish, allergens: [] }, reading).map((one) => `(${one})`);
  if (isUndeclared(dish)) return [...possible, UNDECLARED];
  return containsNone(dish) ? [NONE] : possible;
}

/** The signs under which the legend has what a dish contains: allergens, additives, then the rest. */
function marks(dish: Dish, reading: MenuReading): Content {
  const contained = allergenNumbers({ ...dish, traces: [] }, reading);
  const letters = dish.additives.map((key) => markOf(reading.additives, key)).sort();
  const shown = [...contained, ...letters];
  const rest = restOfDeclaration(dish, reading);
  const named = marksClass(shown.length + rest.length);
  const behind = rest.join(DOT);
  if (shown.length === 0) {
    return behind && html`<sup class="${named} closed-only" aria-hidden="true">${behind}</sup>`;
  }
  const closed = behind && html`<span class="closed-only">${DOT}${behind}</span>`;
  return html`<sup class="${named}" aria-hidden="true">${shown.join(DOT)}${closed}</sup>`;
}

/** A restaurant that has no words for its recommendation recommends with a star. */
function star({ is_recommended }: Dish, { settings, texts }: MenuReading): Content {
  if (!is_recommended || settings.recommended_label) return null;
  const said = html`role="img" title="${texts.recommended}" aria-label="${texts.recommended}"`;
  return html`<span class="star" ${said}></span>`;
}

/** The number by which guests order it. */
function code({ code: number }: Dish): Content {
  return number && html`<span class="code" translate="no">${isolated(number)}</span> `;
}

function name(dish: Dish, reading: MenuReading): Content {
  const shown = breakable(dish.name, dish.name_translations, reading.locale);
  const title = translated(dish.name, dish.name_translations, reading.locale, {
    tag: 'span',
    content: [code(dish), isolated(shown), star(dish, reading), marks(dish, reading)],
  });
  return html`<span class="name">${title}</span>`;
}

/** The price, or what stands in its place; a dish with sizes has its prices below. */
function price(dish: Dish, reading: MenuReading): Content {
  const { texts } = reading;
  if (dish.price_on_request) return html`<span class="price asked">${texts.onRequest}</span>`;
  const least = leastExtra(dish);
  const amount = dish.price + least;
  if (dish.variants.length > 0 || amount === 0) return null;
  const unit =
    dish.price_unit && html` <small class="unit">${texts.units[dish.price_unit]}</small>`;
  // Options that come with it in any case set the price.
  const written = reading.price(amount);
  const shown = least > 0 ? texts.fromPrice.replace('{price}', () => written) : written;
  // A draft may have no price yet.
  const data = !Number.isNaN(dish.price) && html` data-amount="${dish.price}"`;
  return html`<span${data} class="price">${shown}${unit}</span>`;
}

function sizes({ variants, price_on_request }: Dish, reading: MenuReading): Content {
  if (variants.length === 0 || price_on_request) return null;
  const size = ({
    label,
    label_translations,
    price: each,
    is_sold_out: isGone = false,
    sold_out_until: until,
    ...drink
  }: (typeof variants)[number]) => {
    const lang = foreignLang(label, label_translations, reading.locale);
    const said = isGone && html`<span class="said"> (${reading.texts.soldOut})</span>`;
    return html`<span class="size${goneClass(isGone, until, reading)}"${goneTitle(isGone, reading)}><span${lang} dir="auto">${label}</span>${said}${sizeMeasures(drink, reading)} \
<span data-amount="${each}" class="price">${reading.price(each)}</span></span>`;
  };
  return html`<span class="sizes">${variants.map(size)}</span>`;
}

/** Widths of a dish's photo in the layouts, as `sizes` says them. */
const PHOTO_SIZES: Record<string, string> = { grid: '(min-width: 40rem) 24rem, 100vw' };
const SMALL_PHOTO = '5rem';

function photo(dish: Dish, { theme }: MenuReading): Content {
  if (dish.photo) {
    const named = html`class="photo ${focusClasses(dish.photo)}"`;
    const sizes = PHOTO_SIZES[theme.layout_variant] ?? SMALL_PHOTO;
    return ownPhoto(dish.photo, { named, alt: dish.photo_alt || dish.photo.alt, sizes });
  }
  const source = webAddress(dish.photo_url);
  // A browser shows a broken picture for one that has a text and does not come.
  const said = dish.photo_alt && html` role="img" aria-label="${dish.photo_alt}"`;
  return (
    source &&
    html`<span${said}><img class="photo" src="${source}" alt="" loading="lazy" \
width="320" height="320"></span>`
  );
}

function winery({ winery: maker }: Dish): Content {
  if (!maker) return null;
  const place = [maker.region, maker.country].filter(Boolean).join(', ');
  return html`<span class="winery" translate="no" dir="auto">${sideBySide(maker.name, place)}</span>`;
}

function description(dish: Dish, { locale }: MenuReading): Content {
  const frame = { tag: 'span', className: 'description' };
  return translated(dish.description, dish.description_translations, locale, frame);
}

function labels(dish: Dish, reading: MenuReading): Content {
  if (dish.labels.length === 0) return null;
  const names = dish.labels.map((key) => reading.labels.get(key)?.name ?? key);
  const shown = names.map((label) => html`<span class="label">${label}</span> `);
  return html`<span class="labels">${shown}</span>`;
}

function tip({ is_recommended }: Dish, { settings, locale }: MenuReading): Content {
  const { recommended_label: label, recommended_label_translations: translations } = settings;
  if (!is_recommended) return null;
  return translated(label, translations, locale, { tag: 'span', className: 'tip' });
}

/** That guests cannot order it, and when it is back. */
function soldOut(
  { is_sold_out, sold_out_until, sold_out_note = '', sold_out_note_translations = {} }: Dish,
  reading: MenuReading,
): Content {
  if (!is_sold_out) return null;
  const { texts, locale } = reading;
  const end = endOf(sold_out_until, reading);
  const said = end && html` <span class="back">${fillSoldOut(texts[end.text], end)}</span>`;
  const why = translated(sold_out_note, sold_out_note_translations, locale, {
    tag: 'span',
    className: 'back',
  });
  return html`<span class="gone">${texts.soldOut}${said}${why && ' · '}${why}</span>`;
}

function endOf(until: string | null, { today, timezone, textLocale }: MenuReading) {
  return until === null ? null : soldOutEnd(new Date(until), today, timezone, regionOf(textLocale));
}

function classOf({ is_recommended, is_sold_out, sold_out_until }: Dish, reading: MenuReading) {
  return [
    'dish',
    is_recommended && 'recommended',
    is_sold_out && 'sold-out',
    is_sold_out && isForToday(sold_out_until, reading) && 'for-today',
  ]
    .filter(Boolean)
    .join(' ');
}

type Written = readonly (readonly number[] | null | readonly unknown[])[];

/** Facts as lists, with allergens by their numbers: `readFacts` of `avoid.js` reads them. */
export function writeFacts({ has, choices }: Facts, numberOf: (key: string) => number): Written {
  return [
    has?.map(numberOf) ?? null,
    ...choices.map(({ take, options }) => [
      take,
      ...options.map((one) => writeFacts(one, numberOf)),
    ]),
  ];
}

function allergenData(dish: Dish, reading: MenuReading): Content {
  const facts = reading.facts?.get(dish.id);
  if (facts) {
    const numberOf = (key: string) => filterNumber(reading, key);
    return html` data-facts="${JSON.stringify(writeFacts(facts, numberOf))}"`;
  }
  if (!dish.allergens_declared) return html` data-undeclared`;
  const kinds = (dish.allergen_detail ?? []).map((key) => filterNumber(reading, key));
  const numbers = [...allergenNumbers(dish, reading), ...kinds].join(' ');
  return numbers && html` data-allergens="${numbers}"`;
}

/** The labels by which guests filter dishes. */
export const FILTER_LABELS = ['vegetarian', 'vegan', 'gluten_free'] as const;

/** Those that a dish has: a vegan dish is a vegetarian one, and one with gluten is not free of it. */
function labelData({ labels, allergens }: Dish): Content {
  const own = new Set<string>(labels);
  if (own.has('vegan')) own.add('vegetarian');
  if (allergens.includes('cereali_glutine')) own.delete('gluten_free');
  const found = FILTER_LABELS.filter((label) => own.has(label));
  return found.length > 0 && html` data-labels="${found.join(' ')}"`;
}

/** Shown by the allergen filter where some choices of a dish contain what a guest avoids. */
function someChoices({ id }: Dish, { facts, texts }: MenuReading): Content {
  return (facts?.has(id) ?? false) && html`<span class="some" hidden>${texts.someChoices}</span>`;
}

/** A dish or wine. Each part is one function that returns nothing where the dish has no such part. */
export function dishItem(dish: Dish, reading: MenuReading): Html {
  const head = [
    photo(dish, reading),
    html`<span class="line">${name(dish, reading)}${price(dish, reading)}</span>`,
    soldOut(dish, reading),
    winery(dish),
    wineFacts(dish, reading),
    measures(dish, reading),
    description(dish, reading),
    pairing(dish, reading),
    nutrition(dish, reading),
    originLine(dish, reading),
    kindsLine(dish, reading),
    sizes(dish, reading),
    offerList(dish, reading),
    courseList(dish, reading),
    groupLines(dish, reading),
    someChoices(dish, reading),
    labels(dish, reading),
    tip(dish, reading),
  ];
  const more = html`<div class="more">${about(dish, reading)}</div>`;
  const body = html`<details><summary>${head}</summary>${more}</details>`;
  const attributes = html`class="${classOf(dish, reading)}" id="dish-${dish.id}"${allergenData(dish, reading)}${labelData(dish)}`;
  return html`<li ${attributes}>${body}</li>\n`;
}

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
<span data-amount="${one.price}" class="price">${reading.price(one.price)}</span>\
${said && html` <span class="offer-times">${said}</span>`} <b class="now">${texts.now}</b></span>`;
}

/** Prices that hold at certain times, each with these; the script marks the one that holds now. */
function offerList({ offers }: Dish, reading: MenuReading): Content {
  if (offers.length === 0) return null;
  return html`<span class="offers">${offers.map((one) => offer(one, reading))}</span>`;
}

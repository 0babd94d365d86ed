import { statementsOf } from '../../../db/law/statements.ts';
import { certain } from '../../../db/runtime/certain.ts';
import { KINDS_OF } from '../../../db/schema/dictionary.ts';
import type { Dish } from '../../../db/schema/dish.ts';
import type { Translations } from '../../../db/schema/values/locale.ts';
import { type Guest, guestTexts } from '../../../db/texts/catalogues.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { FILTER_LABELS, NONE, UNDECLARED } from './dish.ts';
import { pagePicture } from './dish-details.ts';
import {
  dishesOf,
  filterNumber,
  type Marked,
  type MenuReading,
  type MenuView,
  regionOf,
} from './menu-view.ts';
import { sideBySide, translated, webAddress } from './own-text.ts';
import { cuisineLine, openingLine, visit } from './visit.ts';

// Sentences that the law of the restaurant's country prints on a menu.

type LawText = keyof Guest['law'];

function sentence({ textLocale }: MenuReading, key: LawText, value = ''): string {
  return guestTexts(textLocale).law[key].replace('{value}', () => value);
}

/** Those about its dishes, below the legend. */
function legalLines(view: MenuView): Content {
  const dishes = [...dishesOf(view.tree)];
  const frozen = view.labels.get('frozen')?.name ?? '';
  return statementsOf(view.settings, dishes).map((key) => {
    return html`<p class="law">${sentence(view, key, frozen)}</p>\n`;
  });
}

const percent = (locale: string, value: number) =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(value / 100);

/** The cover charge as an amount, and what the prices include. */
function priceLine(reading: MenuReading): Content {
  const { settings, locale, price } = reading;
  const { country, cover_charge, service_charge_percent: service, prices_exclude_tax } = settings;
  const parts = [
    typeof cover_charge === 'number' && sentence(reading, 'coverCharge', price(cover_charge)),
    service === 0 && sentence(reading, 'serviceIncluded'),
    typeof service === 'number' &&
      service > 0 &&
      sentence(reading, 'serviceAdded', percent(locale, service)),
    prices_exclude_tax && sentence(reading, 'taxAdded'),
    !prices_exclude_tax && country && sentence(reading, 'taxIncluded'),
  ].filter(Boolean);
  return parts.length > 0 && html`<p class="charge">${parts.join(' · ')}</p>\n`;
}

/** A number with fewer digits is an extension or no telephone number; none has more than 15 (E.164). */
const FEWEST_DIGITS = 6;
const MOST_DIGITS = 15;

/** Digits as people group them, with a country's plus sign. A slash may divide groups, or numbers. */
const RUN = /\+?\(?\d[\d\s().\-–/]*\d/g;

/** In these countries the 0 belongs to the number, also when a caller dials the country first. */
const KEEPS_ZERO = /^\+(39|378|379)/;

/** How a number is dialled; null when it is none, or when that is not certain. */
function dialled(text: string): string | null {
  const trunk = KEEPS_ZERO.test(text) ? '0' : '';
  const number = text.replace(/\(0\)/g, trunk).replace(/[^+\d]/g, '');
  const digits = number.replace('+', '').length;
  const isCertain = /^\+?\d+$/.test(number) && !text.includes('/');
  return isCertain && digits >= FEWEST_DIGITS && digits <= MOST_DIGITS ? number : null;
}

/** Two whole numbers with a slash between them; a slash within one number leaves it as it is. */
function numbersOf(run: string): string[] {
  const parts = run.split(/\s*\/\s*/);
  return parts.every((part) => dialled(part) !== null) ? parts : [run];
}

/** A restaurant's telephone numbers, each as a link where it is certain how it is dialled. */
export function phoneLinks(phone: string): Content {
  const pieces: Content[] = [];
  let end = 0;
  for (const match of phone.matchAll(RUN)) {
    pieces.push(phone.slice(end, match.index));
    end = match.index + match[0].length;
    numbersOf(match[0]).forEach((part, index) => {
      const number = dialled(part);
      pieces.push(index > 0 && ' / ', number ? html`<a href="tel:${number}">${part}</a>` : part);
    });
  }
  return [...pieces, phone.slice(end)];
}

const nameOf = (code: string): string =>
  new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;

function languages({ settings, locale, texts }: MenuReading): Content {
  const { supported_locales: codes } = settings;
  if (codes.length < 2) return null;
  const links = codes.map((code) => {
    const name = nameOf(code);
    // A code that names an alphabet, too, is none that guests know.
    const shown = code.includes('-') ? name : code.toUpperCase();
    const current = code === locale && html` aria-current="true"`;
    const label = shown === name ? name : `${shown}, ${name}`;
    const said = html`lang="${code}" hreflang="${code}" title="${name}" aria-label="${label}"`;
    return html`<a href="/?lang=${code}" ${said}${current}>${shown}</a>\n`;
  });
  return html`<nav id="languages" aria-label="${texts.language}">\n${links}</nav>`;
}

export function masthead(reading: MenuReading): Html {
  const { settings } = reading;
  return html`<header id="masthead">
${pagePicture('cover', settings.cover_photo, settings.cover_image_url, '100vw')}
<div class="plate">${pagePicture('logo', settings.logo_photo, settings.logo_url, '20rem')}
<h1 id="name" translate="no" dir="auto">${settings.name}</h1>
${cuisineLine(reading)}<p id="address" dir="auto">${settings.address}</p>${openingLine(reading)}</div>
${languages(reading)}
</header>
`;
}

/** The labels that a guest may look for, with what becomes of dishes without them. */
function labelChoices({ texts, labels }: MenuReading): Html {
  const boxes = FILTER_LABELS.map(
    (key) =>
      html`<label class="wanted"><input type="checkbox" value="${key}" data-label>${labels.get(key)?.name ?? key}</label>\n`,
  );
  return html`<p>${texts.only}</p>\n${boxes}<p>${texts.unmarked}</p>\n`;
}

/** The cereals and nuts of an allergen to choose from, where some dish names one of them. */
function kindChoices(allergen: string, view: MenuView): Content {
  const own: readonly string[] = KINDS_OF[allergen as keyof typeof KINDS_OF] ?? [];
  const isNamed = ({ allergen_detail = [] }: Dish) =>
    allergen_detail.some((key) => own.includes(key));
  if (own.length === 0 || ![...dishesOf(view.tree)].some(isNamed)) return null;
  return own.map((key) => {
    const { mark, name } = certain(view.kinds.get(key), `the dictionary has ${key}`);
    const data = html`data-number="${mark}" data-of="${filterNumber(view, allergen)}"`;
    // A kind that guests avoid is counted for its allergen.
    return html`<label class="kind"><input type="checkbox" value="${allergen}" ${data}>${name}</label>\n`;
  });
}

/** Search and allergen filter, which work with script alone. */
export function tools(reading: MenuView): Html {
  const { texts, allergens } = reading;
  const choices = [...allergens].map(
    ([key, { mark, name }]) => html`<label><input type="checkbox" value="${key}" \
data-number="${mark}"><b>${mark}</b>${name}</label>\n${kindChoices(key, reading)}`,
  );
  return html`<div id="tools" role="search">
<input id="search" type="search" placeholder="${texts.search}" aria-label="${texts.search}" \
autocomplete="off" spellcheck="false" enterkeyhint="search">
<button type="button" id="filter" aria-expanded="false" aria-controls="choices"><span>${texts.filter}</span></button>
<fieldset id="choices" hidden><legend>${texts.without}</legend>
${choices}${labelChoices(reading)}<button type="button">${texts.everything}</button></fieldset>
<p id="found" role="status"></p>
</div>`;
}

function entries(marks: Iterable<Marked>): Content {
  return [...marks].map(({ mark, name }) => html`<li><b>${mark}</b>${name}</li>\n`);
}

function usedAdditives({ tree, additives }: MenuView): Marked[] {
  const used = new Set<string>(Array.from(dishesOf(tree), (dish) => dish.additives).flat());
  return [...additives].filter(([key]) => used.has(key)).map(([, marked]) => marked);
}

export function legend(view: MenuView): Html {
  const { settings, locale, texts, allergens } = view;
  const { allergen_info, allergen_info_translations } = settings;
  const used = usedAdditives(view);
  const others = html`<h2>${texts.additives}</h2>\n<ol>\n${entries(used)}</ol>`;
  // Where a dish cannot be opened, its marks say which of the four declarations it has.
  const signs = [
    ['1', texts.contains],
    ['(1)', texts.mayContain],
    [NONE, texts.containsNone],
    [UNDECLARED, texts.undeclared],
  ] as const;
  const meanings = signs.map(([sign, meaning]) => html`<span><b>${sign}</b> ${meaning}</span>\n`);
  return html`<section id="legend" aria-labelledby="legend-title">
<h2 id="legend-title">${texts.allergens}</h2>
<ol>
${entries(allergens.values())}</ol>
${used.length > 0 && others}
<div class="signs">
${meanings}</div>
${translated(allergen_info, allergen_info_translations, locale, { tag: 'p' })}${legalLines(view)}
</section>
`;
}

function contact({ settings: { phone, email } }: MenuReading): Content {
  const call = phone && html`<span>${phoneLinks(phone)}</span>`;
  // A mail program would read the text behind such a sign as a part of the letter.
  const address = email.replace(/[?&#%]/g, encodeURIComponent);
  const write = email && html`<a href="mailto:${address}">${email}</a>`;
  if (!call && !write) return null;
  return html`<address>${call}${call && write && '\n'}${write}</address>`;
}

/** The latest time at which the menu was known to be good; until script knows it, the menu's own. */
function updated({ snapshot, locale, texts }: MenuView): Content {
  const { timezone } = snapshot.tenant;
  const built = new Date(snapshot.generatedAt);
  const write = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(regionOf(locale), { ...options, timeZone: timezone }).format(built);
  const clock = write({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const time = `${clock} (${write({ day: 'numeric', month: 'long' })})`;
  return html`<p id="updated">${texts.updated.replace('{time}', time)}</p>`;
}

export function foot(view: MenuView): Html {
  const { settings, theme, texts, locale } = view;
  const { cover_charge_text, cover_charge_text_translations, review_url } = settings;
  const line = (className: string, text: string, translations: Translations) =>
    translated(text, translations, locale, { tag: 'p', className });
  const review = webAddress(review_url);
  const { business_name, vat_number } = settings;
  const business = sideBySide(business_name, vat_number);
  return html`<footer id="foot">
${visit(view)}${line('charge', cover_charge_text, cover_charge_text_translations)}${priceLine(view)}${
  review &&
  html`<p><a id="review" href="${review}" target="_blank" rel="noopener">${texts.review}</a></p>\n`
}${line('words', theme.footer_text, theme.footer_text_translations)}${contact(view)}
${(business_name || vat_number) && html`<p class="business" dir="auto">${business}</p>\n`}${updated(view)}
<p class="screen-link"><a href="/?screen=1" rel="nofollow">${texts.asScreen}</a></p>
</footer>
`;
}

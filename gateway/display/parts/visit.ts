import type { Settings } from '../../../db/schema/settings.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { MenuReading } from './menu-view.ts';
import { translated, webAddress } from './own-text.ts';
import { dateRange, dayRange, timeRange } from './serving-times.ts';

// When a restaurant is open, and where guests find it.

const WEEK = [1, 2, 3, 4, 5, 6, 7];

/** Whether a restaurant says anything about when it is open. */
function hasHours({ opening_hours, closures }: Settings): boolean {
  return opening_hours.length + closures.length > 0;
}

/**
 * Whether the restaurant is open: the page's script writes it, for the page is made once for a version.
 * The hours stand in the element for `db/hours/opening.js`.
 */
export function openingLine({ settings }: MenuReading): Content {
  if (!hasHours(settings)) return null;
  const { opening_hours } = settings;
  const closures = settings.closures.map(({ date_start, date_end, text }) => ({
    ...{ date_start, date_end },
    text,
  }));
  return html`\n<p id="open" data-hours="${JSON.stringify({ opening_hours, closures })}"></p>`;
}

/** The texts with which `db/hours/opening.js` says it. */
export function openingTexts({ settings, texts, textLocale }: MenuReading) {
  if (!hasHours(settings)) return null;
  const { open, openUntil, opensAt, opensOn, closedNow } = texts;
  return { open, openUntil, opensAt, opensOn, closedNow, locale: textLocale };
}

/** The hours of each day of the week; days with the same ones stand together. */
function weekRows({ settings, locale, texts }: MenuReading): Html[] {
  const days = new Map<string, number[]>();
  for (const day of WEEK) {
    const spans = settings.opening_hours
      .filter(({ weekdays }) => weekdays === null || weekdays.includes(day))
      .sort((left, right) => (left.time_start < right.time_start ? -1 : 1))
      .map(({ time_start, time_end }) => timeRange(time_start, time_end));
    const text = spans.join(', ') || texts.closedDay;
    days.set(text, [...(days.get(text) ?? []), day]);
  }
  return [...days].map(
    ([text, list]) => html`<div><dt>${dayRange(list, locale)}</dt><dd>${text}</dd></div>\n`,
  );
}

function closureRow(closure: Settings['closures'][number], { locale, texts }: MenuReading): Html {
  const { date_start, date_end, text, text_translations } = closure;
  const said = translated(text, text_translations, locale, { tag: 'span' });
  const dates = dateRange(date_start, date_end ?? date_start, locale);
  return html`<div data-last="${date_end ?? date_start}"><dt>${dates}</dt><dd>${texts.closedDay}${said && ' · '}${said}</dd></div>\n`;
}

function hoursTable(reading: MenuReading): Content {
  const { settings, texts } = reading;
  if (!hasHours(settings)) return null;
  const week = settings.opening_hours.length > 0 && weekRows(reading);
  const closures = settings.closures
    .toSorted((left, right) => (left.date_start < right.date_start ? -1 : 1))
    .map((closure) => closureRow(closure, reading));
  return html`<section id="hours" aria-labelledby="hours-title"><h2 id="hours-title">${texts.openingHours}</h2>
<dl>
${week}${closures}</dl>
</section>
`;
}

/** The host of an address, which says which page it is. */
const hostOf = (address: string) => new URL(address).hostname.replace(/^www\./, '');

function links({ settings, texts }: MenuReading): Content {
  const { map_url, social_urls } = settings;
  const link = (href: string, text: Content) =>
    html`<a href="${href}" target="_blank" rel="noopener">${text}</a>\n`;
  const map = webAddress(map_url);
  const others = social_urls.filter((address) => webAddress(address) && URL.canParse(address));
  if (!map && others.length === 0) return null;
  return html`<p class="places">${map && link(map, texts.map)}${others.map((address) =>
    link(address, html`<span translate="no">${hostOf(address)}</span>`),
  )}</p>
`;
}

/** Its cuisine, below the name. */
export function cuisineLine({ settings, locale }: MenuReading): Content {
  const { cuisine, cuisine_translations } = settings;
  const frame = { tag: 'p', attributes: html` id="cuisine"` };
  const line = translated(cuisine, cuisine_translations, locale, frame);
  return line && [line, '\n'];
}

/** Hours, closures, the map and pages elsewhere. */
export function visit(reading: MenuReading): Content {
  return [hoursTable(reading), links(reading)];
}

import { groupBy } from '../../../db/runtime/group-by.ts';
import type { Settings } from '../../../db/schema/settings.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import type { MenuReading } from './menu-view.ts';
import { translated, webAddress } from './own-text.ts';
import { dateRange, dayRange, timeRange } from './serving-times.ts';

// When a restaurant is open, and where guests find it.

const WEEK = [1, 2, 3, 4, 5, 6, 7];

/** Whether a restaurant says anything about when it is open. */
function hasHours({ opening_hours, closures, special_hours = [] }: Settings): boolean {
  return opening_hours.length + closures.length + special_hours.length > 0;
}

/**
 * Whether the restaurant is open: the page's script writes it, for the page is made once for a version.
 * The hours stand in the element for `db/hours/opening.js`.
 */
export function openingLine({ settings }: MenuReading): Content {
  if (!hasHours(settings)) return null;
  const { opening_hours } = settings;
  const special_hours = settings.special_hours?.map(({ date, time_start, time_end }) => {
    return { date, time_start, time_end };
  });
  const closures = settings.closures.map(({ date_start, date_end, text }) => ({
    ...{ date_start, date_end },
    text,
  }));
  return html`\n<p id="open" data-hours="${JSON.stringify({ opening_hours, closures, special_hours })}"></p>`;
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

/** The spans of one day that has its own hours, and the text of the first one that has any. */
function ownDayRow(
  date: string,
  spans: NonNullable<Settings['special_hours']>,
  { locale }: MenuReading,
): Html {
  const times = spans
    .toSorted((left, right) => (left.time_start < right.time_start ? -1 : 1))
    .map(({ time_start, time_end }) => timeRange(time_start, time_end));
  const { text = '', text_translations = {} } = spans.find(({ text }) => text) ?? {};
  const said = translated(text, text_translations, locale, { tag: 'span' });
  return html`<div data-last="${date}"><dt>${dateRange(date, date, locale)}</dt><dd>${times.join(', ')}${said && ' · '}${said}</dd></div>\n`;
}

/** Closures and days with hours of their own, each with its first day. */
function singleDays(reading: MenuReading): (readonly [string, Html])[] {
  const { closures, special_hours = [] } = reading.settings;
  const ownDays = [...groupBy(special_hours, ({ date }) => date)];
  return [
    ...closures.map((closure) => [closure.date_start, closureRow(closure, reading)] as const),
    ...ownDays.map(([date, spans]) => [date, ownDayRow(date, spans, reading)] as const),
  ];
}

function hoursTable(reading: MenuReading): Content {
  const { settings, texts } = reading;
  if (!hasHours(settings)) return null;
  const week = settings.opening_hours.length > 0 && weekRows(reading);
  const days = singleDays(reading)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([, row]) => row);
  return html`<section id="hours" aria-labelledby="hours-title"><h2 id="hours-title">${texts.openingHours}</h2>
<dl>
${week}${days}</dl>
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

import { LRUCache } from 'lru-cache';
import type { PanelLanguage } from '../../../db/texts/catalogues.ts';
import { type Html, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { dateLocale } from '../texts/choose.ts';

const STYLES = {
  both: { dateStyle: 'medium', timeStyle: 'short' },
  date: { dateStyle: 'medium' },
  day: { dateStyle: 'full' },
  time: { timeStyle: 'short' },
  weekday: { weekday: 'long' },
  shortWeekday: { weekday: 'short' },
} as const;

type Style = keyof typeof STYLES;

interface Place {
  language: PanelLanguage;
  timezone: string;
}

/** To make a format takes as long as to write a hundred moments, and a page shows many. */
const formats = new LRUCache<string, Intl.DateTimeFormat, Place & { style: Style }>({
  max: 64,
  memoMethod: (_key, _stale, { context: { language, timezone, style } }) =>
    new Intl.DateTimeFormat(dateLocale(language), { ...STYLES[style], timeZone: timezone }),
});

/** A moment on the clocks of a place, as people of its language write it. */
export function momentIn(
  { language, timezone }: Place,
  moment: string | Date,
  style: Style = 'both',
): string {
  const key = `${language} ${timezone} ${style}`;
  const format = formats.memo(key, { context: { language, timezone, style } });
  return format.format(new Date(moment));
}

/** A date without an hour, as people of a language write it. */
export function dateIn({ language }: Pick<Place, 'language'>, date: string): string {
  return momentIn({ language, timezone: 'UTC' }, date, 'date');
}

/** A moment on the restaurant's clocks, as people write it. */
export function momentText({ request, session }: Desk, moment: string | Date, style?: Style) {
  return momentIn({ language: request.language, timezone: session.timezone }, moment, style);
}

/** The same as an element. */
export function momentElement(desk: Desk, moment: Date): Html {
  return html`<time datetime="${moment.toISOString()}">${momentText(desk, moment)}</time>`;
}

import { DAY } from '../../../../db/runtime/day.ts';
import type { Locale } from '../../../../db/schema/locale.ts';

/** How a language writes percentages, weekdays, languages and lists. */
export interface LocaleFormat {
  percent(share: number): string;
  /** A change in percent as it stands behind a sentence; nothing for null. */
  signed(change: number | null): string;
  weekday(day: number): string;
  language(locale: Locale): string;
  list(names: readonly string[]): string;
}

/** A Sunday: weekdays are counted from it. */
const SUNDAY = Date.UTC(2023, 0, 1);

function makeFormat(locale: Locale): LocaleFormat {
  const whole = { style: 'percent', maximumFractionDigits: 0 } as const;
  const percent = new Intl.NumberFormat(locale, whole);
  const signed = new Intl.NumberFormat(locale, { ...whole, signDisplay: 'exceptZero' });
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  const language = new Intl.DisplayNames(locale, { type: 'language' });
  const list = new Intl.ListFormat(locale);
  return {
    percent: (share) => percent.format(share),
    signed: (change) => (change === null ? '' : ` (${signed.format(change / 100)})`),
    weekday: (day) => weekday.format(SUNDAY + day * DAY),
    language: (code) => language.of(code) ?? code,
    list: (names) => list.format(names),
  };
}

/** One a language, for good: to make one takes Node longer than all else that a finding takes. */
const formats = new Map<Locale, LocaleFormat>();

export function localeFormat(locale: Locale): LocaleFormat {
  const format = formats.get(locale) ?? makeFormat(locale);
  formats.set(locale, format);
  return format;
}

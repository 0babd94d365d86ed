import { DAY } from '../../../../db/runtime/day.ts';
import type { Locale } from '../../../../db/schema/locale.ts';

/** How a language writes figures: numbers, percentages, weekdays, languages, lists of names. */
export interface LocaleFormat {
  number(value: number): string;
  /** The form that a word has beside a number; in French none of a thing is singular. */
  form(value: number, one: string, many: string): string;
  /** A number and the thing that it counts. */
  count(value: number, one: string, many: string): string;
  percent(value: number): string;
  signed(value: number | null): string;
  weekday(day: number): string;
  language(locale: Locale): string;
  /** Names after `all` when there are no more than these, else after `some`. */
  names(list: readonly { name: string }[], total: number, some: string, all: string): string;
}

/** A Sunday: weekdays are counted from it. */
const SUNDAY = Date.UTC(2023, 0, 1);

function makeFormat(locale: Locale): LocaleFormat {
  const oneDecimal = { maximumFractionDigits: 1 };
  const number = new Intl.NumberFormat(locale, oneDecimal);
  const plural = new Intl.PluralRules(locale, oneDecimal);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const signed = new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  const language = new Intl.DisplayNames(locale, { type: 'language' });
  const list = new Intl.ListFormat(locale);
  const form: LocaleFormat['form'] = (value, one, many) =>
    plural.select(value) === 'one' ? one : many;
  return {
    number: (value) => number.format(value),
    form,
    count: (value, one, many) => `${number.format(value)} ${form(value, one, many)}`,
    percent: (value) => percent.format(value),
    signed: (value) => (value === null ? '' : ` (${signed.format(value / 100)})`),
    weekday: (day) => weekday.format(SUNDAY + day * DAY),
    language: (code) => language.of(code) ?? code,
    names: (named, total, some, all) =>
      `${total > named.length ? some : all}${list.format(named.map(({ name }) => name))}`,
  };
}

/** One a language, for good: to make one takes Node longer than all else that a finding takes. */
const formats = new Map<Locale, LocaleFormat>();

export function localeFormat(locale: Locale): LocaleFormat {
  const format = formats.get(locale) ?? makeFormat(locale);
  formats.set(locale, format);
  return format;
}

import { DAY } from '../../../db/runtime/day.ts';
import { memoize } from '../../../db/runtime/memoize.ts';
import type { Locale } from '../../../db/schema/values/locale.ts';
import {
  compareCounts,
  findDailyTotals,
  sumCounts,
  sumItemLocales,
} from '../../../db/sql/counts.ts';
import { type PanelLanguage, panelLanguage } from '../../../db/texts/catalogues.ts';
import { sayIn, type Values } from '../../../db/texts/say.ts';
import {
  type Evidence,
  findBusiestHour,
  findBusiestWeekday,
  findMissingTranslations,
  findNarrowAllergens,
  findNeverViewed,
  findTrends,
  findVisitorsChange,
} from './findings.ts';
import type { Report } from './report.ts';
import type { Figures } from './report-schemas.ts';

/** A Sunday: weekdays are counted from it. */
const SUNDAY = Date.UTC(2023, 0, 1);

/**
 * How a language writes percentages, weekdays, languages and lists. One a language, for good: to make
 * one takes Node longer than all else that a finding takes.
 */
const formatsOf = memoize((locale: Locale) => {
  const whole = { style: 'percent', maximumFractionDigits: 0 } as const;
  const percent = new Intl.NumberFormat(locale, whole);
  const signed = new Intl.NumberFormat(locale, { ...whole, signDisplay: 'exceptZero' });
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  const language = new Intl.DisplayNames(locale, { type: 'language' });
  const list = new Intl.ListFormat(locale);
  return {
    percent: (share: number) => percent.format(share),
    /** A change in percent as it stands behind a sentence; nothing for null. */
    signed: (change: number | null) => (change === null ? '' : ` (${signed.format(change / 100)})`),
    weekday: (day: number) => weekday.format(SUNDAY + day * DAY),
    language: (code: Locale) => language.of(code) ?? code,
    list: (names: readonly string[]) => list.format(names),
  };
});

/** The values of a finding that its language writes in a way of its own. */
function written(figures: Figures, locale: PanelLanguage): Values {
  const say = sayIn(locale);
  const format = formatsOf(locale);
  switch (figures.kind) {
    case 'visitors':
    case 'rising_item':
    case 'falling_item':
      return { change: format.signed(figures.change) };
    case 'never_viewed':
    case 'missing_translations': {
      const { examples } = figures;
      const total = figures.kind === 'never_viewed' ? figures.count : figures.items;
      const list = format.list(examples.map(({ name }) => name));
      const names = say(total > examples.length ? 'findings.examples' : 'findings.all', { list });
      return {
        names,
        language: figures.kind === 'never_viewed' ? '' : format.language(figures.locale),
      };
    }
    case 'busiest_hour':
      return {
        from: say('findings.hour', { hour: figures.hour }),
        to: say('findings.hour', { hour: figures.hour + 1 }),
        share: format.percent(figures.share),
      };
    case 'busiest_weekday':
      return { day: format.weekday(figures.weekday) };
    case 'narrow_allergen':
      return {};
  }
}

/** A finding in plain words of the restaurant's own language. */
export function sayFinding(figures: Figures, own: Locale): string {
  const locale = panelLanguage(own);
  const values = { ...figures, ...written(figures, locale) };
  return sayIn(locale)(`findings.${figures.kind}`, values as unknown as Values);
}

/** Everything that is looked for, in the order in which it is told. */
const SEARCHES: ((evidence: Evidence) => Figures[])[] = [
  findVisitorsChange,
  findTrends,
  findMissingTranslations,
  findNarrowAllergens,
  findNeverViewed,
  findBusiestHour,
  findBusiestWeekday,
];

/** Findings in plain words of the restaurant's language, with the figures behind them. */
export const insights: Report<'insights'> = async ({ db, tenant, period, limit, loadMenu }) => {
  const [menu, days, hours, items, readers, allergens] = await Promise.all([
    loadMenu(),
    findDailyTotals(db, tenant.id, period),
    sumCounts(db, tenant.id, 'hour', period),
    compareCounts(db, tenant.id, 'item', period),
    sumItemLocales(db, tenant.id, period),
    sumCounts(db, tenant.id, 'allergen', period),
  ]);
  const evidence = { menu, from: period.from, days, hours, items, readers, allergens };
  const findings = SEARCHES.flatMap((search) => search(evidence)).slice(0, limit);
  return {
    locale: menu.defaultLocale,
    findings: findings.map((finding) => {
      const { kind, ...figures } = finding;
      return { kind, text: sayFinding(finding, menu.defaultLocale), figures };
    }),
  };
};

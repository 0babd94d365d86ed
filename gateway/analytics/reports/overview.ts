import { shiftDay } from '../../../db/runtime/day.ts';
import { objectOf } from '../../../db/runtime/keys.ts';
import { EVENT_TYPES } from '../../../db/schema/event.ts';
import {
  type Compared,
  compareCounts,
  type DailyTotal,
  findDailyTotals,
  sumCounts,
} from '../../../db/sql/counts.ts';
import { countDays } from './period.ts';
import { changeOf, type Report, rankChange, ranksOf, shareOf } from './report.ts';
import type { Views } from './report-schemas.ts';

/**
 * Ranks what was viewed in the period, the most viewed first.
 *
 * @param compared only what is to be reported: shares and ranks are among these
 */
export function rankViews(compared: readonly Compared[]): { key: string; views: Views }[] {
  const total = compared.reduce((sum, { events }) => sum + events, 0);
  const ranks = ranksOf(compared.map(({ key, events }) => [key, events] as const));
  const previousRanks = ranksOf(
    compared.map(({ key, previous_events }) => [key, previous_events] as const),
  );
  return compared
    .filter(({ events }) => events > 0)
    .map(({ key, events, visitors, previous_events }) => ({
      key,
      views: {
        views: events,
        visitors,
        share: shareOf(events, total),
        rank: ranks.get(key) as number,
        previous_views: previous_events,
        previous_rank: previousRanks.get(key) ?? null,
        rank_change: rankChange(ranks.get(key), previousRanks.get(key)),
        change: changeOf(events, previous_events),
      },
    }))
    .sort(
      (a, b) => a.views.rank - b.views.rank || a.key.localeCompare(b.key, 'en', { numeric: true }),
    );
}

const HOURS = 24;

function addUp(days: readonly DailyTotal[]) {
  return days.reduce(
    (sum, { events, visitors }) => ({
      events: sum.events + events,
      visitors: sum.visitors + visitors,
    }),
    { events: 0, visitors: 0 },
  );
}

function byType<T>(types: readonly Compared[], figure: (compared: Compared | undefined) => T) {
  const byKey = new Map(types.map((compared) => [compared.key, compared]));
  return objectOf(EVENT_TYPES, (type) => figure(byKey.get(type)));
}

/** Totals, by day, hour and language, and how they compare with as many days before. */
export const overview: Report<'overview'> = async ({ db, tenant, period }) => {
  const { from, to, previousFrom, previousTo } = period;
  const [totals, types, hours, locales] = await Promise.all([
    findDailyTotals(db, tenant.id, period),
    compareCounts(db, tenant.id, 'type', period),
    sumCounts(db, tenant.id, 'hour', period),
    sumCounts(db, tenant.id, 'locale', period),
  ]);
  const now = addUp(totals.filter(({ day }) => day >= from));
  const before = addUp(totals.filter(({ day }) => day < from));
  const days = new Map(totals.map((total) => [total.day, total]));
  const hoursByKey = new Map(hours.map((hour) => [Number(hour.key), hour]));
  return {
    totals: { ...now, by_type: byType(types, (type) => type?.events ?? 0) },
    previous: {
      from: previousFrom,
      to: previousTo,
      ...before,
      by_type: byType(types, (type) => type?.previous_events ?? 0),
    },
    change: {
      events: changeOf(now.events, before.events),
      visitors: changeOf(now.visitors, before.visitors),
      by_type: byType(types, (type) => changeOf(type?.events ?? 0, type?.previous_events ?? 0)),
    },
    by_day: Array.from({ length: countDays(from, to) }, (_, index) => {
      const date = shiftDay(from, index);
      const day = days.get(date);
      return { date, events: day?.events ?? 0, visitors: day?.visitors ?? 0 };
    }),
    by_hour: Array.from({ length: HOURS }, (_, hour) => {
      const counted = hoursByKey.get(hour);
      return { hour, events: counted?.events ?? 0, visitors: counted?.visitors ?? 0 };
    }),
    by_locale: locales
      .map(({ key, events, visitors }) => ({
        locale: key === '' ? null : key,
        events,
        visitors,
        share: shareOf(events, now.events),
      }))
      .sort((a, b) => b.events - a.events),
  };
};

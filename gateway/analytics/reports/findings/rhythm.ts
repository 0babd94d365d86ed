import { shiftDay } from '../../../../db/runtime/day.ts';
import type { DailyTotal } from '../../../../db/sql/counts.ts';
import { countDays } from '../period.ts';
import { shareOf } from '../report.ts';
import type { Figures } from '../report-schemas.ts';
import type { Evidence } from './finding.ts';

/** Fewer visitors than this show no rhythm. */
const MIN_VISITORS = 50;
/** Weeks that must have been seen before a weekday is called busy. */
const MIN_WEEKS = 2;
const DAYS_PER_WEEK = 7;
/** How far above the average a weekday must lie. */
const MIN_EXCESS = 1.2;

function weekdayOf(day: string): number {
  return new Date(day).getUTCDay();
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function visitorsOf(days: readonly DailyTotal[]): number {
  return days.reduce((sum, { visitors }) => sum + visitors, 0);
}

/** The hour in which most visitors looked at the menu; who stays for two is a visitor of both. */
export function findBusiestHour({ hours, days, from }: Evidence): Figures[] {
  const total = visitorsOf(days.filter(({ day }) => day >= from));
  const [busiest] = [...hours].sort((a, b) => b.visitors - a.visitors);
  if (!busiest || total < MIN_VISITORS) return [];
  const { key, visitors } = busiest;
  return [{ kind: 'busiest_hour', hour: Number(key), visitors, share: shareOf(visitors, total) }];
}

/** The weekday (0 is Sunday) that stands out by its visitors, days without any among them. */
export function findBusiestWeekday({ days, from }: Evidence): Figures[] {
  const counted = days.filter(({ day }) => day >= from);
  const total = visitorsOf(counted);
  const [first, last] = [counted[0], counted.at(-1)];
  if (!first || !last || total < MIN_VISITORS) return [];
  const calendar = Array.from({ length: countDays(first.day, last.day) }, (_, index) =>
    weekdayOf(shiftDay(first.day, index)),
  );
  if (calendar.length < MIN_WEEKS * DAYS_PER_WEEK) return [];
  const overall = total / calendar.length;
  const averages = Array.from({ length: DAYS_PER_WEEK }, (_, weekday) => {
    const visitors = visitorsOf(counted.filter(({ day }) => weekdayOf(day) === weekday));
    return { weekday, average: visitors / calendar.filter((one) => one === weekday).length };
  });
  const [busiest] = averages.sort((a, b) => b.average - a.average);
  if (!busiest || busiest.average < MIN_EXCESS * overall) return [];
  return [
    {
      kind: 'busiest_weekday',
      weekday: busiest.weekday,
      average: round(busiest.average),
      overall_average: round(overall),
    },
  ];
}

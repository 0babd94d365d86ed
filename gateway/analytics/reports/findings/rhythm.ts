import type { Figures } from '../../../../db/analytics/report-schemas.ts';
import { shareOf } from '../figures.ts';
import type { Evidence } from './finding.ts';

/** Fewer visitors than this show no rhythm. */
const MIN_VISITORS = 50;
/** Weeks that must have been seen before a weekday is called busy. */
const MIN_WEEKS = 2;
const DAYS_PER_WEEK = 7;
/** How far above the average a weekday must lie. */
const MIN_EXCESS = 1.2;

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The hour in which most visitors looked at the menu. */
export function findBusiestHour({ hours }: Evidence): Figures[] {
  const total = hours.reduce((sum, { visitors }) => sum + visitors, 0);
  const [busiest] = [...hours].sort((a, b) => b.visitors - a.visitors);
  if (!busiest || total < MIN_VISITORS) return [];
  const { key, visitors } = busiest;
  return [{ kind: 'busiest_hour', hour: Number(key), visitors, share: shareOf(visitors, total) }];
}

/** The weekday (0 is Sunday) that stands out by its visitors. */
export function findBusiestWeekday({ days, from }: Evidence): Figures[] {
  const counted = days.filter(({ day }) => day >= from);
  const total = counted.reduce((sum, { visitors }) => sum + visitors, 0);
  if (counted.length < MIN_WEEKS * DAYS_PER_WEEK || total < MIN_VISITORS) return [];
  const overall = total / counted.length;
  const averages = Array.from({ length: DAYS_PER_WEEK }, (_, weekday) => {
    const like = counted.filter(({ day }) => new Date(day).getUTCDay() === weekday);
    const visitors = like.reduce((sum, day) => sum + day.visitors, 0);
    return { weekday, average: like.length === 0 ? 0 : visitors / like.length };
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

import * as v from 'valibot';
import { constants } from '../../../db/runtime/constants.ts';
import { DAY, shiftDay } from '../../../db/runtime/day.ts';
import { describedAs } from '../../../db/schema/validation/described-as.ts';
import { WHOLE } from '../../../db/schema/validation/input-fields.ts';
import { broken, rule } from '../../../db/schema/validation/rule.ts';
import { InvalidError } from '../../http/errors.ts';
import { dayParameter, readQuery } from '../../http/query.ts';
import { localTime } from '../local-time.ts';

/** Longest period of a report, in days. */
const MAX_REPORT_DAYS = 1_100;

/** Entries of a report’s lists when no limit is asked for, and the largest limit. */
const DEFAULT_REPORT_LIMIT = 50;
const MAX_REPORT_LIMIT = 1_000;

/** First day of any report; Postgres has no year 0. */
const EARLIEST_REPORT_DAY = '2000-01-01';

const { defaultReportDays } = constants;
const TO = `Last day of the period, in the restaurant’s time zone; today by default. A period has at most ${MAX_REPORT_DAYS} days.`;
const FROM = `First day of the period; by default the one that makes it ${defaultReportDays} days long.`;

const LIMIT =
  'Longest list of dishes, sections, allergens or searches, and the most findings of the insights. It bounds ' +
  'neither the days, hours and languages of the overview nor the examples of a finding.';

/** The parameters of the reports (DESIGN, "report parameters"). */
export const reportQuerySchema = v.object({
  from: dayParameter(FROM),
  to: dayParameter(TO),
  limit: v.pipe(
    v.optional(v.string(), String(DEFAULT_REPORT_LIMIT)),
    v.regex(WHOLE, 'integer'),
    describedAs({
      type: 'integer',
      minimum: 1,
      maximum: MAX_REPORT_LIMIT,
      default: DEFAULT_REPORT_LIMIT,
      description: LIMIT,
    }),
    v.transform(Number),
    v.minValue(1, rule('min', { min: 1 })),
    v.maxValue(MAX_REPORT_LIMIT, rule('max', { max: MAX_REPORT_LIMIT })),
  ),
});

/** Days of a period, both ends included. */
export function countDays(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1;
}

/**
 * Reads which days a report is about: by default the last thirty of the restaurant's calendar,
 * today included.
 *
 * @param now milliseconds since 1970
 * @throws InvalidError
 */
export function readPeriod(query: string, timezone: string, now: number) {
  const { values, ignored } = readQuery(reportQuerySchema, query);
  const { from: givenFrom, to: givenTo, limit } = values;
  const today = localTime(timezone, now).day;
  const to = givenTo ?? (givenFrom !== undefined && givenFrom > today ? givenFrom : today);
  if (givenFrom !== undefined && givenFrom < EARLIEST_REPORT_DAY) {
    throw new InvalidError({ from: [broken('notBefore', { date: EARLIEST_REPORT_DAY })] });
  }
  const byDefault = shiftDay(to, 1 - constants.defaultReportDays);
  const from = givenFrom ?? (byDefault < EARLIEST_REPORT_DAY ? EARLIEST_REPORT_DAY : byDefault);
  if (to < from) throw new InvalidError({ to: [broken('notBefore', { date: from })] });
  const days = countDays(from, to);
  if (days > MAX_REPORT_DAYS) {
    const latest = shiftDay(from, MAX_REPORT_DAYS - 1);
    throw new InvalidError({ to: [broken('notAfter', { date: latest })] });
  }
  const previousTo = shiftDay(from, -1);
  return { period: { from, to, previousFrom: shiftDay(from, -days), previousTo }, limit, ignored };
}

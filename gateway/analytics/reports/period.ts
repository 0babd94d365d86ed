import { constants } from '../../../db/runtime/constants.ts';
import { DAY, shiftDay } from '../../../db/runtime/day.ts';
import { ruleTexts } from '../../../db/schema/validation/messages.ts';
import type { Period } from '../../../db/sql/analytics/compare-counts.ts';
import { checkQuery } from '../../http/query.ts';
import { reportQuerySchema } from '../../parameters/report.ts';
import { InvalidError } from '../../pipeline/errors.ts';
import { localTime } from '../local-time.ts';

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
export function readPeriod(
  query: string,
  timezone: string,
  now: number,
): { period: Period; limit: number } {
  const { from: givenFrom, to: givenTo, limit } = checkQuery(reportQuerySchema, query);
  const today = localTime(timezone, now).day;
  const to = givenTo ?? (givenFrom !== undefined && givenFrom > today ? givenFrom : today);
  const { earliestReportDay } = constants;
  if (givenFrom !== undefined && givenFrom < earliestReportDay) {
    throw new InvalidError({ from: [ruleTexts.notBefore('from', earliestReportDay)] });
  }
  const byDefault = shiftDay(to, 1 - constants.defaultReportDays);
  const from = givenFrom ?? (byDefault < earliestReportDay ? earliestReportDay : byDefault);
  if (to < from) throw new InvalidError({ to: [ruleTexts.notBefore('to', from)] });
  const days = countDays(from, to);
  if (days > constants.maxReportDays) {
    const latest = shiftDay(from, constants.maxReportDays - 1);
    throw new InvalidError({ to: [ruleTexts.notAfter('to', latest)] });
  }
  const previousTo = shiftDay(from, -1);
  return { period: { from, to, previousFrom: shiftDay(from, -days), previousTo }, limit };
}

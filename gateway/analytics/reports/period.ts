import * as v from 'valibot';
import { bounds } from '../../../db/bounds.ts';
import { reportQuerySchema } from '../../../db/parameters/report.ts';
import type { Period } from '../../../db/queries/analytics/compare-counts.ts';
import { explain } from '../../../db/validation/check-input.ts';
import { type FieldErrors, ruleTexts } from '../../../db/validation/messages.ts';
import { InvalidError } from '../../errors.ts';
import { parseQuery } from '../../http/query.ts';
import { localTime } from '../local-time.ts';

/** In ms. */
const DAY = 86_400_000;

/** The day that lies `days` after `day`, both `YYYY-MM-DD`. */
export function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

/** Days of a period, both ends included. */
export function countDays(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1;
}

function readQuery(query: string): v.InferOutput<typeof reportQuerySchema> {
  const given = Object.fromEntries(parseQuery(query));
  const result = v.safeParse(reportQuerySchema, given, { abortPipeEarly: true });
  if (result.success) return result.output;
  const errors: FieldErrors = {};
  for (const issue of result.issues) {
    const field = v.getDotPath(issue) ?? '';
    errors[field] ??= [explain(field, issue)];
  }
  throw new InvalidError(errors);
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
  const { from: givenFrom, to: givenTo, limit } = readQuery(query);
  const today = localTime(timezone, now).day;
  const to = givenTo ?? (givenFrom !== undefined && givenFrom > today ? givenFrom : today);
  const { earliestReportDay } = bounds;
  if (givenFrom !== undefined && givenFrom < earliestReportDay) {
    throw new InvalidError({ from: [ruleTexts.notBefore('from', earliestReportDay)] });
  }
  const byDefault = shiftDay(to, 1 - bounds.defaultReportDays);
  const from = givenFrom ?? (byDefault < earliestReportDay ? earliestReportDay : byDefault);
  if (to < from) throw new InvalidError({ to: [ruleTexts.notBefore('to', from)] });
  const days = countDays(from, to);
  if (days > bounds.maxReportDays) {
    const latest = shiftDay(from, bounds.maxReportDays - 1);
    throw new InvalidError({ to: [ruleTexts.notAfter('to', latest)] });
  }
  const previousTo = shiftDay(from, -1);
  return { period: { from, to, previousFrom: shiftDay(from, -days), previousTo }, limit };
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertConstants } from '../../../db/runtime/assert-constants.ts';
import { constants } from '../../../db/runtime/constants.ts';

const DAY = 86_400_000;

/** Tests elsewhere count with the bounds themselves; here stands what clients have been told. */
const PROMISES: [promise: string, bound: number, value: number][] = [
  ['what is deleted can be restored for 30 days (DESIGN, decision 7)', constants.purgeDays, 30],
  ['results and idempotency keys are kept for a day (/openapi.json)', constants.resultHours, 24],
  ['the 500s among them are kept for a month, for the operator', constants.faultHours, 30 * 24],
  ['an event may be two days old', constants.maxEventAge, 2 * DAY],
  ['and its id is known for longer than that', constants.eventIdDays, 9],
  ['a request has at most 500 events (DESIGN, "event body")', constants.maxEventsPerRequest, 500],
  ['a page has 50 dishes (DESIGN, "per_page")', constants.defaultPerPage, 50],
  ['and at most 100', constants.maxPerPage, 100],
  ['a report is about 30 days (DESIGN, "report parameters")', constants.defaultReportDays, 30],
  ['a window of requests is a minute long (SPEC, "Limits")', constants.limitWindow, 60_000],
];

for (const [promise, bound, value] of PROMISES) {
  test(promise, () => assert.equal(bound, value));
}

test('assertConstants takes the constants that processes run with', () => {
  assertConstants(constants);
});

test('assertConstants refuses a kill that comes before a process can have stopped', () => {
  const { drainTime, stopTimeout } = constants;
  assert.throws(() => assertConstants({ ...constants, killAfter: drainTime + stopTimeout }));
});

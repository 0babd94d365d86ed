import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { localTime } from '../../../gateway/analytics/local-time.ts';

const at = (zone: string, iso: string) => {
  const { day, hour } = localTime(zone, Date.parse(iso));
  return `${day} ${hour}`;
};

test('the restaurant’s clock decides the day and the hour', () => {
  assert.equal(at('Europe/Rome', '2026-01-31T22:59:59.999Z'), '2026-01-31 23');
  assert.equal(at('Europe/Rome', '2026-01-31T23:00:00Z'), '2026-02-01 0');
  assert.equal(at('America/New_York', '2026-07-01T03:59:00Z'), '2026-06-30 23');
  assert.equal(at('Pacific/Kiritimati', '2025-12-31T10:00:00Z'), '2026-01-01 0');
  assert.equal(at('Asia/Kathmandu', '2026-05-01T18:14:59Z'), '2026-05-01 23');
  assert.equal(at('Asia/Kathmandu', '2026-05-01T18:15:00Z'), '2026-05-02 0');
});

test('days of 23 and of 25 hours begin and end at local midnight', () => {
  // Clocks go forward at two o'clock: there is no hour 2.
  assert.equal(at('Europe/Rome', '2026-03-28T23:00:00Z'), '2026-03-29 0');
  assert.equal(at('Europe/Rome', '2026-03-29T00:59:59Z'), '2026-03-29 1');
  assert.equal(at('Europe/Rome', '2026-03-29T01:00:00Z'), '2026-03-29 3');
  assert.equal(at('Europe/Rome', '2026-03-29T21:59:59Z'), '2026-03-29 23');
  assert.equal(at('Europe/Rome', '2026-03-29T22:00:00Z'), '2026-03-30 0');
  // Clocks go back at three o'clock: the hour 2 comes twice.
  assert.equal(at('Europe/Rome', '2026-10-24T22:00:00Z'), '2026-10-25 0');
  assert.equal(at('Europe/Rome', '2026-10-25T00:30:00Z'), '2026-10-25 2');
  assert.equal(at('Europe/Rome', '2026-10-25T01:30:00Z'), '2026-10-25 2');
  assert.equal(at('Europe/Rome', '2026-10-25T22:59:59Z'), '2026-10-25 23');
  assert.equal(at('Europe/Rome', '2026-10-25T23:00:00Z'), '2026-10-26 0');
  // Lord Howe moves its clocks by half an hour.
  assert.equal(at('Australia/Lord_Howe', '2026-04-04T14:59:00Z'), '2026-04-05 1');
  assert.equal(at('Australia/Lord_Howe', '2026-04-04T15:00:00Z'), '2026-04-05 1');
  assert.equal(at('Australia/Lord_Howe', '2026-04-04T15:30:00Z'), '2026-04-05 2');
});

test('whatever is remembered of a zone is what a fresh formatter says', () => {
  const zones = ['Europe/Rome', 'America/St_Johns', 'Asia/Kolkata', 'Pacific/Chatham', 'UTC'];
  const style = { dateStyle: 'short', timeStyle: 'short' } as const;
  const formatOf = (timeZone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone, ...style });
  const formats = new Map(zones.map((zone) => [zone, formatOf(zone)]));
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2028, 0) }),
      (zone, time) => {
        const [day, clock = ''] = formats.get(zone)?.format(time).split(' ') ?? [];
        assert.deepEqual(localTime(zone, time), { day, hour: Number(clock.slice(0, 2)) });
      },
    ),
    { numRuns: 2_000 },
  );
});

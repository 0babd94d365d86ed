import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import { pino } from 'pino';
import { type GoesOn, startRounds } from '../../../workers/housekeeping/rounds.ts';

const INTERVAL = 60_000;
const FIRST_AFTER = 5_000;

/** A round under way, which the test ends. */
interface Round {
  goesOn: GoesOn;
  end(): void;
  fail(error: Error): void;
}

let rounds: Round[];
let logged: string[];
let running: ReturnType<typeof startRounds>;

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  rounds = [];
  logged = [];
  const round = (goesOn: GoesOn) =>
    new Promise<void>((end, fail) => rounds.push({ goesOn, end, fail }));
  const log = pino({}, { write: (line) => logged.push(JSON.parse(line).msg) });
  running = startRounds({
    ...{ what: 'the sweeping', interval: INTERVAL, firstAfter: FIRST_AFTER },
    ...{ round, log },
  });
});
afterEach(() => mock.timers.reset());

test('the first round comes soon, the next one an interval after the end of the last', async () => {
  mock.timers.tick(FIRST_AFTER - 1);
  assert.equal(rounds.length, 0);
  mock.timers.tick(1);
  assert.equal(rounds.length, 1);
  mock.timers.tick(2 * INTERVAL);
  assert.equal(rounds.length, 1, 'two rounds do not overlap');
  rounds[0]?.end();
  await settle();
  mock.timers.tick(INTERVAL - 1);
  assert.equal(rounds.length, 1);
  mock.timers.tick(1);
  assert.equal(rounds.length, 2);
});

test('a round that fails is told and tried again', async () => {
  mock.timers.tick(FIRST_AFTER);
  rounds[0]?.fail(new Error('dust'));
  await settle();
  assert.deepEqual(logged, ['the sweeping failed; it will be tried again']);
  mock.timers.tick(INTERVAL);
  assert.equal(rounds.length, 2);
});

test('stopping tells the round under way, waits for it, and no other follows', async () => {
  mock.timers.tick(FIRST_AFTER);
  const [round] = rounds as [Round];
  assert.equal(round.goesOn(), true);
  let hasStopped = false;
  const stopped = running.stop().then(() => {
    hasStopped = true;
  });
  await settle();
  assert.deepEqual([round.goesOn(), hasStopped], [false, false]);
  round.end();
  await stopped;
  mock.timers.tick(10 * INTERVAL);
  assert.equal(rounds.length, 1);
});

test('one that is stopped before its first round has none', async () => {
  await running.stop();
  mock.timers.tick(10 * INTERVAL);
  assert.equal(rounds.length, 0);
});

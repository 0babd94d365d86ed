// The loop that claims jobs of restaurants, with a queue of the test's own.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import { pino } from 'pino';
import { startTurnLoop } from '../../../workers/turns/turn-loop.ts';

const LATES = 3;
const HOLD = 100;
const POLL = 2_000;

let jobs: string[];
let taken: string[];
let claims: number;
let isNeeded: boolean;
let isBusy: boolean;
let loop: ReturnType<typeof startTurnLoop>;

beforeEach(async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  jobs = [];
  taken = [];
  claims = 0;
  isNeeded = false;
  isBusy = false;
  loop = startTurnLoop<string>({
    isNeeded: async () => isNeeded,
    isBusy: () => isBusy,
    claim: async () => {
      claims += 1;
      return jobs.splice(0, 1);
    },
    take: async (claimed) => {
      taken.push(...claimed);
      return false;
    },
    ...{ untilPoll: () => POLL, batchSize: 16, log: pino({ level: 'silent' }) },
    constants: {
      ...{ turnsInParallel: 2, latesBeforeHold: LATES, firstHold: HOLD, longestHold: POLL },
      retryDelay: 1,
    },
  });
  await settle();
  claims = 0;
});
afterEach(async () => {
  await loop.stop();
  mock.timers.reset();
});

/** A notice of a job that this worker gets, or that another one got. */
async function notice(job: string | null): Promise<void> {
  if (job) jobs.push(job);
  loop.onNotice();
  await settle();
}

async function pass(ms: number): Promise<void> {
  mock.timers.tick(ms);
  await settle();
}

test('a notice is followed at once while each one brings a job', async () => {
  for (const job of ['a', 'b', 'c']) await notice(job);
  assert.deepEqual(taken, ['a', 'b', 'c']);
});

/** Others get the jobs of so many notices that this worker leaves the work to them. */
async function comeTooLate(): Promise<void> {
  for (let count = 0; count < LATES; count += 1) await notice(null);
  claims = 0;
}

test('a worker that came too late a few times looks later, each time twice as long', async () => {
  await notice(null);
  await notice(null);
  assert.equal(claims, 2, 'it still looks at once');
  await comeTooLate();
  isNeeded = true;
  await notice(null);
  await notice(null);
  assert.equal(claims, 0, 'it waits');
  await pass(HOLD);
  assert.equal(claims, 1, 'one look for both notices');
  await notice(null);
  await pass(HOLD);
  assert.equal(claims, 1);
  await pass(HOLD);
  assert.equal(claims, 2);
});

test('a job in between lets a worker forget that it came too late', async () => {
  await notice(null);
  await notice(null);
  await notice('a');
  await notice(null);
  await notice('b');
  assert.deepEqual(taken, ['a', 'b']);
});

test('a worker with a long turn does not come too late for the jobs behind it', async () => {
  isBusy = true;
  await comeTooLate();
  await notice('a');
  assert.deepEqual(taken, ['a']);
});

test('a worker that waits leaves jobs to others until one has waited for long', async () => {
  await comeTooLate();
  await notice('a');
  await pass(HOLD);
  assert.deepEqual(taken, [], 'the others are fast enough');
  isNeeded = true;
  await pass(2 * HOLD);
  assert.deepEqual(taken, ['a'], 'it looks once more, without a notice');
  await notice('b');
  assert.deepEqual(taken, ['a', 'b'], 'now it follows at once');
});

test('a worker that waits claims at once when it is told to look', async () => {
  await comeTooLate();
  jobs.push('a');
  loop.wake();
  await settle();
  assert.deepEqual(taken, ['a']);
});

test('a job whose notice was lost is found by the poll', async () => {
  jobs.push('a');
  await pass(POLL - 1);
  assert.deepEqual(taken, []);
  await pass(1);
  assert.deepEqual(taken, ['a']);
});

test('polls that find nothing do not delay the next notice', async () => {
  for (let count = 0; count < 3; count += 1) await pass(POLL);
  await notice('a');
  assert.deepEqual(taken, ['a']);
});

// When a worker takes the writes of which it has heard, before the queue hands out their jobs.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { pino } from 'pino';
import { constants } from '../../db/runtime/constants.ts';
import {
  createPromptTurns,
  type PromptTurns,
  type Rest,
} from '../../workers/writes/prompt-turns.ts';

/** Lets everything run that only waits for promises and for its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A turn under way, which the test ends. */
interface OpenTurn {
  tenantId: number;
  end(rest: Rest): Promise<unknown>;
  fail(): Promise<unknown>;
}

let open: OpenTurn[];
let failures: number;
let turns: PromptTurns;

beforeEach(() => {
  open = [];
  failures = 0;
  turns = createPromptTurns({
    take: (tenantId) =>
      new Promise((resolve, reject) => {
        const over = () => {
          open = open.filter((one) => one !== turn);
          return settle();
        };
        const turn: OpenTurn = {
          tenantId,
          end: (rest) => {
            resolve(rest);
            return over();
          },
          fail: () => {
            reject(new Error('Postgres is away'));
            return over();
          },
        };
        open.push(turn);
      }),
    onFailure: () => {
      failures += 1;
    },
    log: pino({ level: 'silent' }),
    constants,
  });
});

const tenants = () => open.map(({ tenantId }) => tenantId);
const first = () => open[0] as OpenTurn;

test('there are only so many at once, and never two of a restaurant', async () => {
  const ids = Array.from({ length: constants.writesInParallel + 1 }, (_, index) => index + 1);
  turns.announce([1]);
  turns.announce(ids);
  assert.deepEqual(tenants(), ids.slice(0, constants.writesInParallel));
  await first().end('none');
  assert.equal(open.length, constants.writesInParallel);
  assert.equal(new Set(tenants()).size, open.length);
});

test('what is announced during a turn has another one after it', async () => {
  turns.announce([1]);
  turns.announce([1]);
  assert.deepEqual(tenants(), [1]);
  await first().end('none');
  assert.deepEqual(tenants(), [1]);
  await first().end('none');
  assert.deepEqual(tenants(), []);
});

test('more writes than share a turn are done in the next one', async () => {
  turns.announce([1]);
  await first().end('more');
  assert.deepEqual(tenants(), [1]);
  await first().end('none');
  assert.deepEqual(tenants(), []);
});

test('a restaurant that is locked is looked at once more, and then left to the queue', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const wait = () => t.mock.timers.tick(constants.lockedTenantPause);
  for (let i = 0; i < 2; i += 1) {
    turns.announce([1]);
    await first().end('locked');
    assert.deepEqual(tenants(), []);
    wait();
    assert.deepEqual(tenants(), [1]);
    await first().end('locked');
    wait();
    assert.deepEqual(tenants(), []);
  }
});

test('of a turn that fails the queue is told, and others go on', async () => {
  turns.announce([1, 2, 3]);
  await first().fail();
  assert.equal(failures, 1);
  assert.deepEqual(tenants(), [2, 3]);
});

test('stopping waits for the turns under way and begins no others', async () => {
  turns.announce([1, 2, 3]);
  let isStopped = false;
  const stopping = turns.stop().then(() => {
    isStopped = true;
  });
  await first().end('more');
  assert.deepEqual([tenants(), isStopped], [[2], false]);
  await first().end('none');
  await stopping;
  assert.deepEqual(tenants(), []);
});

// When a worker takes announced writes, before the queue hands out their jobs.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { pino } from 'pino';
import { constants } from '../../db/runtime/constants.ts';
import {
  createTenantTurns,
  type TenantTurns,
  type TurnResult,
} from '../../workers/writes/tenant-turns.ts';

/** Lets everything run that only waits for promises and for its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A turn under way, which the test ends. */
interface OpenTurn {
  tenantId: number;
  end(rest: TurnResult): Promise<unknown>;
  fail(): Promise<unknown>;
}

let open: OpenTurn[];
let failures: number;
let turns: TenantTurns;

beforeEach(() => {
  open = [];
  failures = 0;
  turns = createTenantTurns({
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
  await first().end('done');
  assert.equal(open.length, constants.writesInParallel);
  assert.equal(new Set(tenants()).size, open.length);
});

test('what is announced during a turn has another one after it', async () => {
  turns.announce([1]);
  turns.announce([1]);
  assert.deepEqual(tenants(), [1]);
  await first().end('done');
  assert.deepEqual(tenants(), [1]);
  await first().end('done');
  assert.deepEqual(tenants(), []);
});

test('more writes than share a turn are done in the next one', async () => {
  turns.announce([1]);
  await first().end('more');
  assert.deepEqual(tenants(), [1]);
  await first().end('done');
  assert.deepEqual(tenants(), []);
});

test('a restaurant that is locked is looked at later, and at last left to the queue', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  turns.announce([1]);
  await first().end('locked');
  for (let look = 1; look < constants.maxLockedTenantLooks; look += 1) {
    const pause = constants.lockedTenantPause * 2 ** (look - 1);
    t.mock.timers.tick(pause - 1);
    assert.deepEqual(tenants(), []);
    t.mock.timers.tick(1);
    assert.deepEqual(tenants(), [1]);
    await first().end('locked');
  }
  t.mock.timers.tick(3_600_000);
  assert.deepEqual(tenants(), []);
});

test('a restaurant of another worker is looked at later, until its writes are left to this one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const wait = () => t.mock.timers.tick(constants.lockedTenantPause);
  turns.announce([1]);
  await first().end('locked');
  for (let i = 0; i < 100; i += 1) turns.announce([1]);
  assert.deepEqual(tenants(), [], 'the other worker does them');
  wait();
  assert.deepEqual(tenants(), [1], 'one look for all that was announced');
  await first().end('idle');
  turns.announce([1]);
  assert.deepEqual(tenants(), []);
  wait();
  await first().end('done');
  turns.announce([1]);
  assert.deepEqual(tenants(), [1], 'the other worker did not do them');
  await first().end('done');
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
  await first().end('done');
  await stopping;
  assert.deepEqual(tenants(), []);
});

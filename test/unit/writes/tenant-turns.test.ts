// When a worker takes announced writes, before the queue hands out their jobs.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { pino } from 'pino';
import { constants } from '../../../db/runtime/constants.ts';
import {
  createTenantTurns,
  type TenantTurns,
  type TurnResult,
} from '../../../workers/writes/tenant-turns.ts';

/** Lets everything run that only waits for promises and for its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A turn under way, which the test ends. */
interface OpenTurn {
  tenantIds: readonly number[];
  isAlone: boolean;
  /** Ends it in the same way for all its tenants; `locked`: another worker has locked them. */
  end(state: TurnResult['state'] | 'locked', isLong?: boolean): Promise<unknown>;
  fail(): Promise<unknown>;
}

let open: OpenTurn[];
let turns: TenantTurns;

const SHORT = { turnsInParallel: 2, tenantsPerTurn: 3, longTurnsInParallel: 1 };

beforeEach(() => {
  open = [];
  turns = createTenantTurns({
    take: (tenantIds, isAlone) =>
      new Promise((resolve, reject) => {
        const over = () => {
          open = open.filter((one) => one !== turn);
          return settle();
        };
        const turn: OpenTurn = {
          tenantIds,
          isAlone,
          end: (state, isLong = false) => {
            const results = state === 'locked' ? [] : tenantIds;
            resolve(
              new Map(results.map((id) => [id, { state: state as TurnResult['state'], isLong }])),
            );
            return over();
          },
          fail: () => {
            reject(new Error('Postgres is away'));
            return over();
          },
        };
        open.push(turn);
      }),
    log: pino({ level: 'silent' }),
    constants: { ...constants, ...SHORT },
  });
});

const tenants = () => open.map(({ tenantIds }) => tenantIds);
const first = () => open[0] as OpenTurn;

test('tenants that wait share turns, and a turn under way keeps no other from beginning', async () => {
  turns.announce([1]);
  turns.announce([1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual(tenants(), [[1], [2, 3, 4]]);
  await first().end('done');
  assert.deepEqual(tenants(), [
    [2, 3, 4],
    [1, 5, 6],
  ]);
});

test('what is announced during a turn has another one after it', async () => {
  turns.announce([1]);
  turns.announce([1]);
  assert.deepEqual(tenants(), [[1]]);
  await first().end('done');
  assert.deepEqual(tenants(), [[1]]);
  await first().end('done');
  assert.deepEqual(tenants(), []);
});

test('a tenant that has more writes than a turn takes goes to the end of the line', async () => {
  turns.announce([1]);
  turns.announce([2]);
  turns.announce([3, 4, 5]);
  await first().end('more');
  assert.deepEqual(tenants(), [[2], [3, 4, 5]]);
  await first().end('done');
  assert.deepEqual(tenants(), [[3, 4, 5], [1]]);
});

test('tenants whose writes take long have turns alone, and no other waits for them', async () => {
  turns.announce([1]);
  turns.announce([2]);
  await first().end('more', true);
  await first().end('more', true);
  assert.deepEqual(
    open.map(({ tenantIds, isAlone }) => [tenantIds, isAlone]),
    [[[1], true]],
  );
  turns.announce([3]);
  assert.deepEqual(tenants(), [[1], [3]]);
  await first().end('more', true);
  assert.deepEqual(tenants(), [[3], [2]], 'they take turns');
});

test('a tenant whose turn was not long shares turns again', async () => {
  turns.announce([1]);
  await first().end('more', true);
  await first().end('done', false);
  turns.announce([1]);
  assert.deepEqual([tenants(), first().isAlone], [[[1]], false]);
});

test('a tenant that another worker has is tried again a little later, once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  turns.announce([1, 2]);
  await first().end('locked');
  assert.deepEqual(tenants(), []);
  t.mock.timers.tick(constants.lockedTenantPause);
  assert.deepEqual(tenants(), [[1], [2]]);
  await first().end('locked');
  await first().end('done');
  t.mock.timers.tick(constants.lockedTenantPause);
  assert.deepEqual(tenants(), [], 'a look finds its late writes');
  turns.announce([1]);
  await first().end('locked');
  t.mock.timers.tick(constants.lockedTenantPause);
  assert.deepEqual(tenants(), [[1]], 'it has new ones');
});

test('a tenant with late writes that another worker has is left to it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  turns.onLate([1]);
  await first().end('locked');
  t.mock.timers.tick(constants.lockedTenantPause);
  assert.deepEqual(tenants(), []);
});

/** Waits until turns are free, and says whether they were. */
function waiter(): { isFree: boolean } {
  const state = { isFree: false };
  void turns.whenFree().then(() => {
    state.isFree = true;
  });
  return state;
}

test('turns are free when the line is empty and another one could run', async () => {
  const early = waiter();
  await settle();
  assert.equal(early.isFree, true);
  turns.announce([1, 2, 3, 4]);
  turns.announce([5, 6, 7]);
  const later = waiter();
  await first().end('done');
  assert.deepEqual([tenants().length, later.isFree], [2, false], 'both turns run');
  await first().end('done');
  assert.deepEqual([tenants().length, later.isFree], [1, true]);
});

test('turns that are stopped count as free', async () => {
  turns.announce([1]);
  turns.announce([1, 2, 3, 4, 5]);
  const waiting = waiter();
  await settle();
  assert.equal(waiting.isFree, false);
  const stopped = turns.stop();
  await settle();
  assert.equal(waiting.isFree, true);
  await Promise.all(open.map((turn) => turn.end('done')));
  await stopped;
  const late = waiter();
  await settle();
  assert.equal(late.isFree, true);
});

test('when a shared turn fails, each of its tenants is tried alone, and shares turns again when it is done', async () => {
  turns.announce([1, 2, 3]);
  await first().fail();
  assert.deepEqual(tenants(), [[1], [2]]);
  await first().fail();
  assert.deepEqual(tenants(), [[2], [3]]);
  await first().end('done');
  await first().end('done');
  turns.announce([1, 2, 3]);
  assert.deepEqual(tenants(), [[1, 2, 3]]);
});

/** The end of a job for a tenant: `served`, or the error. */
const job = (tenantId: number, isSuspect = false) =>
  turns.serve(tenantId, isSuspect).then(
    () => 'served',
    ({ name, message }: Error) => [name, message],
  );

test('a job waits for turns that begin after it came, until no write of its tenant waits', async () => {
  let ended: unknown = null;
  turns.announce([1]);
  void job(1).then((what) => {
    ended = what;
  });
  await first().end('done');
  assert.deepEqual([tenants(), ended], [[[1]], null]);
  await first().end('more');
  assert.deepEqual([tenants(), ended], [[[1]], null]);
  await first().end('idle');
  assert.deepEqual([tenants(), ended], [[], 'served']);
});

test('a job hears of the failure of its own tenant, and of a tenant that another worker has', async () => {
  turns.announce([8]);
  turns.announce([9]);
  const jobs = [job(1), job(2)];
  await first().end('done');
  assert.deepEqual(tenants(), [[9], [1, 2]]);
  await open[1]?.fail();
  assert.deepEqual(tenants(), [[9], [1]], 'each is tried alone');
  await open[1]?.fail();
  await open[1]?.end('locked');
  assert.deepEqual(await Promise.all(jobs), [
    ['Error', 'Postgres is away'],
    ['NotServedError', 'another worker has the tenant'],
  ]);
});

test('a job that has failed before has a turn without other tenants', async () => {
  turns.announce([8]);
  turns.announce([9]);
  void job(1, true);
  turns.announce([2]);
  await first().end('done');
  await first().end('done');
  assert.deepEqual(tenants(), [[1], [2]]);
});

test('a job of a tenant that had no turn when the worker stops is for another worker', async () => {
  turns.announce([8]);
  turns.announce([9]);
  const waiting = job(1);
  const stopping = turns.stop();
  await first().end('done');
  await first().end('done');
  await stopping;
  assert.deepEqual(await waiting, ['NotServedError', 'the worker stops']);
  assert.deepEqual(await job(2), ['NotServedError', 'the worker stops']);
});

test('stopping waits for the turns under way and begins no others', async () => {
  turns.announce([1]);
  turns.announce([2]);
  turns.announce([3]);
  let isStopped = false;
  const stopping = turns.stop().then(() => {
    isStopped = true;
  });
  await first().end('more');
  assert.deepEqual([tenants(), isStopped], [[[2]], false]);
  await first().end('done');
  await stopping;
  assert.deepEqual(tenants(), []);
});

test('turns that are stopped begin no others, and stop twice', async () => {
  await turns.stop();
  turns.announce([1, 2]);
  await turns.stop();
  assert.deepEqual(tenants(), []);
});

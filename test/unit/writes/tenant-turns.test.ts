// When a worker takes announced writes, before the queue hands out their jobs.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { pino } from 'pino';
import { constants } from '../../../db/runtime/constants.ts';
import { createClaims } from '../../../workers/writes/claims.ts';
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
/** The late writes that the worker finds, and the tenants for which it has looked. */
let late: number[];
let looks: (readonly number[])[];
let leads: boolean;
let now: number;
let turns: TenantTurns;

const SHORT = { turnsInParallel: 2, tenantsPerTurn: 3, longTurnsInParallel: 1 };

beforeEach(() => {
  // No look for late writes happens in a later test.
  mock.timers.enable({ apis: ['setTimeout'] });
  open = [];
  late = [];
  looks = [];
  leads = true;
  now = 1;
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
    findLate: async (tenantIds) => {
      looks.push(tenantIds);
      return late.filter((id) => tenantIds.includes(id));
    },
    claims: createClaims({ leads: () => leads, now: () => now, constants }),
    log: pino({ level: 'silent' }),
    constants: { ...constants, ...SHORT },
  });
});

afterEach(() => mock.timers.reset());

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

test('a tenant of another worker is left to it, and looked at when its writes are late', async () => {
  const wait = async () => {
    mock.timers.tick(constants.lateWriteAge);
    await settle();
  };
  turns.announce([1, 2]);
  await first().end('locked');
  for (let i = 0; i < 100; i += 1) turns.announce([1, 2]);
  assert.deepEqual(tenants(), [], 'the other worker does them');
  await wait();
  assert.deepEqual(looks, [[1, 2]], 'one look for all that was announced');
  assert.deepEqual(tenants(), []);
  late = [2];
  turns.announce([1, 2]);
  await wait();
  assert.deepEqual(tenants(), [[2]]);
  await first().end('done');
  turns.announce([1, 2]);
  assert.deepEqual(tenants(), [[2]], 'it belongs to this worker now');
});

test('a write that was too young at the first look is found by the next one', async () => {
  leads = false;
  turns.announce([1]);
  mock.timers.tick(constants.lateWriteAge - 1);
  turns.announce([2]);
  mock.timers.tick(1);
  await settle();
  assert.deepEqual([looks, tenants()], [[[1, 2]], []]);
  late = [2];
  mock.timers.tick(constants.lateWriteAge);
  await settle();
  assert.deepEqual(tenants(), [[2]]);
  await first().end('done');
  mock.timers.tick(constants.lateWriteAge);
  await settle();
  assert.equal(looks.length, 2, 'two looks are enough');
});

test('a tenant belongs to the worker that was faster', async () => {
  turns.announce([1]);
  await first().end('idle');
  turns.announce([1]);
  assert.deepEqual(tenants(), []);
  turns.announce([2]);
  await first().end('done');
  turns.announce([2]);
  await first().end('idle');
  turns.announce([2]);
  assert.deepEqual(tenants(), [[2]], 'its own writes may be done before it hears of them');
});

test('a worker that does not lead takes late writes, and what comes in the next time', async () => {
  leads = false;
  turns.announce([1]);
  assert.deepEqual(tenants(), [], 'they are the leader’s');
  late = [1];
  mock.timers.tick(constants.lateWriteAge);
  await settle();
  assert.deepEqual(tenants(), [[1]]);
  await first().end('done');
  now += constants.claimTime;
  turns.announce([1]);
  assert.deepEqual(tenants(), [[1]], 'it has the menu in memory');
  await first().end('done');
  now += 1;
  turns.announce([1]);
  assert.deepEqual(tenants(), [], 'the time is over');
});

test('a worker that does not lead leaves a claimed tenant when the leader does its writes again', async () => {
  leads = false;
  late = [1];
  turns.announce([1]);
  mock.timers.tick(constants.lateWriteAge);
  await settle();
  await first().end('done');
  turns.announce([1]);
  await first().end('locked');
  turns.announce([1]);
  assert.deepEqual(tenants(), []);
});

test('the leader has a tenant again before the claim of another worker ends', async () => {
  turns.announce([1]);
  await first().end('locked');
  now += constants.claimTime / 2;
  turns.announce([1]);
  assert.deepEqual(tenants(), []);
  now += 1;
  turns.announce([1]);
  assert.deepEqual(tenants(), [[1]]);
});

test('a worker has all tenants from the moment in which it leads', () => {
  leads = false;
  turns.announce([1]);
  leads = true;
  turns.announce([1, 2]);
  assert.deepEqual(tenants(), [[1, 2]]);
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

test('turns that are stopped look for no late writes any more, and stop twice', async () => {
  leads = false;
  turns.announce([1]);
  await turns.stop();
  mock.timers.tick(constants.lateWriteAge);
  turns.announce([2]);
  mock.timers.tick(constants.lateWriteAge);
  await settle();
  await turns.stop();
  assert.deepEqual(looks, []);
});

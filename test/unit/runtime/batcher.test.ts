import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import { OverdueError } from '../../../db/postgres/outage.ts';
import { createBatcher } from '../../../gateway/runtime/batcher.ts';

const TIMEOUT = 1_000;

/** An operation under way, which the test ends. */
interface Operation {
  items: readonly number[];
  isOverdue(): boolean;
  answer(results: readonly number[]): void;
}

let operations: Operation[];
let ask: (item: number) => Promise<number>;

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  operations = [];
  ask = createBatcher<number, number>(
    { maxItems: 2, timeout: TIMEOUT },
    (items, isOverdue) => new Promise((answer) => operations.push({ items, isOverdue, answer })),
  );
});
afterEach(() => mock.timers.reset());

const asked = () => operations.map(({ items }) => items);

/** An operation that answers at once, and notes its items. */
const notingIn = (asked: number[][]) => async (items: readonly number[]) => {
  asked.push([...items]);
  return items;
};

test('those that come together share an operation, those that come later the next one', async () => {
  const first = [ask(1), ask(2), ask(3)];
  await settle();
  const late = ask(4);
  await settle();
  assert.deepEqual(asked(), [[1, 2]]);
  operations[0]?.answer([10, 20]);
  await settle();
  assert.deepEqual(asked().slice(1), [[3, 4]]);
  operations[1]?.answer([30, 40]);
  assert.deepEqual(await Promise.all([...first, late]), [10, 20, 30, 40]);
});

test('an owner with one item does not wait for another’s many', async () => {
  const asked: number[][] = [];
  const askInTurns = createBatcher<number, number>(
    { maxItems: 3, timeout: TIMEOUT, ownerOf: (item) => Math.floor(item / 10) },
    notingIn(asked),
  );
  const items = [10, 11, 12, 13, 14, 20, 30, 31];
  assert.deepEqual(await Promise.all(items.map(askInTurns)), items);
  assert.deepEqual(asked, [
    [10, 20, 30],
    [11, 31, 12],
    [13, 14],
  ]);
});

test('those that an operation answered go on a few at a time, and others in between', async () => {
  const askMany = createBatcher<number, number>(
    { maxItems: 100, timeout: TIMEOUT },
    async (items) => items,
  );
  let turns = 0;
  const turnsWaited = Array.from({ length: 40 }, (_, item) => askMany(item).then(() => turns));
  let isOver = false;
  const all = Promise.all(turnsWaited).finally(() => {
    isOver = true;
  });
  for (; !isOver; turns += 1) await settle();
  const waited = await all;
  const sorted = waited.toSorted((one, other) => one - other);
  assert.deepEqual(waited, sorted);
  const atOnce = Math.max(...waited.map((turn) => waited.filter((one) => one === turn).length));
  assert.ok(atOnce <= 8, `${atOnce} of 40 in one turn`);
});

test('no caller waits longer than the bound, whatever is ahead; what was not sent by then never is', async () => {
  const stuck = assert.rejects(ask(1), OverdueError);
  await settle();
  mock.timers.tick(TIMEOUT - 10);
  const last = ask(3);
  assert.equal(operations[0]?.isOverdue(), false);
  mock.timers.tick(10);
  await stuck;
  assert.equal(operations[0]?.isOverdue(), true);
  const behind = assert.rejects(ask(2), OverdueError);
  mock.timers.tick(TIMEOUT - 10);
  await assert.rejects(last, OverdueError);
  mock.timers.tick(10);
  await behind;
  operations[0]?.answer([0]);
  await settle();
  const next = ask(5);
  await settle();
  assert.deepEqual(asked(), [[1], [5]]);
  operations[1]?.answer([50]);
  assert.equal(await next, 50);
});

test('items of different sizes share an operation as far as they fit, and wait for others a while', async () => {
  const asked: number[][] = [];
  const askSized = createBatcher<number, number>(
    { maxItems: 10, sizeOf: (item) => item, timeout: TIMEOUT, pause: 5 },
    notingIn(asked),
  );
  const answers = [askSized(6), askSized(4), askSized(3), askSized(40), askSized(1)];
  await settle();
  assert.deepEqual(asked, [], 'the first waits for others');
  mock.timers.tick(5);
  assert.deepEqual(await Promise.all(answers), [6, 4, 3, 40, 1]);
  assert.deepEqual(asked, [[6, 4], [3], [40], [1]]);
});

test('an item may have a timeout of its own', async () => {
  const askSoon = createBatcher<number, number>(
    { maxItems: 2, timeout: TIMEOUT, timeoutOf: (item) => item },
    () => new Promise(() => {}),
  );
  const hurried = assert.rejects(askSoon(10), OverdueError);
  let isAnswered = false;
  void askSoon(500).catch(() => {
    isAnswered = true;
  });
  await settle();
  mock.timers.tick(10);
  await hurried;
  assert.equal(isAnswered, false);
});

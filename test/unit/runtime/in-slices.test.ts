import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inSlices, TooSlowError } from '../../../db/runtime/in-slices.ts';
import { turnsDuring } from '../../support/turns-during.ts';

test('work in slices gives the event loop back after each, and its result at the end', async () => {
  function* steps() {
    for (let i = 0; i < 10; i += 1) yield;
    return 'done';
  }
  const work = inSlices(steps(), 0);
  assert.ok((await turnsDuring(work)) >= 9);
  assert.equal(await work, 'done');
});

test('an error ends the work', async () => {
  function* steps(): Generator<void, never> {
    yield;
    throw new Error('broken');
  }
  await assert.rejects(inSlices(steps(), 0), /broken/);
});

test('work ends with an error when its slices have taken longer than they may', async () => {
  let count = 0;
  function* steps(): Generator<void, never> {
    for (;;) {
      count += 1;
      yield;
    }
  }
  await assert.rejects(inSlices(steps(), 0, 0), TooSlowError);
  assert.equal(count, 1);
});

test('work that is done in its first slice is never too slow', async () => {
  function* steps() {
    yield;
    return 'done';
  }
  assert.equal(await inSlices(steps(), 60_000, 0), 'done');
});

/** Counts turns of the event loop until it is told that the test is over. */
function countTurns() {
  const counted = { turn: 0, isOver: false };
  const count = () => {
    counted.turn += 1;
    if (!counted.isOver) setImmediate(count);
  };
  setImmediate(count);
  return counted;
}

test('works that are done at the same time have turns of the event loop of their own', async () => {
  const counted = countTurns();
  const taken: number[] = [];
  function* steps() {
    for (let i = 0; i < 5; i += 1) {
      taken.push(counted.turn);
      yield;
    }
  }
  await Promise.all([1, 2, 3].map(() => inSlices(steps(), 0)));
  counted.isOver = true;
  assert.equal(taken.length, 15);
  assert.equal(new Set(taken).size, 15);
});

test('a short work beside a long one has the whole time of its turns', async () => {
  const counted = countTurns();
  const taken = new Set<number>();
  function* long() {
    while (!counted.isOver) {
      const end = performance.now() + 1;
      while (performance.now() < end);
      yield;
    }
  }
  function* short() {
    for (let i = 0; i < 100; i += 1) {
      taken.add(counted.turn);
      yield;
    }
  }
  const working = inSlices(long(), 60);
  await inSlices(short(), 30);
  counted.isOver = true;
  await working;
  assert.ok(taken.size < 50, `${taken.size} turns`);
});

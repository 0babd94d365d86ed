import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inSlices } from '../../../db/runtime/in-slices.ts';
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

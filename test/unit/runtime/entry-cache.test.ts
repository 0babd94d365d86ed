// The cache of the parts that remember something of each restaurant.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEntryCache } from '../../../db/runtime/memoize.ts';

test('a full cache forgets what was used longest ago', () => {
  const cache = createEntryCache<number, string>(2);
  cache.set(1, 'a').set(2, 'b');
  cache.get(1);
  cache.set(3, 'c');
  assert.deepEqual([...cache.keys()].sort(), [1, 3]);
});

test('an entry counts for its time by the given clock', () => {
  let now = 1;
  const cache = createEntryCache<number, string>(2, {
    ttl: 10,
    ttlResolution: 0,
    perf: { now: () => now },
  });
  cache.set(1, 'a');
  now = 11;
  assert.equal(cache.get(1), 'a');
  now = 12;
  assert.equal(cache.get(1), undefined);
});

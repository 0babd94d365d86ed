import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getHeapSpaceStatistics } from 'node:v8';
import { collectGarbage } from '../../../db/runtime/garbage.ts';

/** Bytes of memory that V8 holds for young objects. */
function youngBytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  return young?.physical_space_size ?? 0;
}

test('collecting garbage frees objects, and the room that young ones had', async () => {
  let large: object | undefined = Array.from({ length: 200_000 }, (_, place) => ({ place }));
  const kept = new WeakRef(large);
  large = undefined;
  const before = youngBytes();
  await collectGarbage();
  assert.equal(kept.deref(), undefined);
  assert.ok(youngBytes() < before, `${youngBytes()} of ${before} bytes`);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newWriteId, sentAt } from '../../../db/schema/write.ts';

// More than a millisecond has places for.
const COUNT = 20_000;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('ids of writes are UUIDv7, each once and in the order in which they were made', () => {
  const ids = Array.from({ length: COUNT }, newWriteId);
  assert.deepEqual(
    ids.filter((id) => !UUID_V7.test(id)),
    [],
  );
  assert.ok(ids.every((id, index) => index === 0 || id > (ids[index - 1] as string)));
  // Those of another process may have the same places.
  assert.equal(new Set(ids.map((id) => id.slice(19))).size, COUNT);
});

test('the id of a write tells when it was made, unless those before it filled that moment', () => {
  const before = Date.now();
  const made = sentAt({ id: newWriteId() }).getTime();
  assert.ok(made >= before && made <= Date.now() + COUNT, `${made} for ${before}`);
});

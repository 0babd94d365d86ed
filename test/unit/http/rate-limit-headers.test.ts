import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimitHeaders } from '../../../gateway/limits/rate-limit-headers.ts';

/** 0.7 s after a full second of the epoch. */
const NOW = 1_700_000_000_700;
const heads = createRateLimitHeaders({ public: 120, admin: 30, analytics: 300 }, () => NOW);

/** When a refused client is told to come again: in how many seconds, and at which. */
function told(resetIn: number) {
  const head = heads.of('public', { admitted: false, remaining: 0, resetIn }).toString();
  const read = (name: string) => new RegExp(`\\r\\n${name}: (\\d+)(\\r|$)`).exec(head)?.[1];
  return [Number(read('Retry-After')), Number(read('X-RateLimit-Reset'))];
}

test('a client that comes again at the second that was told is not refused again', () => {
  for (const [resetIn, wait, reset] of [
    [1_500, 2, 1_700_000_003],
    [1_000, 1, 1_700_000_002],
    [1, 1, 1_700_000_001],
    [59_999, 60, 1_700_000_061],
    [60_000, 60, 1_700_000_061],
  ] as const) {
    assert.deepEqual(told(resetIn), [wait, reset], `${resetIn} ms`);
  }
});

test('a window that ends at this moment is worth a second’s wait, not none', () => {
  assert.equal(told(0)[0], 1);
});

test('answers that lie ready have an id each, also when a digit is full', () => {
  const ready = heads.withId('public');
  const ids = Array.from({ length: 36 ** 2 + 2 }, () => {
    const [id = '', limit] = ready(7).toString().split('\r\n');
    assert.match(id, /^[\w-]{8}-[0-9a-z]{10}$/);
    assert.equal(limit, 'X-RateLimit-Limit: 120');
    return id;
  });
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(ids.at(-1)?.slice(9), '0000000102', 'the number is of base 36');
  assert.match(ready(7).toString(), /X-RateLimit-Remaining: 7$/);
});

test('an admitted client is told what is left, and nothing of waiting', () => {
  for (const remaining of [0, 9, 10, 99, 100, 119]) {
    const head = heads.of('public', { admitted: true, remaining, resetIn: 0 }).toString();
    assert.match(head, new RegExp(`^120\\r\\n[\\s\\S]*\\r\\nX-RateLimit-Remaining: ${remaining}$`));
  }
});

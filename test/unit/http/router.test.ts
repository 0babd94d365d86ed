import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRouter } from '../../../gateway/pipeline/router.ts';

const router = createRouter([
  { method: 'GET', path: '/api/menu/:locale?' },
  { method: 'GET', path: '/api/items/:id' },
  { method: 'POST', path: '/api/items/:id/restore' },
]);

/** The method that answers and the parameter, or undefined. */
function found(path: string) {
  const match = router.match(path);
  return match && [[...match.routes.keys()].join(), match.param];
}

test('paths lead to their routes, with or without slashes behind them', () => {
  assert.deepEqual(found('/api/menu'), ['GET', '']);
  assert.deepEqual(found('/api/menu/en'), ['GET', 'en']);
  assert.deepEqual(found('/api/menu/en///'), ['GET', 'en']);
  assert.deepEqual(found('/api/items/7/restore'), ['POST', '7']);
});

test('what is missing or empty in between is no route', () => {
  for (const path of [
    '/',
    '//',
    '/api',
    '/api//menu',
    '/api/items',
    '/api/items//restore',
    'menu',
  ]) {
    assert.equal(found(path), undefined, path);
  }
});

test('a run of slashes takes no more time than its length', () => {
  // Were it looked at again from each of them, this would not end today.
  assert.equal(found(`/api/${'/'.repeat(5_000_000)}a`), undefined);
});

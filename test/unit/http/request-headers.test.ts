import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHeaders } from '../../../gateway/http/request-headers.ts';

function read(...lines: [name: string, value: string][]) {
  return readHeaders((take) => {
    for (const [name, value] of lines) take(name, value);
  });
}

test('a list that comes on several lines is one list', () => {
  const headers = read(['prefer', 'respond-async'], ['if-match', '"a"'], ['prefer', 'wait=5']);
  assert.equal(headers?.get('prefer'), 'respond-async, wait=5');
  assert.equal(headers?.get('if-match'), '"a"');
  assert.equal(read(['if-match', '"a"'], ['if-match', '"b"'])?.get('if-match'), '"a", "b"');
});

test('of another header that is repeated the last line counts', () => {
  assert.equal(read(['user-agent', 'a'], ['user-agent', 'b'])?.get('user-agent'), 'b');
});

test('a request names its host, its end and what it repeats only once', () => {
  const once = ['host', 'content-length', 'transfer-encoding', 'authorization', 'idempotency-key'];
  for (const name of once) assert.equal(read([name, 'chunked'], [name, 'chunked']), null, name);
});

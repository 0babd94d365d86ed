import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOrigins } from '../../../gateway/http/request-origin.ts';

const LOOPBACK = new Uint8Array([127, 0, 0, 1]).buffer;
const HEAD = { getHeader: () => 'https', forEach: () => undefined };

/** A connection that counts how often its address is read. */
function createConnection() {
  let reads = 0;
  return {
    reads: () => reads,
    getRemoteAddress: () => {
      reads += 1;
      return LOOPBACK;
    },
    getProxiedRemoteAddress: () => new ArrayBuffer(4),
  };
}

test('the way of a request is known without its address, when no proxy is trusted', () => {
  const connection = createConnection();
  for (const endsTls of [true, false]) {
    const { wayOf } = createOrigins([], endsTls);
    assert.deepEqual(wayOf(connection, HEAD), { isLast: false, isTls: endsTls });
  }
  assert.equal(connection.reads(), 0);
});

test('a trusted proxy decides about the way of a request, others do not', () => {
  const trusted = createOrigins(['127.0.0.0/8'], false).wayOf(createConnection(), HEAD);
  assert.deepEqual([trusted.isLast, trusted.isTls], [true, true]);
  const other = createOrigins(['10.0.0.0/8'], false).wayOf(createConnection(), HEAD);
  assert.deepEqual([other.isLast, other.isTls], [false, false]);
});

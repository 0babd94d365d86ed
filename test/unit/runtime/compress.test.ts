// How bytes are compressed while clients wait.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { compressSoon } from '../../../db/runtime/compress.ts';
import { turnsDuring } from '../../support/turns-during.ts';

const SHORT = Buffer.from('Risotto alla milanese. '.repeat(100));
const LONG = Buffer.from('Risotto alla milanese. '.repeat(10_000));

test('a short text is compressed at once, in the turn of the event loop that asks', async () => {
  let packed: Buffer | undefined;
  const all = compressSoon(SHORT, 'br').then((bytes) => {
    packed = bytes;
  });
  assert.equal(await turnsDuring(all), 0);
  assert.deepEqual(brotliDecompressSync(packed ?? ''), SHORT);
  assert.deepEqual(gunzipSync(await compressSoon(SHORT, 'gzip')), SHORT);
});

test('long texts are compressed off the event loop, in the order in which they came', async () => {
  const order: string[] = [];
  const pack = async (name: string, encoding: 'gzip' | 'br') => {
    const packed = await compressSoon(LONG, encoding);
    order.push(name);
    return packed;
  };
  const both = Promise.all([pack('first', 'br'), pack('second', 'gzip')]);
  assert.ok((await turnsDuring(both)) > 0);
  assert.deepEqual(order, ['first', 'second']);
  const [br, gzip] = await both;
  assert.deepEqual([brotliDecompressSync(br), gunzipSync(gzip)], [LONG, LONG]);
});

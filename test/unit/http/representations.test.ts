import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import {
  prepareCompressible,
  selectAnswer,
  selectReady,
} from '../../../gateway/http/representations.ts';

const identity = Buffer.from(JSON.stringify({ dishes: Array(500).fill('Tagliatelle') }));
const BR = { ifNoneMatch: '', acceptEncoding: 'br' };
const GZIP = { ifNoneMatch: '', acceptEncoding: 'gzip' };

function prepare() {
  const sizes: number[] = [];
  const resource = prepareCompressible({ etag: '"one"', identity }, (bytes) => sizes.push(bytes));
  return { resource, sizes };
}

test('a plain answer is ready at once, a compressed one when it was asked for', async () => {
  const { resource, sizes } = prepare();
  assert.equal(selectReady(resource, { ...BR, acceptEncoding: '' })?.body, identity);
  assert.equal(selectReady(resource, BR), null);
  const answer = await selectAnswer(resource, BR);
  assert.equal(selectReady(resource, BR), answer);
  assert.ok(brotliDecompressSync(answer.body as Buffer).equals(identity));
  assert.equal(selectReady(resource, GZIP), null, 'gzip was not asked for');
  const zipped = await selectAnswer(resource, GZIP);
  assert.ok(gunzipSync(zipped.body as Buffer).equals(identity));
  assert.deepEqual(sizes, [answer.length, zipped.length]);
});

test('an answer is compressed once, however many clients wait for it', async () => {
  const { resource, sizes } = prepare();
  const answers = await Promise.all(Array.from({ length: 100 }, () => selectAnswer(resource, BR)));
  assert.equal(new Set(answers).size, 1);
  assert.equal(sizes.length, 1);
});

test('a client that has the compressed bytes is answered 304 after they were forgotten', async () => {
  const known = await selectAnswer(prepare().resource, BR);
  const ifNoneMatch = /ETag: (\S+)/.exec(String(known.head))?.[1] ?? '';
  const { resource } = prepare();
  assert.equal((await selectAnswer(resource, { ...BR, ifNoneMatch })).status, '304 Not Modified');
});

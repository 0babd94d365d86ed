import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inOneGo } from '../../../db/runtime/in-slices.ts';
import { bytesInSteps, Html } from '../../../gateway/http/html.ts';

test('a long text becomes the same bytes in steps, wherever an emoji stands', () => {
  for (const before of [65_534, 65_535, 65_536]) {
    const text = `${'a'.repeat(before)}😀${'è'.repeat(70_000)}`;
    assert.deepEqual(inOneGo(bytesInSteps([new Html(text)])), Buffer.from(text));
    const pieces = ['<ul>', text, '', '<li>😀</li>', text];
    const bytes = inOneGo(bytesInSteps(pieces.map((one) => new Html(one))));
    assert.deepEqual(bytes, Buffer.from(pieces.join('')));
  }
  assert.equal(inOneGo(bytesInSteps([new Html('')])).length, 0);
});

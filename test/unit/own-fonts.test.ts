import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FONT_FAMILY } from '../../db/schema/theme.ts';
import { FONT_CHOICES, fontAssets, fontFaces } from '../../gateway/theme/own-fonts.ts';

test('each of our six fonts names files that are served, and another font names none', () => {
  const own = FONT_CHOICES.filter(({ value }) => fontFaces({ font_family: value }) !== '');
  assert.equal(own.length, 6);
  for (const { value } of own) {
    assert.match(value, FONT_FAMILY);
    const faces = fontFaces({ font_family: value });
    const files = [...faces.matchAll(/url\('\/display\/([^/]+)\/([^']+)'\)/g)];
    assert.ok(files.length >= 4, value);
    for (const [, version = '', file = ''] of files) {
      const answer = fontAssets.get(file)?.read(version).identity.full;
      assert.ok(answer, file);
      const head = answer.head.toString();
      assert.match(head, /immutable/, `${file} has the version of its address`);
      assert.match(head, /font\/woff2/);
    }
  }
  assert.equal(fontFaces({ font_family: 'Comic Sans MS, cursive' }), '');
  assert.match(fontFaces({ font_family: '"lora", serif' }), /font-family: 'Lora'/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { FONT_FAMILY } from '../../../db/schema/theme.ts';
import { LOCALES } from '../../../db/schema/values/locale.ts';
import { FONT_CHOICES, fontAssets, fontFaces } from '../../../gateway/theme/own-fonts.ts';
import { menuCss } from '../../../gateway/theme/theme-css.ts';

test('each of our six fonts names files that are served, and another font names none', () => {
  const own = FONT_CHOICES.filter(({ value }) => fontFaces({ font_family: value }) !== '');
  assert.equal(own.length, 6);
  for (const { value } of own) {
    assert.match(value, FONT_FAMILY);
    const faces = fontFaces({ font_family: value });
    const files = [...faces.matchAll(/url\('\/display\/([^/]+)\/([^']+)'\)/g)];
    assert.ok(files.length >= 4, value);
    for (const [, version = '', file = ''] of files) {
      const answer = fontAssets.get(file)?.read(version).identity;
      assert.ok(answer, file);
      const head = answer.head.toString();
      assert.match(head, /immutable/, `${file} has the version of its address`);
      assert.match(head, /font\/woff2/);
    }
  }
  assert.equal(fontFaces({ font_family: 'Comic Sans MS, cursive' }), '');
  assert.match(fontFaces({ font_family: '"lora", serif' }), /font-family: 'Lora'/);
});

test('a menu in other letters names fonts of its kind for them, after the theme\u2019s own', () => {
  const texts = { footer_text: '', footer_text_translations: {} };
  const theme = { ...trattoria.theme, ...texts, dark_mode: false, id: 1 };
  const rulesOf = (font_family: string, ...locales: Parameters<typeof menuCss>[1] & object) =>
    menuCss({ ...theme, font_family }, locales);
  const serif = rulesOf('Georgia, serif', 'ja', 'ar', 'it');
  for (const [locale, font] of Object.entries({ ja: 'Hiragino Mincho', ar: 'Noto Naskh' })) {
    const fonts = `font-family: 'Georgia', '${font}.*, serif;`;
    assert.match(serif, new RegExp(`\\[lang='${locale}'\\]\\[lang\\] \\{\\n {2}${fonts}`));
  }
  assert.match(rulesOf('Nunito, sans-serif', 'ja'), /'Nunito', 'Hiragino Sans'.*, sans-serif;/);
  assert.equal(rulesOf('Georgia, serif', ...LOCALES), rulesOf('Georgia, serif'));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { softBreaks } from '../../../gateway/display/parts/own-text.ts';
import { fold } from '../../../gateway/search/fold.js';

const shown = (text: string, locale: Parameters<typeof softBreaks>[1]) =>
  softBreaks(text, locale).replaceAll('\u00ad', '|');

test('softBreaks parts long words as their language does, and leaves others alone', () => {
  const dish = 'Zucchiniblütenauflauf mit Käse';
  assert.equal(shown(dish, 'de'), 'Zuc|chi|ni|blü|ten|auf|lauf mit Käse');
  assert.equal(shown('Insalata mista', 'it'), 'Insalata mista');
  assert.equal(shown('Donaudampfschifffahrt', 'lb'), 'Donaudampfschifffahrt', 'no patterns');
  assert.equal(fold(softBreaks(dish, 'de')), fold(dish), 'a search finds it');
});

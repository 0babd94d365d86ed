import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preferredLanguage } from '../../../gateway/http/negotiation.ts';

test('the language of a header is remembered for these languages and this usual one alone', () => {
  const wish = 'pt-BR, de-AT;q=0.8, *;q=0.1';
  for (let asked = 0; asked < 2; asked += 1) {
    assert.equal(preferredLanguage(wish, ['it', 'en', 'de']), 'de');
    assert.equal(preferredLanguage(wish, ['it', 'en']), 'it');
    assert.equal(preferredLanguage(wish, ['it', 'en'], 'en'), 'en');
    assert.equal(preferredLanguage('ja', ['it', 'en']), undefined);
    assert.equal(preferredLanguage('en', ['it', 'en']), 'en');
  }
});

test('a usual language that is not available changes nothing', () => {
  assert.equal(preferredLanguage('*', ['it', 'en'], 'de' as 'it'), 'it');
});

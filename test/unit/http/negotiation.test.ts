import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants } from '../../../db/runtime/constants.ts';
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

test('one list of languages keeps its answers, whatever its usual one is and however many headers come', () => {
  const available = ['it', 'en', 'de'];
  const check = () => {
    assert.equal(preferredLanguage('ja, *;q=0.1', available, 'de'), 'de');
    assert.equal(preferredLanguage('ja, *;q=0.1', available), 'it');
    assert.equal(preferredLanguage('en', available), 'en');
    assert.equal(preferredLanguage('ja', available), undefined);
    assert.equal(preferredLanguage('en', ['de', 'en']), 'en');
  };
  check();
  for (let sent = 0; sent <= constants.maxRememberedLanguages; sent += 1) {
    assert.equal(preferredLanguage(`x-${sent}, de;q=0.5`, available), 'de');
  }
  check();
});

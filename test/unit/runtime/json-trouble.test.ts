import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sayErrors } from '../../../db/schema/validation/messages.ts';
import { jsonTrouble } from '../../../db/schema/validation/parse-json.ts';

const BROKEN = 'Il corpo della richiesta non è JSON valido';
const cases: [what: string, text: string, place: string][] = [
  [
    'a comma for the decimals',
    '{\n  "it": "Caffè 🍕",\n  "price": 3,50\n}',
    'riga 3, colonna 14 (byte 39)',
  ],
  ['single quotes', "{'name': 1}", 'riga 1, colonna 2 (byte 2)'],
  ['a comment', '{} // so', 'riga 1, colonna 4 (byte 4)'],
  ['a trailing comma', '[1, ]', 'riga 1, colonna 5 (byte 5)'],
  ['a text of two lines', '"a\nb"', 'riga 1, colonna 1 (byte 1)'],
];

/** The sentence about a body that is no JSON. */
const said = (text: string) => sayErrors({ body: [jsonTrouble(text)] }).body;

for (const [what, text, place] of cases) {
  test(`${what} is told with its line, column and byte`, () => {
    assert.throws(() => JSON.parse(text));
    assert.deepEqual(said(text), [`${BROKEN}: errore alla ${place}.`]);
  });
}

test('a body that was cut is told to end too soon', () => {
  const text = '{"name": {"it": "Caffè"}\n ';
  assert.deepEqual(said(text), [`${BROKEN}: finisce prima del previsto, al byte 28.`]);
});

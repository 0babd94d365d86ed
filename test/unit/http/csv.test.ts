import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { type Delimiter, writeCsv } from '../../../gateway/http/csv.ts';
import { seed } from '../../support/seed.ts';

const cell = fc.string({ unit: fc.constantFrom(...'aà"\',;\n\r\t 😀'), maxLength: 5 });

test('another program reads every cell of a table as it was written', () => {
  const width = fc.integer({ min: 2, max: 4 });
  const table = width.chain((length) =>
    fc.array(fc.array(cell, { minLength: length, maxLength: length }), { minLength: 1 }),
  );
  const delimiters = fc.constantFrom<Delimiter[]>(',', ';');
  const isReadBack = fc.property(table, delimiters, (rows, delimiter) => {
    const options = { bom: true, delimiter, record_delimiter: '\n' };
    assert.deepEqual(parse(writeCsv(rows, delimiter), options), rows);
  });
  fc.assert(isReadBack, { seed, numRuns: 500 });
});

test('cells have quotes only where they need them', () => {
  const text = String(writeCsv([['a', 'b;c', 'd,e', '"f"', 'g\nh', '']]));
  assert.equal(text, '\ufeffa,b;c,"d,e","""f""","g\nh",\n');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LazyList } from '../../../db/runtime/lazy-list.ts';
import { writeJson } from '../../../db/runtime/write-json.ts';
import { turnsDuring } from '../../support/turns-during.ts';

const record = (at: number) => ({
  ...{ id: at, name: { it: `Piatto "${at}"\n`, en: null }, sizes: [], theme: {} },
  missing: undefined,
  ...{ since: new Date(0), price: 1.5, parts: [{ a: [1, 'x'] }, [], {}], isActive: false },
});
const many = Array.from({ length: 200 }, (_, at) => record(at));
const long = Array.from({ length: 3_000 }, (_, at) => at);
const large = [many, { items: many, more: [long, [], record(1), { long }, undefined] }];
const small = { items: [record(1), record(2)], more: [] };
const lazy = { items: new LazyList(() => many), none: new LazyList(() => []), more: large };
const values = [null, 'è', 7, [], {}, [[]], record(1), small, ...large, lazy, [lazy.items, lazy]];

for (const indent of ['', '  ']) {
  test(`writeJson writes what JSON.stringify does, with the indent "${indent}"`, async () => {
    for (const value of values) {
      const text = (await writeJson(value, indent)).toString();
      assert.equal(text, JSON.stringify(value, null, indent));
    }
  });
}

test('writeJson lets others run while it writes a large value', async () => {
  const items = Array.from({ length: 20_000 }, (_, at) => record(at));
  assert.ok((await turnsDuring(writeJson({ items }))) > 1);
});

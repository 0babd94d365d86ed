import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeJson } from '../../../db/runtime/write-json.ts';

const record = (at: number) => ({
  ...{
    id: at,
    name: { it: `Piatto "${at}"\n`, en: null },
    sizes: [],
    theme: {},
    missing: undefined,
  },
  ...{ since: new Date(0), price: 1.5, parts: [{ a: [1, 'x'] }, [], {}], isActive: false },
});
const values = [null, 'è', 7, [], {}, [[]], record(1), { items: [record(1), record(2)], more: [] }];

for (const indent of ['', '  ']) {
  test(`writeJson writes what JSON.stringify does, with the indent "${indent}"`, async () => {
    for (const value of values) {
      const text = (await writeJson(value, indent)).toString();
      assert.equal(text, JSON.stringify(value, null, indent));
    }
  });
}

test('writeJson lets others run while it writes a large value', async () => {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await writeJson({ items: Array.from({ length: 20_000 }, (_, at) => record(at)) });
  isDone = true;
  assert.ok(turns > 1);
});

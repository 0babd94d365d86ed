// The table of what each service carries, as the guide has it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { exchangeTable, replaceTable } from '../support/exchange-table.ts';

test('the guide, has the table that becomes of random menus', async () => {
  const guide = await readFile(new URL('../../gateway/EXCHANGE.md', import.meta.url), 'utf8');
  const table = exchangeTable();
  const missing = table.split('\n').filter((line) => !guide.includes(`${line}\n`));
  // test/tools/exchange-table.ts writes it anew.
  assert.deepEqual(missing, []);
  assert.ok(replaceTable(guide, table) === guide, 'and no other lines');
});

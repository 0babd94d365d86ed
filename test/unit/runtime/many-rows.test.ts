import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { bindPg, sql } from '../../../db/postgres/sql.ts';
import { turnsDuring } from '../../support/turns-during.ts';

const statement = sql.type(v.object({ id: v.number() }))`select id from dishes`;
const rowsOf = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

test('thousands of rows are checked in slices, between which others have the event loop', async () => {
  const rows = rowsOf(50_000);
  const read = bindPg(async () => ({ rows })).any(statement);
  assert.ok((await turnsDuring(read)) >= 2);
  assert.deepEqual(await read, rows);
});

test('a row of another shape among thousands is refused', async () => {
  const rows = [...rowsOf(5_000), { id: 'x' }];
  const read = bindPg(async () => ({ rows })).any(statement);
  await assert.rejects(read, /a row has another shape: id is not number/);
});

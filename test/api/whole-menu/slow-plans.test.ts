// A document that takes too long to plan is refused, because its restaurant's other writes wait for it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { checkAnswer } from '../../support/contract.ts';

/** More than any machine plans in one slice. */
const MANY = 5_000;

const service = await adminService({ constants: { maxPlanTime: 0 } });
const { admin } = service;

const many = <T>(of: (n: number) => T) => Array.from({ length: MANY }, (_, n) => of(n));
const nameOf = (n: number) => `Cantina ${n}`;
const countWineries = () => service.sql('select count(*)::int from wineries');
const slow = { body: [{ rule: 'documentSlow' }] };

test('PUT /admin/import and POST /admin/bulk refuse what takes too long, and change nothing', async () => {
  const before = await countWineries();
  const wineries = many((n) => ({ external_id: `${n}`, name: nameOf(n) }));
  const imported = await admin.call('PUT', '/import', { format: 'lavagna-menu/1', wineries });
  assert.equal(imported.status, 422);
  checkAnswer('PUT', '/api/v1/admin/import', imported);
  assert.deepEqual(imported.json.codes, slow);
  assert.deepEqual(imported.json.errors, {
    body: ['Il documento richiede troppo tempo: va diviso in più documenti.'],
  });
  const operations = many((n) => ({
    ...{ resource: 'wineries', action: 'create', data: { name: nameOf(n) } },
  }));
  const bulk = (await admin.call('POST', '/bulk', { operations })).expect(422);
  assert.deepEqual(bulk.json.codes, slow);
  assert.deepEqual(await countWineries(), before);
});

test('other writes of the restaurant are done after it', async () => {
  (await admin.call('POST', '/wineries', { name: 'Cascina' })).expect(201);
});

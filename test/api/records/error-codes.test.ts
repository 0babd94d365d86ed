// The rules behind the sentences of a 422, for programs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dishLabels } from '../../../db/schema/dictionary.ts';
import { adminService } from '../../support/admin.ts';

const service = await adminService();

test('codes name the broken rules with their parameters, of a body, of the menu and of a bulk', async () => {
  const dish = { category_id: 1, name: { it: 'x'.repeat(201) }, price: -1, labels: ['y'] };
  const wrong = await service.admin.call('POST', '/items', dish);
  assert.deepEqual(wrong.json.codes, {
    'name.it': [{ rule: 'maxLength', max: 200 }],
    price: [{ rule: 'min', min: 0 }],
    'labels.0': [{ rule: 'oneOf', values: dishLabels.keys }],
  });
  const unknown = { category_id: 999_999, name: { it: 'x' } };
  const beside = await service.admin.call('POST', '/items', unknown);
  assert.deepEqual(beside.json.codes, { category_id: [{ rule: 'invalid' }] });
  const operations = [{ resource: 'items', action: 'create', data: unknown }];
  const { json } = await service.admin.call('POST', '/bulk', { operations });
  assert.deepEqual(json.codes, { 'operations.0.category_id': [{ rule: 'invalid' }] });
  assert.deepEqual(json.data.results[0].codes, { category_id: [{ rule: 'invalid' }] });
  const query = await service.admin.get('/analytics/items?limit=x');
  assert.deepEqual(query.json.codes, { limit: [{ rule: 'integer' }] });
});

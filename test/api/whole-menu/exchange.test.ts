// Menus in the formats of other services: GET /admin/export?format= and PUT /admin/import?format=.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EXPORT_TARGETS } from '../../../db/exchange/exports.ts';
import { adminService } from '../../support/admin.ts';
import { faultsOf } from '../../support/exchange-schemas/validate.ts';

const service = await adminService();

describe('GET /admin/export?format=', () => {
  for (const target of EXPORT_TARGETS) {
    test(`${target}, gives a valid document and a report, and the document alone with raw=1`, async () => {
      const query = `format=${target}&vat_food=10&vat_drinks=22`;
      const { status, json } = await service.admin.get(`/export?${query}`);
      assert.equal(status, 200, JSON.stringify(json).slice(0, 300));
      const { document, report } = json.data;
      assert.deepEqual(faultsOf(target, document), []);
      assert.equal(report.target, target);
      assert.ok(report.sent > 0);
      const raw = await service.admin.get(`/export?${query}&raw=1`);
      assert.deepEqual(faultsOf(target, raw.json), []);
    });
  }

  test('refuses an unknown service, an unknown language and an impossible rate', async () => {
    for (const query of ['format=olo', 'format=uber&locale=xx', 'format=uber&vat_food=101']) {
      assert.equal((await service.admin.get(`/export?${query}`)).status, 422, query);
    }
  });
});

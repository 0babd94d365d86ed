import { after, before, test } from 'node:test';
import { type AdminService, startAdminService } from '../support/admin.ts';
let service: AdminService;
before(async () => {
  service = await startAdminService();
});
after(() => service.stop());
test('x', async () => {
  const say = (what: string, { status }: { status: number }) => process.stderr.write(`${what} ${status}\n`);
  const e = await service.admin.get('/export');
  say('export', e);
  say('xml', await service.admin.get('/export?format=xml'));
  say('import', await service.admin.call('PUT', '/import', e.json.data));
  say('412', await service.admin.call('PUT', '/import', e.json.data, { 'If-Match': '"v0"' }));
  say('202', await service.admin.call('PUT', '/import', e.json.data, { Prefer: 'respond-async' }));
  say('bulk', await service.admin.call('POST', '/bulk', { operations: [] }));
});

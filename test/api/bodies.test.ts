// What may be sent as the body of a write.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type AdminService, startAdminService } from '../support/admin.ts';

let service: AdminService;
let sections: { id: number }[];
before(async () => {
  service = await startAdminService();
  sections = (await service.admin.get('/categories')).json.data;
});
after(() => service.stop());

describe('bodies that are no JSON', () => {
  test('forms, text and patches are 415, a type that is JSON or missing is read', async () => {
    const post = (type: string | undefined, encoding = 'identity') =>
      service.client.send('/api/v1/admin/items', {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${service.token}`,
          'Content-Encoding': encoding,
          ...(type !== undefined && { 'Content-Type': type }),
        },
        body: '{}',
      });
    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      'application/merge-patch+json',
    ]) {
      assert.equal((await post(type)).status, 415, type);
    }
    for (const type of [undefined, 'application/vnd.a+json', 'application/json; charset=utf-8']) {
      assert.equal((await post(type)).status, 422, type);
      assert.equal((await post(type, 'gzip')).status, 415, type);
    }
  });

  test('one that is too long is 413', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(1_100_000) });
    assert.equal((await service.admin.call('POST', '/items', body)).status, 413);
  });

  test('a change without a body is no change', async () => {
    const [section] = sections;
    for (const body of ['', 'null', '[]', '{']) {
      const reply = await service.admin.call('PUT', `/categories/${section?.id}`, body);
      assert.equal(reply.status, 422);
      assert.deepEqual(Object.keys(reply.json.errors), ['body']);
    }
  });
});

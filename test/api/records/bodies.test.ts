// Bodies of writes: which ones are taken.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { constants } from '../../../db/runtime/constants.ts';
import { adminService } from '../../support/admin.ts';

const service = await adminService();
const sections = (await service.admin.get('/categories')).json.data;

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
      (await service.admin.call('PUT', `/categories/${section?.id}`, body)).refuses('body');
    }
  });
});

describe('fields that have no meaning', () => {
  test('are named in the answer to a write, by their own names, in the order of the body', async () => {
    const [section] = sections;
    const dish = { category_id: section?.id, name: { it: 'Gricia' }, price: 11 };
    const plain = (await service.admin.call('POST', '/items', dish)).expect(201);
    assert.deepEqual(Object.keys(plain.json.meta), ['generated_at']);
    const more = { image_url: 'https://a.example/b.jpg', tags: ['new'], id: 7 };
    const created = (await service.admin.call('POST', '/items', { ...more, ...dish })).expect(201);
    assert.deepEqual(created.json.meta.ignored, ['image_url', 'tags', 'id']);
    const path = `/items/${created.json.data.id}`;
    const changed = (await service.admin.call('PATCH', path, { price: 12, prise: 13 })).expect(200);
    assert.deepEqual(changed.json.meta.ignored, ['prise']);
    const unchanged = await service.admin.call('PUT', '/theme', { colour: 'red' });
    assert.deepEqual(unchanged.json.meta.ignored, ['colour']);
  });

  test('are named up to twenty, and long or odd names are cut and cleaned', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, index]));
    const body = { ['x'.repeat(100)]: 1, 'a\u0000b': 2, ...many };
    const { json } = (await service.admin.call('PUT', '/settings', body)).expect(200);
    assert.equal(json.meta.ignored.length, 20);
    assert.deepEqual(json.meta.ignored.slice(0, 3), ['x'.repeat(64), 'a\ufffdb', 'f0']);
  });
});

test('POST /admin/webhooks lists the errors of 200 wrong names and counts all', async () => {
  const events = Array.from({ length: 3_000 }, (_, n) => `event-${n}`);
  const body = { url: 'https://till.example.com/', events };
  const { json } = (await service.admin.call('POST', '/webhooks', body)).expect(422);
  assert.equal(Object.keys(json.errors).length, constants.maxListedFailures);
  assert.deepEqual(Object.keys(json.codes), Object.keys(json.errors));
  assert.match(json.message, /\(e 2999 altri errori\)$/);
});

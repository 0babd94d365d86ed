// The history of a menu: who changed what, the feed of changes, and menus as they were.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forgetVersions } from '../../../db/sql/retention.ts';
import { adminService, createAdminClient, issueToken } from '../../support/admin.ts';
import { each } from '../../support/each.ts';
import { until } from '../../support/until.ts';

type Row = Record<string, unknown>;

const service = await adminService();

const { call } = service.admin;
const get = async (path: string) => (await service.admin.get(path)).json;
const latest = async () => (await get('/versions?limit=1')).meta.latest as number;
const exported = async () => (await get('/export')).data;

describe('GET /admin/versions', () => {
  test('has an entry for each write, the newest first, with its author', async () => {
    assert.ok((await call('PATCH', '/items/1', { price: 5 })).headers.etag);
    assert.equal((await call('POST', '/admin-none', {})).json.success, false);
    const { data, meta } = await get('/versions');
    const [newest, older] = data;
    assert.deepEqual([newest.version, older.version], [meta.latest, meta.latest - 1]);
    assert.deepEqual(newest.actor, { kind: 'token', id: newest.actor.id, name: 'test' });
    assert.equal(newest.origin, 'api');
    assert.deepEqual(newest.counts, { created: 0, changed: 1, deleted: 0, restored: 0 });
    assert.equal((await service.admin.get(`/jobs/${newest.job_id}`)).json.data.price, 5);
    assert.equal('changes' in newest, false);
  });

  test('says what a version changed', async () => {
    await call('PATCH', '/items/1', { price: 6, name: { it: 'Olive', en: 'Olives' } });
    const { data } = await get(`/versions/${await latest()}`);
    assert.deepEqual(data.changes, [
      {
        ...{ resource: 'items', id: 1, external_id: data.changes[0].external_id },
        ...{ name: 'Olive', action: 'changed' },
        fields: { price: [5, 6], name: [{ it: 'Olive' }, { it: 'Olive', en: 'Olives' }] },
      },
    ]);
    assert.deepEqual(data.parts[0].changes, data.changes);
  });

  test('a deleted record is whole, and so are those that it takes along', async () => {
    const before = await exported();
    const section = before.categories.find((one: Row) => one.parent_id !== null);
    const dish = before.items.find((one: Row) => one.category_id === section.id);
    await call('DELETE', `/categories/${section.id}`);
    const { data } = await get(`/versions/${await latest()}`);
    assert.deepEqual(each(data.changes, 'resource'), ['categories', 'items']);
    assert.deepEqual(each(data.changes, 'id'), [section.id, dish.id]);
    assert.deepEqual(each(data.changes, 'action'), ['deleted', 'deleted']);
    assert.deepEqual(data.changes[1].fields.price, [dish.price, null]);
    await call('POST', `/categories/${section.id}/restore`);
    const back = await get(`/versions/${await latest()}`);
    assert.deepEqual(back.data.counts, { created: 0, changed: 0, deleted: 0, restored: 2 });
    assert.deepEqual(await exported(), before);
  });

  test('names bulk writes, imports and the clock', async () => {
    const origins = async (count: number) =>
      each((await get(`/versions?limit=${count}`)).data, 'origin');
    const operations = [{ resource: 'items', action: 'update', id: 1, data: { price: 7 } }];
    await call('POST', '/bulk', { operations });
    const document = await exported();
    document.items[0].price = 8;
    await call('PUT', '/import', document);
    assert.deepEqual(await origins(2), ['import', 'bulk']);
    await call('PATCH', '/items/1', { sold_out_until: '2198-12-24T18:00:00Z' });
    await service.sql('update dishes set sold_out_until = now() where id = 1');
    await until('the clock made no version', async () => (await origins(1))[0] === 'clock');
    const [entry] = (await get('/versions?limit=1')).data;
    assert.deepEqual(entry.actor, { kind: 'clock', id: null, name: null });
    assert.equal(entry.job_id, null);
  });

  test('writes that share a version have a part each, with their own authors', async () => {
    const token = await issueToken(service.db, service.tenantId, ['menu:write']);
    const other = createAdminClient(service.client, token);
    const first = await latest();
    await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        (index % 2 ? other : service.admin).call('PATCH', '/items/2', { price: 10 + index }),
      ),
    );
    const { data } = await get(`/versions?after=${first}&limit=100`);
    const jobs = new Set(each(data, 'job_id'));
    const actors = new Set(each(each(data, 'actor') as Row[], 'id'));
    assert.deepEqual([data.length, jobs.size, actors.size], [24, 24, 2]);
    for (const [index, { changes }] of data.entries()) {
      const before = data[index - 1]?.changes[0].fields.price[1];
      if (index > 0) assert.equal(changes[0].fields.price[0], before);
    }
  });

  test('after=N gives every later version once, whatever the size of its pages', async () => {
    const entries: string[] = [];
    let at = 0;
    for (;;) {
      const { data, meta } = await get(`/versions?after=${at}&limit=3`);
      for (const { version, part } of data) entries.push(`${version}.${part}`);
      at = data.at(-1)?.version ?? at;
      if (at === meta.latest) break;
    }
    assert.equal(new Set(entries).size, entries.length);
    const stored = await service.sql('select version, part from versions order by 1, 2');
    const all = stored.map(({ version, part }) => `${version}.${part}`);
    assert.deepEqual(entries, all);
  });

  test('a version that has not been is 404 alone and 410 in the feed', async () => {
    const next = (await latest()) + 1;
    for (const path of [`/versions/${next}`, `/versions/${next}/menu`, '/versions/x']) {
      assert.equal((await service.admin.get(path)).status, 404, path);
    }
    assert.equal((await service.admin.get(`/versions?after=${next}`)).status, 410);
    assert.equal((await service.admin.get('/versions?after=x')).status, 422);
  });
});

describe('GET /admin/versions/{version}/menu', () => {
  test('is the export that was given then', async () => {
    const kept = new Map<number, unknown>();
    const keep = async () => kept.set(await latest(), await exported());
    await keep();
    await call('POST', '/items', { category_id: 1, name: { it: 'Nuovo' }, price: 3 });
    await keep();
    const settings = { allergen_info: 'Chiedete', supported_locales: ['it', 'en'] };
    await call('PATCH', '/settings', settings);
    await keep();
    await call('DELETE', '/types/1');
    await keep();
    await call('DELETE', '/categories/1');
    await keep();
    for (const [version, document] of kept) {
      const { data } = await get(`/versions/${version}/menu`);
      assert.deepEqual(data, document, `version ${version}`);
    }
  });

  test('a version that is older than what is kept is 410', async () => {
    const { data } = await get('/versions?limit=2');
    const [{ version: present }, { version: second }] = data;
    await service.sql`
      update versions set at = now() - interval '401 days' where version < ${second}`;
    await forgetVersions(service.db, 400);
    for (const path of ['', '/menu']) {
      assert.equal((await service.admin.get(`/versions/${second - 1}${path}`)).status, 410);
      assert.equal((await service.admin.get(`/versions/${second}${path}`)).status, 200);
    }
    assert.equal((await service.admin.get(`/versions?after=${second - 2}`)).status, 410);
    const feed = await get(`/versions?after=${second - 1}`);
    assert.deepEqual(new Set(each(feed.data, 'version')), new Set([second, present]));
    // The entry of the present version stays, however old it is.
    await service.sql(`update versions set at = now() - interval '401 days'`);
    await forgetVersions(service.db, 400);
    assert.equal((await service.admin.get(`/versions/${present}/menu`)).status, 200);
  });
});

describe('the history', () => {
  test('no version is committed without its entry, and no entry without its version', async () => {
    const run = (text: string) => service.sql(text);
    const refused = /of tenant \d+ (is not the last|has no) entry/;
    await assert.rejects(run('update tenants set version = version + 1'), refused);
    await assert.rejects(run('update tenants set version = version - 1'), refused);
    await assert.rejects(run(`insert into tenants (slug) values ('senza')`), refused);
    await assert.rejects(
      run(`insert into versions (tenant_id, version, actor_kind, origin)
        select id, version + 1, 'operator', 'cli' from tenants`),
      refused,
    );
  });

  test('is deleted with its restaurant', async () => {
    await service.sql('delete from tenants');
    assert.deepEqual(await service.sql('select from versions'), []);
  });
});

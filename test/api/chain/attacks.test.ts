// A token of a branch reads and writes nothing of its master and its sisters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminService, createAdminClient } from '../../support/admin.ts';
import { follow, masterHouse, openHouse } from '../../support/chain.ts';

const service = await adminService();
const master = await masterHouse(service);
const roma = await openHouse(service, 'roma');
const bari = await openHouse(service, 'bari');

for (const house of [roma, bari]) await follow(service, house, master);
await master.ask('POST', '/chain/publish', {});
await bari.change('Olive', { grapes: 'segreto-di-bari' });
await master.change('Olive', { grapes: 'segreto-del-padrone', is_active: false });

const PATHS: [method: string, path: string, body?: object][] = [
  ['GET', '/chain/deviations'],
  ['GET', '/chain/deviations?format=csv'],
  ['GET', '/chain/publish'],
  ['POST', '/chain/publish', {}],
  ['POST', '/chain/publish', { branches: ['bari'], dry_run: true }],
  ['PUT', '/chain/policy', { fields: {} }],
  ['PUT', '/chain/policy', { price_lists: [{ branch: 'bari', percent: 50 }] }],
];

test('a branch is refused what its master alone may do, and learns nothing by it', async () => {
  const before = await Promise.all([master, bari].map((one) => one.ask('GET', '/export')));
  let count = 0;
  for (const [method, path, body] of PATHS) {
    const answer = await roma.admin.call(method, path, body);
    assert.equal(answer.status, 403, `${method} ${path}`);
    assert.doesNotMatch(answer.text, /segreto/);
    count += 1;
  }
  for (const other of [master, bari]) {
    const stranger = createAdminClient(service.gateway.client(other.slug), roma.token);
    const dish = await other.dish('Olive');
    const asked: typeof PATHS = [
      ...PATHS,
      ['GET', '/chain'],
      ['GET', `/items/${dish.id}`],
      ['PUT', `/items/${dish.id}`, { price: 1 }],
      ['POST', `/items/${dish.id}/follow`, {}],
      ['GET', '/versions'],
      ['GET', '/export'],
    ];
    for (const [method, path, body] of asked) {
      const answer = await stranger.call(method, path, body);
      assert.equal(answer.status, 401, `${method} ${path} of ${other.slug}`);
      assert.doesNotMatch(answer.text, /segreto/);
      count += 1;
    }
  }
  assert.ok(count > 30);
  const chain = await roma.ask('GET', '/chain');
  assert.deepEqual([chain.role, chain.branches], ['branch', []]);
  const after = await Promise.all([master, bari].map((one) => one.ask('GET', '/export')));
  assert.deepEqual(after, before);
});

test('a job of a publication is told to no token of the branch', async () => {
  const sql = "select id from writes where tenant_id = $1 and action = 'publish'";
  const rows = await service.sql(sql, [roma.id]);
  assert.ok(rows.length > 0);
  for (const { id } of rows) assert.equal((await roma.admin.get(`/jobs/${id}`)).status, 404);
});

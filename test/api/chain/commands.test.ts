// Operators let restaurants follow a master, by the command line and by the platform's API.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRestaurant } from '../../../db/actions/restaurants.ts';
import { smallRestaurant } from '../../support/admin.ts';
import { callCli } from '../../support/cli.ts';
import { menuService } from '../../support/menu-service.ts';
import { createOperatorApi, PLATFORM_TOKEN } from '../../support/operator-api.ts';

const service = await menuService([smallRestaurant], { env: { PLATFORM_TOKEN } });
await createRestaurant(service.db, { slug: 'roma', name: 'Roma', locale: 'it' });
const cli = (...args: string[]) => callCli(args, { DATABASE_URL: service.databaseUrl });

test('chain follow tries, follows and refuses, and chain leave keeps the menu', async () => {
  const follow = ['chain', 'follow', 'roma', '--of', 'osteria'];
  const tried = (await cli(...follow, '--dry-run')).ends(0);
  const report = JSON.parse(tried.stdout);
  assert.deepEqual(report, {
    ...{ slug: 'roma', master: 'osteria', match: 'external_id', dry_run: true },
    ...{ matched: 2, own_fields: 0, own_records: 0, missing: report.missing },
  });
  assert.ok(report.missing > 5);
  const early = await cli('chain', 'leave', 'roma');
  assert.deepEqual([early.code, early.stderr], [1, 'roma is no branch of a chain.\n']);
  const done = await cli(...follow, '--match', 'name');
  assert.deepEqual(JSON.parse(done.stdout), { ...report, match: 'name', dry_run: false });
  const above = (await cli('chain', 'follow', 'osteria', '--of', 'roma')).ends(1);
  assert.match(above.stderr, /roma is a branch of osteria itself/);
  assert.equal((await cli(...follow, '--match', 'price')).code, 2);
  const left = await cli('chain', 'leave', 'roma');
  assert.deepEqual(JSON.parse(left.stdout), { slug: 'roma', master: null });
});

test('the platform lets a restaurant follow and leave', async () => {
  const platform = createOperatorApi(service.gateway.port);
  const call = (method: string, slug: string, body?: object) =>
    platform.call(method, `/restaurants/${slug}/master`, body);
  const followed = (await call('PUT', 'roma', { master: 'osteria' })).expect(200);
  assert.equal(followed.json.data.master, 'osteria');
  const refused = await call('PUT', 'osteria', { master: 'roma' });
  assert.deepEqual([refused.status, refused.json.codes], [422, { master: [{ rule: 'invalid' }] }]);
  for (const [slug, body, status] of [
    ['roma', { master: 'nessuna' }, 404],
    ['nessuna', { master: 'osteria' }, 404],
    ['roma', {}, 422],
    ['roma', { master: 'osteria', match: 'price' }, 422],
  ] as const) {
    assert.equal((await call('PUT', slug, body)).status, status, JSON.stringify(body));
  }
  assert.equal((await call('DELETE', 'roma')).status, 204);
  assert.equal((await call('DELETE', 'roma')).status, 404);
});

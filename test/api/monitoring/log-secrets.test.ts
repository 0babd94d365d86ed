// The log names routes by their patterns. Every gateway and worker of the tests has its log looked at.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { adminService } from '../../support/admin.ts';
import { assertNoSecrets, collectLog, noteSecret } from '../../support/collected-log.ts';
import { addUser, signedIn } from '../../support/panel.ts';

const service = await adminService();
await addUser(service.db, service.tenantId);

const hidden = ['release_previews', 'account_links', 'webhooks'];
const secret = randomBytes(32).toString('base64url');

test('a fault is logged by the pattern of its route, and without the secret of its path', async () => {
  const { client, admin, gateway } = service;
  const owner = await signedIn(client);
  // A defect that no path foresees.
  for (const table of hidden) {
    await service.sql(`alter table ${table} rename to ${table}_away`);
  }
  const paths = [`/preview/${secret}`, `/admin/link/${secret}`, '/admin/webhooks'];
  for (const path of paths) {
    const { status } = await client.send(path, { headers: { Cookie: owner.cookie } });
    assert.equal(status, 500, path);
  }
  assert.equal((await admin.get('/webhooks/17')).status, 500);
  for (const table of hidden) {
    await service.sql(`alter table ${table}_away rename to ${table}`);
  }
  const routes = gateway.lines.map((line) => JSON.parse(line).route).filter(Boolean);
  assert.deepEqual(routes.sort(), [
    ...['/admin/link/:secret', '/admin/webhooks', '/api/v1/admin/webhooks/:id'],
    '/preview/:secret',
  ]);
  assertNoSecrets(gateway.lines);
});

test('a secret in a log fails the test that stops its gateway', () => {
  const { log, lines } = collectLog();
  const token = noteSecret('7|short');
  const told = [
    { path: `/preview/${secret}` },
    { cookie: `lavagna-panel=${secret}` },
    { err: new Error(`the token ${token} is unknown`) },
  ];
  for (const fields of told) log.warn(fields, 'a request failed');
  for (const line of lines) assert.throws(() => assertNoSecrets([line]), /a secret in the log/);
  const { lines: clean, log: other } = collectLog();
  // Libraries put what they refused on their errors.
  const refused = Object.assign(new Error('refused'), {
    input: secret,
    issues: [{ input: secret }],
  });
  other.error({ err: refused, error_id: 'aB3_-x9Q.1' }, 'a request failed');
  other.error({ err: new AggregateError([refused], 'all failed') }, 'a request failed');
  assertNoSecrets(clean);
});

// A suspended restaurant: guests read why, owners can read and export, and nothing changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallRestaurant } from '../../support/admin.ts';
import { createClient } from '../../support/http.ts';
import { menuService } from '../../support/menu-service.ts';
import { createOperatorApi, PLATFORM_TOKEN } from '../../support/operator-api.ts';
import { addUser, signedIn } from '../../support/panel.ts';
import { until, untilStatus } from '../../support/until.ts';

const service = await menuService([smallRestaurant], { env: { PLATFORM_TOKEN } });
const { expect } = createOperatorApi(service.gateway.port);
await addUser(service.db, service.tenantId);
const { client } = service;
const owner = await signedIn(client);
const path = '/restaurants/osteria';
const reason = 'The invoice of May <3> is open: call 040 123.';

const page = (at: string, language = 'en', from = client) =>
  from.send(at, { headers: { Accept: 'text/html', 'Accept-Language': language } });

test('a suspended restaurant tells guests why, in their language, at each of its hosts', async () => {
  await expect(201, 'POST', `${path}/hosts`, { name: 'menu.osteria.example' });
  const changed = { suspended: true, suspension_reason: reason };
  const { data } = await expect(200, 'PATCH', path, changed);
  assert.deepEqual([data.suspended, data.suspension_reason], [true, reason]);
  await untilStatus('it is served', 404, () => page('/'));
  const own = createClient(service.gateway.port, 'menu.osteria.example');
  for (const from of [client, own]) {
    const guest = await page('/', 'de', from);
    guest.shows(/The invoice of May &lt;3&gt; is open/, /<h1>Diese Speisekarte macht Pause<\/h1>/);
    guest.shows(/href="\/admin"/);
    assert.equal((await from.get('/menu')).status, 404);
  }
  await expect(200, 'GET', '/hosts?domain=menu.osteria.example');
});

test('the panel of a suspended restaurant can be read and exported, and changes nothing', async () => {
  const before = await expect(200, 'GET', path);
  (await owner.get('/admin')).expect(200).shows(/The invoice of May &lt;3&gt; is open/);
  assert.equal((await owner.get('/admin/import/export')).status, 200);
  (await owner.get('/admin/menu')).shows(/Antipasti/);
  (await owner.post('/admin/menu', { price: '1' })).expect(403).shows(/href="\/admin"/);
  assert.equal((await expect(200, 'GET', path)).data.version, before.data.version);
  await owner.get('/admin/account');
  assert.equal((await owner.post('/admin/sign-out', {})).status, 303);
  const again = await signedIn(client);
  assert.equal((await again.get('/admin')).status, 200);
});

test('a reason belongs to a suspension, and goes with it', async () => {
  await expect(200, 'PATCH', path, { suspended: false });
  await untilStatus('it is not served', 200, () => client.get('/menu'));
  assert.equal((await expect(200, 'GET', path)).data.suspension_reason, null);
  await expect(422, 'PATCH', path, { suspension_reason: 'later' });
  await expect(200, 'PATCH', path, { suspended: true });
  const general = async () => /does not show its menu here/.test((await page('/')).text);
  await until('the general sentence is shown', general);
  await expect(200, 'PATCH', path, { suspended: false });
  await untilStatus('it is not served', 200, () => client.get('/menu'));
});

test('a form that was sent to the former host gets a page with the way on', async () => {
  const visitor = await signedIn(client);
  await visitor.get('/admin/account');
  await expect(200, 'PATCH', path, { slug: 'nuova' });
  const moved = async () => (await page('/admin')).status === 308;
  await until('it has moved', moved);
  const sent = (await visitor.post('/admin/account', { name: 'Ada' })).expect(404);
  sent.shows(/href="http:\/\/menu.osteria.example\/admin"/);
});

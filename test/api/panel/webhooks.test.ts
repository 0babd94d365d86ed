// The panel's pages of webhooks, with a real receiver and a real mail server.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { pizzeria } from '../../../db/operator/demo/restaurant.ts';
import { createAdminClient, issueToken } from '../../support/admin.ts';
import { afterFile } from '../../support/for-file.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { EMAIL, shownToken, signedIn } from '../../support/panel.ts';
import { panelService } from '../../support/panel-service.ts';
import { until, untilFound } from '../../support/until.ts';

interface Message {
  body: string;
  headers: IncomingHttpHeaders;
}

const messages: Message[] = [];
let status = 204;
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  messages.push({ body, headers: request.headers });
  response.writeHead(status).end();
});
const mailServer = await startMailServer();

let id: number;
let secret: string;

receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
afterFile(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await mailServer.stop();
});
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
const service = await panelService([pizzeria], {
  workerEnv: { WEBHOOKS_PRIVATE: '1', SMTP_URL: mailServer.url },
  constants: { webhookInterval: 50 },
});
const scopes = ['menu:read', 'menu:write', 'webhooks:write'] as const;
const token = await issueToken(service.db, service.tenantId, scopes);
const admin = createAdminClient(service.client, token);
const owner = await signedIn(service.client);
beforeEach(() => {
  status = 204;
  messages.length = 0;
});

const page = () => `/admin/webhooks/${id}`;
const verify = (key: string, { body, headers }: Message) =>
  new Webhook(key).verify(body, headers as Record<string, string>);
const post = (fields: Record<string, string | string[]>) => owner.submit(page(), fields);
const change = async (price: number) =>
  (await admin.call('PATCH', '/items/1', { price })).expect(200);
/** The webhook as the API has it. */
const webhook = async () => (await admin.get(`/webhooks/${id}`)).json.data;
const resend = (from_version: number, of: number | string = id) =>
  admin.call('POST', `/webhooks/${of}/resend`, { from_version });
const untilSent = (count: number) =>
  until(`${count} messages were not sent`, () => messages.length === count);

test('the page refuses a wrong address and no event with words, and keeps what was entered', async () => {
  await owner.get('/admin/webhooks');
  const wrong = (await owner.post('/admin/webhooks', { url: 'ftp://till.example' })).expect(422);
  wrong.shows(/value="ftp:\/\/till\.example"/, /id="url-error"/, /id="events-error"/);
  (await owner.post('/admin/webhooks', { url, form_token: 'x' })).expect(403);
  assert.deepEqual((await admin.get('/webhooks')).json.data, []);
});

test('a webhook made in the panel shows its secret once, and its test message is signed with it', async () => {
  const form = await owner.get('/admin/webhooks');
  const [, formId = ''] = /name="form_id" value="([^"]+)"/.exec(form.text) ?? [];
  const fields = { url, events: ['menu.version'], form_id: formId };
  // A second click, and a reload of the answer.
  const sent = await Promise.all([1, 2].map(() => owner.post('/admin/webhooks', fields)));
  const made = sent.find((one) => one.status === 201) ?? (sent[0] as (typeof sent)[0]);
  assert.deepEqual(sent.map((one) => one.status).sort(), [200, 201], made.text);
  const again = (await owner.post('/admin/webhooks', fields)).expect(200);
  again.shows(/hat seinen Webhook schon angelegt/);
  assert.equal(shownToken(again), undefined);
  assert.equal((await admin.get('/webhooks')).json.data.length, 1);
  secret = shownToken(made) ?? '';
  assert.match(secret, /^whsec_/);
  id = (await admin.get('/webhooks')).json.data[0].id;
  for (const path of ['/admin/webhooks', page()]) (await owner.get(path)).hides(/whsec_/);
  assert.equal((await post({ do: 'test' })).status, 303);
  await untilSent(1);
  assert.equal((verify(secret, messages[0] as Message) as { type: string }).type, 'webhook.test');
  await until('the answer is not shown', async () => /204/.test((await owner.get(page())).text));
});

test('a new secret from the page signs beside the present one', async () => {
  const rotated = await post({ do: 'rotate' });
  const next = shownToken(rotated) ?? '';
  assert.notEqual(next, secret);
  await post({ do: 'test' });
  await untilSent(1);
  for (const key of [secret, next]) verify(key, messages[0] as Message);
});

test('all messages from a version on are sent again, in order, under the same ids', async () => {
  for (const price of [11, 12, 13]) await change(price);
  await untilSent(3);
  const first = messages.map(({ headers }) => headers['webhook-id']);
  const { version } = JSON.parse(messages[1]?.body ?? '').data;
  messages.length = 0;
  assert.equal((await post({ do: 'from', version: String(version) })).status, 303);
  await untilSent(2);
  const again = messages.map(({ headers }) => headers['webhook-id']);
  assert.deepEqual(again, first.slice(1));
  for (const wrong of ['', '0', 'x', '99999999999']) {
    assert.equal((await post({ do: 'from', version: wrong })).status, 422, wrong);
  }
  (await resend(version)).expect(200);
  await untilSent(4);
  (await resend(0)).expect(422);
  (await resend(1, 999)).expect(404);
});

test('one delivery is sent again by its button, also while the next attempt is minutes away', async () => {
  status = 500;
  await change(14);
  await until('nothing was sent', () => messages.length > 0);
  const later = `update webhooks set next_try_at = now() + interval '14 minutes'
    where failures > 0 returning id`;
  await untilFound('no attempt waits', () => service.sql(later));
  status = 204;
  messages.length = 0;
  const [{ id: delivery }] = (await admin.get(`/webhooks/${id}/deliveries`)).json.data;
  assert.equal((await post({ do: 'resend', delivery: String(delivery) })).status, 303);
  await until('it waits for its next attempt', () => messages.length > 0);
  // Noted later, it would take back the failure that comes next.
  await until('the answer is not noted', async () => (await webhook()).failing_since === null);
});

test('a webhook that is switched off is marked on the first page, and its owners have mail', async () => {
  status = 503;
  await change(15);
  await until('it has not failed', async () => (await webhook()).failing_since !== null);
  await service.sql`
     update webhooks set failing_since = now() - interval '73 hours', next_try_at = now()
     where id = ${id}`;
  await until('it is still on', async () => !(await webhook()).is_active);
  (await owner.get('/admin')).shows(/href="\/admin\/webhooks">/, /class="notice bad"/);
  // Each owner has a mail, one after the other.
  const find = () => mailServer.mails.find(({ to }) => to[0] === EMAIL);
  await until('no mail came', () => find() !== undefined);
  const told = find();
  assert.ok(told?.text.includes(url.slice(0, 20)), told?.text);
  assert.match(told?.text ?? '', /pizzeria\.localhost:\d+\/admin\/webhooks/);
  (await resend(1)).refuses('is_active');
  status = 204;
  messages.length = 0;
  (await post({ do: 'save', url, events: ['menu.version'], is_active: '1' })).expect(303);
  await change(16);
  await until('it was not told', () => messages.length > 0);
  (await owner.get('/admin')).hides(/class="notice bad"/);
});

test('a webhook is changed and deleted by its page, and one that is gone is 404', async () => {
  (await post({ do: 'save', url: `${url}2`, events: ['import.finished'] })).expect(303);
  const { url: stored, events, is_active } = await webhook();
  assert.deepEqual([stored, events, is_active], [`${url}2`, ['import.finished'], false]);
  assert.equal((await post({ do: 'save', url: '', events: [] })).status, 422);
  assert.equal((await post({ do: 'remove' })).status, 303);
  assert.equal((await owner.get(page())).status, 404);
  assert.equal((await owner.get('/admin/webhooks/x')).status, 404);
});

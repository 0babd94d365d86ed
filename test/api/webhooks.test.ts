// Webhooks: what receivers are told, when, and where messages never go.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { constants } from '../../db/runtime/constants.ts';
import { makeSecret } from '../../db/schema/webhook.ts';
import type { DueDelivery } from '../../db/sql/webhook-turns.ts';
import {
  createPublicLookup,
  isPublicAddress,
  type Resolve,
} from '../../workers/outgoing/send-request.ts';
import { sendMessage } from '../../workers/webhooks/start-webhooks.ts';
import { createAdminClient, issueToken } from '../support/admin.ts';
import { checkAnswer } from '../support/contract.ts';
import { menuService } from '../support/menu-service.ts';
import { type Message, receive } from '../support/receiver.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { until } from '../support/until.ts';
import { testWorker } from '../support/worker.ts';

const osteria = restaurantOf('osteria', [sectionOf('Primi', [dishOf('Gnocchi')])]);
/** Failures are tried again soon. */
const SOON = { webhookInterval: 50, webhooksPerRound: 2, webhookRetrySeconds: 1 };

const service = await menuService([osteria], { alone: true });
await testWorker(service.databaseUrl, { WEBHOOKS_PRIVATE: '1' }, SOON);
const scopes = ['menu:read', 'menu:write', 'webhooks:write'] as const;
const token = await issueToken(service.db, service.tenantId, scopes);
const admin = createAdminClient(service.client, token);
const dish: number = (await admin.get('/items')).json.data[0].id;

interface Told {
  type: string;
  data: { restaurant: string; entries: { changes: { fields: object }[] }[] };
}

async function create(t: TestContext, url: string, events: string[] = ['menu.version']) {
  const { json } = (await admin.call('POST', '/webhooks', { url, events })).expect(201);
  t.after(() => admin.call('DELETE', `/webhooks/${json.data.id}`));
  return json.data as { id: number; secret: string };
}

const change = async (body: object) => {
  (await admin.call('PATCH', `/items/${dish}`, body)).expect(200);
};
const deliveries = async (id: number) => (await admin.get(`/webhooks/${id}/deliveries`)).json.data;
const versionOf = ({ body }: Message) => JSON.parse(body).data.version;
/** Asserts that a message is signed with a secret; returns its content. */
const verify = (secret: string, message?: Message) =>
  new Webhook(secret).verify(message?.body ?? '', message?.headers as Record<string, string>);

describe('a webhook', () => {
  test('is told of each version once, in order, with what changed and a signature', async (t) => {
    const { url, messages } = await receive(t);
    const { id, secret } = await create(t, url);
    for (let price = 20; price < 25; price += 1) await change({ price });
    await until('messages are missing', () => messages.length >= 5);
    const versions = messages.map(versionOf);
    const sorted = versions.toSorted((a, b) => a - b);
    assert.deepEqual(versions, sorted);
    assert.equal(new Set(versions).size, 5);
    const { type, data } = verify(secret, messages[0]) as Told;
    assert.deepEqual([type, data.restaurant], ['menu.version', 'osteria']);
    assert.deepEqual(data.entries[0]?.changes[0]?.fields, { price: [1, 20] });
    await until('an answer is not noted', async () => {
      const listed: { state: string; status: number }[] = await deliveries(id);
      const taken = listed.filter((one) => one.state === 'delivered' && one.status === 204);
      return taken.length === 5 && listed.length === 5;
    });
    const shown = (await admin.get(`/webhooks/${id}`)).json.data;
    assert.equal('secret' in shown, false, 'the secret is shown once');
  });

  test('gets a message again under the same id until it takes it, and no later one before', async (t) => {
    const { url, messages } = await receive(t, (count) => (count <= 2 ? 500 : 204));
    await create(t, url);
    await change({ price: 30 });
    await change({ price: 31 });
    await until('messages are missing', () => messages.length >= 4);
    const ids = messages.map(({ headers }) => headers['webhook-id']);
    assert.equal(new Set(ids.slice(0, 3)).size, 1);
    assert.notEqual(ids[3], ids[0]);
  });

  test('is told while more others fail than a round looks at', async (t) => {
    const failing = await Promise.all([1, 2, 3].map(() => receive(t, () => 500)));
    for (const { url } of failing) await create(t, url);
    await change({ price: 40 });
    await until('they do not fail', () => failing.every(({ messages }) => messages.length > 0));
    const good = await receive(t);
    await create(t, good.url);
    await change({ price: 41 });
    await until('it waits for those that fail', () => good.messages.length === 1);
  });

  test('is not redirected', async (t) => {
    const { url, messages } = await receive(t, () => 302);
    const { id } = await create(t, url);
    await change({ price: 40 });
    await until('nothing was sent', () => messages.length > 0);
    await until('it was not noted', async () => (await deliveries(id))[0]?.error !== null);
    assert.equal((await deliveries(id))[0].error, 'answered 302');
  });

  test('that fails for too long is switched off, and told of what it missed when it is on again', async (t) => {
    let isUp = false;
    const { url, messages } = await receive(t, () => (isUp ? 204 : 503));
    const { id } = await create(t, url);
    await change({ price: 50 });
    const shown = async () => (await admin.get(`/webhooks/${id}`)).json.data;
    await until('it has not failed', async () => (await shown()).failing_since !== null);
    await service.sql`
      update webhooks set failing_since = now() - interval '3 days 1 minute' where id = ${id}`;
    await until('it is still on', async () => !(await shown()).is_active);
    assert.notEqual((await shown()).switched_off_at, null);
    const sent = messages.length;
    await change({ price: 51 });
    isUp = true;
    const on = await admin.call('PATCH', `/webhooks/${id}`, { is_active: true });
    assert.deepEqual([on.json.data.is_active, on.json.data.switched_off_at], [true, null]);
    await until('it was not told', () => messages.length > sent);
    assert.equal(versionOf(messages.at(-1) as Message), versionOf(messages[0] as Message) + 1);
    // The message that was given up is sent by hand.
    const failed = (await deliveries(id)).find(
      ({ state }: { state: string }) => state === 'failed',
    );
    const again = await admin.call('POST', `/webhooks/${id}/deliveries/${failed.id}/resend`);
    assert.equal(again.json.data.state, 'waiting');
    await until('it was not sent', async () => {
      return (await deliveries(id)).every(({ state }: { state: string }) => state === 'delivered');
    });
  });

  test('that never answers delays no other', async (t) => {
    const silent = await receive(t, () => null);
    const good = await receive(t);
    for (let count = 0; count < 3; count += 1) await create(t, silent.url);
    await create(t, good.url);
    await change({ price: 60 });
    await change({ price: 61 });
    await until('it waits for the others', () => good.messages.length === 2);
  });

  test('has signatures of both secrets after a rotation', async (t) => {
    const { url, messages } = await receive(t);
    const { id, secret } = await create(t, url);
    const { json } = await admin.call('PATCH', `/webhooks/${id}`, { rotate_secret: true });
    assert.notEqual(json.data.secret, secret);
    const sent = await admin.call('POST', `/webhooks/${id}/test`);
    // Without a length a client waits for the end of the connection.
    assert.deepEqual([sent.status, sent.json.data.id], [202, id]);
    assert.equal(Number(sent.headers['content-length']), Buffer.byteLength(sent.text));
    await until('nothing was sent', () => messages.length === 1);
    for (const one of [secret, json.data.secret]) verify(one, messages[0]);
  });

  test('hears of dishes that are sold out, and of imports', async (t) => {
    const { url, messages } = await receive(t);
    await create(t, url, ['item.availability', 'import.finished']);
    await change({ sold_out_until: 'indefinitely' });
    await change({ price: 70 });
    await until('nothing was sent', () => messages.length === 1);
    const { type, data } = JSON.parse(messages[0]?.body ?? '');
    assert.equal(type, 'item.availability');
    assert.equal(data.items[0].id, dish);
    const { data: document } = (await admin.get('/export')).json;
    document.items[0].price = 71;
    (await admin.call('PUT', '/import', document)).expect(200);
    await until('nothing was sent', () => messages.length === 2);
    assert.equal(JSON.parse(messages[1]?.body ?? '').type, 'import.finished');
  });

  test('is answered as the document says: made, shown, changed, told, deleted', async () => {
    const ask = async (method: string, path: string, status: number, body?: object) => {
      const answer = (await admin.call(method, path, body)).expect(status);
      checkAnswer(method, `/api/v1/admin${path}`, answer);
      return answer;
    };
    const body = { url: 'https://till.example.com/', events: ['menu.version'], is_active: false };
    const path = `/webhooks/${(await ask('POST', '/webhooks', 201, body)).json.data.id}`;
    for (const one of ['/webhooks', path, `${path}/deliveries`]) await ask('GET', one, 200);
    await ask('PATCH', path, 200, { rotate_secret: true });
    await ask('POST', `${path}/test`, 202);
    const [{ id }] = (await ask('GET', `${path}/deliveries`, 200)).json.data;
    await ask('POST', `${path}/deliveries/${id}/resend`, 200);
    await ask('DELETE', path, 204);
    await ask('GET', path, 404);
  });

  test('is refused when its fields are wrong, and belongs to one restaurant and one scope', async () => {
    for (const [body, field] of [
      [{ events: ['menu.version'] }, 'url'],
      [{ url: 'ftp://a.example', events: ['menu.version'] }, 'url'],
      [{ url: 'https://a.example', events: [] }, 'events'],
      [{ url: 'https://a.example', events: ['menu.eaten'] }, 'events.0'],
    ] as const) {
      (await admin.call('POST', '/webhooks', body)).refuses(field);
    }
    const weak = await issueToken(service.db, service.tenantId, ['menu:write']);
    const reader = createAdminClient(service.client, weak);
    assert.equal((await reader.get('/webhooks')).status, 403);
    for (const path of ['/webhooks/999', '/webhooks/x', '/webhooks/999/deliveries']) {
      assert.equal((await admin.get(path)).status, 404, path);
    }
    assert.equal((await admin.call('POST', '/webhooks/1/deliveries/9/resend')).status, 404);
  });
});

describe('a message goes to public addresses only', () => {
  const due = (url: string): DueDelivery => ({
    ...{ url, secret: makeSecret(), former_secret: null, failing_for: null },
    ...{ tenant_id: 1, delivery_id: 1, message_id: 'msg_1', payload: '{}' },
  });
  const publicOnly = { constants, isPrivateAllowed: false };
  const anywhere = { constants, isPrivateAllowed: true };
  const PRIVATE = [
    ...['127.0.0.1', '127.1.2.3', '0.0.0.0', '10.0.0.1', '172.16.0.1', '172.31.255.255'],
    ...['192.168.1.1', '169.254.169.254', '100.64.0.1', '192.0.0.1', '192.0.2.1', '198.18.0.1'],
    ...['198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...['::1', '::', 'fe80::1', 'fc00::1', 'fd12::1', 'ff02::1', '2001:db8::1'],
    ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '64:ff9b::7f00:1'],
    ...['64:ff9b::a00:1', '2002:7f00:1::', '2002:a00:1::', '2001::1', '100::1'],
    // The deprecated form of an IPv4 address in IPv6, and ranges that have no meaning yet.
    ...['::7f00:1', '::a00:1', '::2', '1::1', '4000::1', '64:ff9b:1::1', 'fec0::1'],
  ];

  test('private, local, reserved and translated ones are refused', async () => {
    for (const address of PRIVATE) assert.equal(isPublicAddress(address), false, address);
    const hosts = PRIVATE.map((address) => (address.includes(':') ? `[${address}]` : address));
    for (const host of [...hosts, '2130706433', '0x7f000001', '0177.0.0.1', '127.1']) {
      const attempt = await sendMessage(due(`http://${host}:9/`), publicOnly);
      assert.match(attempt.error ?? '', /is not at a public address/, host);
    }
    for (const address of ['1.1.1.1', '93.184.216.34', '2606:4700::1111']) {
      assert.equal(isPublicAddress(address), true, address);
    }
  });

  test('a name that leads to one is refused, also when it did not before', async (t) => {
    const { url, messages } = await receive(t);
    const { port } = new URL(url);
    const named = due(`http://localhost:${port}/`);
    const attempt = await sendMessage(named, publicOnly);
    assert.match(attempt.error ?? '', /is not at a public address/);
    assert.equal(messages.length, 0);
    assert.equal((await sendMessage(named, anywhere)).error, null);
  });

  test('an attempt does not tell the address of a name', async (t) => {
    const { url } = await receive(t);
    const { port } = new URL(url);
    const attempts = [
      await sendMessage(due(`http://localhost:${port}/`), publicOnly),
      await sendMessage(due('http://localhost:9/'), anywhere),
      await sendMessage(due('http://127.0.0.1:9/'), anywhere),
    ];
    const told = /^(the host is not at a public address|connect ECONNREFUSED|ECONNREFUSED)$/;
    for (const { error } of attempts) assert.match(error ?? '', told);
  });

  test('each connection goes to the address that was checked for it, whatever DNS says later', async (t) => {
    const { url, messages } = await receive(t);
    const answers = [['1.1.1.1'], ['127.0.0.1'], ['1.1.1.1', '127.0.0.1']];
    let asked = 0;
    const resolve: Resolve = (_, __, callback) => {
      const addresses = answers[asked++ % answers.length] ?? [];
      const found = addresses.map((address) => ({ address, family: 4 }));
      callback(null, found);
    };
    const lookup = createPublicLookup(resolve);
    await new Promise<void>((done) => {
      lookup('till.example', { all: true }, (error, addresses) => {
        assert.deepEqual([error, addresses], [null, [{ address: '1.1.1.1', family: 4 }]]);
        done();
      });
    });
    const named = due(url.replace('127.0.0.1', 'till.example'));
    for (const times of [2, 3]) {
      const attempt = await sendMessage(named, { ...publicOnly, lookup });
      assert.match(attempt.error ?? '', /^the host is not at a public address$/);
      assert.equal(asked, times, 'it is asked once for a connection');
    }
    assert.equal(messages.length, 0);
  });
});

// Limits over several gateways, killed gateways, and a Postgres that is away.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { freePort } from '../../bench/processes/free-port.ts';
import { pizzeria } from '../../db/operator/demo/restaurant.ts';
import { databaseLink } from '../support/database-link.ts';
import { each } from '../support/each.ts';
import { startTestGateway, testGateway } from '../support/gateway.ts';
import { type Client, createClient, type Response } from '../support/http.ts';
import { ownDatabase } from '../support/own-database.ts';
import { openSocket } from '../support/raw-socket.ts';
import { plant } from '../support/restaurant.ts';
import { startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const LIMIT = 120;
/** 5 in 120 is what several gateways, or a killed one, may admit beyond a limit. */
const LEAK = 5;
const PROXIED = { LIMIT_PUBLIC: String(LIMIT), TRUSTED_PROXIES: '127.0.0.1' };

/** On a busy machine no window ends during a test, and each near request is counted in Postgres. */
const CALM = { limitWindow: 900_000 };

const database = await ownDatabase();
const { db } = database;

await plant(db, pizzeria);

let lastClient = 0;
/** A new client, and what it sends. */
function newClient() {
  lastClient += 1;
  const address = `198.51.100.${lastClient}`;
  return { address, at: (api: Client) => api.get('/theme', { 'X-Forwarded-For': address }) };
}

function admitted(responses: Response[]): number {
  for (const { status } of responses) assert.ok(status === 200 || status === 429, `${status}`);
  return responses.filter(({ status }) => status === 200).length;
}

function times<T>(n: number, work: (i: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: n }, (_, i) => work(i)));
}

test('neither a restart nor a kill gives a client a new window', async () => {
  const port = await freePort();
  const env = { ...PROXIED, PORT: String(port) };
  const start = () => startService('gateway/main.ts', database.url, env, CALM);
  const api = createClient(port, 'pizzeria.localhost');
  const [patient, hasty] = [newClient(), newClient()];
  let { program: gateway } = await start();
  assert.equal(admitted(await times(70, () => patient.at(api))), 70);
  await gateway.stop();

  ({ program: gateway } = await start());
  const afterRestart = admitted(await times(200, () => patient.at(api)));
  assert.equal(afterRestart, LIMIT - 70, 'a restart loses nothing');
  const beforeKill = admitted(await times(90, () => hasty.at(api)));
  await gateway.kill();

  ({ program: gateway } = await start());
  const afterKill = admitted(await times(200, () => hasty.at(api)));
  assert.ok(beforeKill + afterKill <= LIMIT + LEAK, `${beforeKill} and ${afterKill}`);
  assert.ok(beforeKill + afterKill >= LIMIT, `${beforeKill} and ${afterKill}`);
  assert.equal((await patient.at(api)).status, 429);
  await gateway.stop();
});

test('four gateways on one Postgres share the counters', async (t) => {
  const gateways = await times(4, () => startTestGateway(database.url, PROXIED, CALM));
  t.after(() => times(4, async (i) => gateways[i]?.stop()));
  const apis = gateways.map((gateway) => gateway.client('pizzeria'));
  const api = (i: number) => apis[i % apis.length] as Client;
  const assertShared = (total: number) => {
    assert.ok(total >= LIMIT, `${total}: refused too early`);
    assert.ok(total <= LIMIT + LEAK, `${total}: admitted too many`);
  };

  await t.test('evenly, at once', async () => {
    const client = newClient();
    assertShared(admitted(await times(400, (i) => client.at(api(i)))));
  });
  await t.test('skewed: one gateway gets most', async () => {
    const client = newClient();
    assertShared(admitted(await times(300, (i) => client.at(api(i % 10 === 0 ? i : 0)))));
  });
  await t.test('moving from one to the next', async () => {
    const client = newClient();
    const responses: Response[] = [];
    for (let i = 0; i < 160; i += 1) responses.push(await client.at(api(Math.floor(i / 40))));
    assertShared(admitted(responses));
  });
  await t.test('below the limit no client is refused', async () => {
    const client = newClient();
    const responses = await times(LIMIT - 1, (i) => client.at(api(i)));
    assert.equal(admitted(responses), LIMIT - 1);
  });
});

test('with Postgres away or frozen requests are decided here, and the counts meet again', async () => {
  const link = await databaseLink(database.url);
  const { limitWindow } = CALM;
  const gateway = await testGateway(link.url, PROXIED, { limitWindow });
  const api = gateway.client('pizzeria');
  const untilCounted = async (address: string, count: number) => {
    const text = 'select count from limit_windows where client = $1';
    await until('the count did not arrive', async () => {
      return (await database.sql(text, [address]))[0]?.count === count;
    });
  };
  for (const block of [link.freeze, link.cut]) {
    const client = newClient();
    assert.equal((await client.at(api)).status, 200);
    await untilCounted(client.address, 1);
    block();
    const responses = await times(LIMIT + 30, () => client.at(api));
    assert.equal(admitted(responses), LIMIT - 1);
    link.thaw();
    await untilCounted(client.address, LIMIT);
    assert.equal((await client.at(api)).status, 429);
  }
});

/** Sends bytes as they are, and returns what comes back until the other side closes. */
function sendBytes(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
      // A connection that is kept open has answered when a whole answer is there.
      if (/\r\n\r\n/.test(received) && !/connection: close/i.test(received)) socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}

function preamble(source: number[]): Buffer {
  const signature = [0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a];
  return Buffer.from([...signature, 0x21, 0x11, 0, 12, ...source, 127, 0, 0, 1, 0x12, 0x34, 0, 80]);
}

const GET = Buffer.from('GET /api/v1/nothing HTTP/1.1\r\nHost: pizzeria.localhost\r\n\r\n');
const clientsCounted = async () =>
  each(await database.sql('select host(client) as client from limit_windows'), 'client');

test('the PROXY protocol counts behind a trusted proxy, once a connection', async () => {
  const trusting = await startTestGateway(database.url, PROXIED);
  const answer = await sendBytes(trusting.port, Buffer.concat([preamble([203, 0, 113, 1]), GET]));
  assert.match(answer, /^HTTP\/1.1 404.*X-RateLimit-Remaining: 119.*Resource not found/s);
  assert.match(answer, /connection: close/i);
  // A client that sends a preamble of its own on the same connection gets nothing by it.
  const twice = [preamble([203, 0, 113, 1]), GET, preamble([203, 0, 113, 2]), GET];
  const forged = await sendBytes(trusting.port, Buffer.concat(twice));
  assert.ok((forged.match(/HTTP\/1.1/g) ?? []).length <= 1);
  // A 304 that ends its connection says the length of the client's copy, or caches take it for empty.
  const menu = '/api/v1/menu';
  const from = { 'X-Forwarded-For': '203.0.113.1' };
  const { headers } = await trusting.client('pizzeria').send(menu, { headers: from });
  const again = `GET ${menu} HTTP/1.1\r\nHost: pizzeria.localhost\r\nIf-None-Match: ${headers.etag}\r\n\r\n`;
  const proxied = await openSocket(trusting.port);
  proxied.socket.write(Buffer.concat([preamble([203, 0, 113, 1]), Buffer.from(again)]));
  const head = await proxied.until((received) => received.endsWith('\r\n\r\n'));
  assert.match(head, /^HTTP\/1.1 304/);
  assert.ok(head.includes(`\r\nContent-Length: ${headers['content-length']}\r\n`), head);
  proxied.socket.destroy();
  await trusting.stop();
  const counted = await clientsCounted();
  assert.ok(counted.includes('203.0.113.1'));
  assert.ok(!counted.includes('203.0.113.2'));
});

test('without a trusted proxy the peer is the client, whatever it says', async () => {
  const trustless = await startTestGateway(database.url, { LIMIT_PUBLIC: String(LIMIT) });
  const forged = Buffer.concat([preamble([203, 0, 113, 3]), GET]);
  assert.match(await sendBytes(trustless.port, forged), /X-RateLimit-Remaining: 119/);
  const from = { 'X-Forwarded-For': '203.0.113.4' };
  const response = await trustless.client('pizzeria').get('/nothing', from);
  assert.equal(response.headers['x-ratelimit-remaining'], '118');
  await trustless.stop();
  const counted = await clientsCounted();
  assert.ok(counted.includes('127.0.0.1'));
  assert.ok(!counted.some((client) => ['203.0.113.3', '203.0.113.4'].includes(client)));
});

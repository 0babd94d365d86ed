// The round of an integrator in Node, with its own fetch. judge-by-languages.ts starts it.
// RECEIVER is the receiver of gateway/WEBHOOKS.md.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

const { API_HOST, TOKEN, RECEIVER, RECEIVER_PORT } = process.env;
const API = `http://${API_HOST}/api/v1`;
const BOUND = 30_000;

/** @returns {Promise<Response>} */
function ask(method, path, headers = {}, body = undefined) {
  return fetch(API + path, {
    method,
    headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function call(method, path, status, body = undefined, more = {}) {
  const headers = { Authorization: `Bearer ${TOKEN}`, ...more };
  const answer = await ask(method, `/admin${path}`, headers, body);
  const text = await answer.text();
  assert.equal(answer.status, status, `${method} ${path}: ${text}`);
  return { headers: answer.headers, json: text === '' ? null : JSON.parse(text) };
}

async function read() {
  const first = await ask('GET', '/menu');
  assert.equal((await first.json()).success, true);
  const again = await ask('GET', '/menu', { 'If-None-Match': first.headers.get('ETag') });
  assert.deepEqual([again.status, await again.text()], [304, '']);
}

async function write() {
  const section = (await call('POST', '/categories', 201, { name: { it: 'Primi' } })).json.data.id;
  const dish = { category_id: section, name: { it: 'Crème brûlée 日本' }, price: 9.5 };
  const accepted = await call('POST', '/items', 202, dish, { Prefer: 'respond-async' });
  const job = `/admin${accepted.headers.get('Location').split('/admin')[1]}`;
  const bound = performance.now() + BOUND;
  for (;;) {
    const answer = await ask('GET', job, { Authorization: `Bearer ${TOKEN}` });
    const { data } = await answer.json();
    if (answer.status !== 202) {
      assert.deepEqual([answer.status, data.name, data.price], [201, dish.name.it, 9.5]);
      return { section, dish: data.id };
    }
    assert.ok(performance.now() < bound, 'the job does not end');
    await sleep(Number(answer.headers.get('Retry-After')) * 1_000);
  }
}

async function refuse() {
  const { errors, codes } = (await call('POST', '/items', 422, { price: -1 })).json;
  assert.deepEqual(Object.keys(errors), Object.keys(codes));
  assert.equal(codes.price[0].rule, 'min');
  assert.ok(codes.category_id);
}

async function* versions() {
  const answer = await ask('GET', '/stream');
  let text = '';
  for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + piece).split('\n\n');
    text = blocks.pop();
    for (const block of blocks) {
      if (!block.includes('event: version')) continue;
      yield JSON.parse(/^data: (.*)$/m.exec(block)[1]).version;
    }
  }
}

async function follow({ dish }) {
  const events = versions();
  let { value: last } = await events.next();
  for (const price of [10, 11, 12]) {
    // The next event comes while nothing else happens.
    await call('PATCH', `/items/${dish}`, 200, { price });
    const { value: now } = await events.next();
    assert.equal(now, last + 1);
    last = now;
  }
  await events.return();
}

async function hear({ section, dish }) {
  const url = `http://127.0.0.1:${RECEIVER_PORT}/`;
  const hook = { url, events: ['menu.version'] };
  const { id, secret } = (await call('POST', '/webhooks', 201, hook)).json.data;
  process.env.WEBHOOK_SECRET = secret;
  const { arrived } = await import(RECEIVER);
  await call('PATCH', `/items/${dish}`, 200, { price: 20 });
  // Its message is long, so it arrives in pieces that end anywhere.
  const operations = Array.from({ length: 200 }, (_, at) => ({
    ...{ resource: 'items', action: 'create', external_id: `pezzo ${at}` },
    data: { category_id: section, name: { it: `${'茶'.repeat(150)} ${at}` } },
  }));
  await call('POST', '/bulk', 200, { operations });
  const bound = performance.now() + BOUND;
  while (arrived.length < 2) {
    assert.ok(performance.now() < bound, 'a message is missing');
    await sleep(20);
  }
  const [first, second] = arrived.map(({ data }) => data.entries[0].changes);
  assert.deepEqual(first[0].fields.price, [12, 20]);
  assert.equal(second.length, 200);
  await call('DELETE', `/webhooks/${id}`, 204);
}

async function wait() {
  let answer = await ask('GET', '/menu');
  for (let count = 0; count < 1_000 && answer.status === 200; count += 1) {
    await answer.arrayBuffer();
    answer = await ask('GET', '/menu');
  }
  assert.deepEqual([answer.status, (await answer.json()).message], [429, 'Too Many Attempts.']);
  assert.equal(answer.headers.get('X-RateLimit-Remaining'), '0');
  await sleep(Number(answer.headers.get('Retry-After')) * 1_000);
  assert.equal((await ask('GET', '/menu')).status, 200);
}

await read();
console.log('read');
const made = await write();
console.log('write');
await refuse();
console.log('422');
await follow(made);
console.log('stream');
await hear(made);
console.log('webhook');
await wait();
console.log('429');
process.exit();

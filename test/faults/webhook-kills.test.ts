// Webhooks over kills of the workers, and over a receiver that is away for days.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '../../bench/load/random.ts';
import { createAdminClient, issueToken } from '../support/admin.ts';
import { createClient } from '../support/http.ts';
import { ownDatabase } from '../support/own-database.ts';
import { dishOf, plant, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { seed } from '../support/seed.ts';
import { fileService } from '../support/service-process.ts';
import { until } from '../support/until.ts';

/** A long run has 50. */
const KILLS = Number(process.env.KILLS ?? 2);
const WRITES = 10;
/** Quarters of a day, with one attempt in each. */
const QUARTERS = 3 * 4;

const database = await ownDatabase();
const { db } = database;
const random = createRandom(seed);

const OFTEN = { webhookInterval: 50 };
const startWorker = () =>
  fileService('workers/main.ts', database.url, { WEBHOOKS_PRIVATE: '1' }, OFTEN);

const tenantId = await plant(db, restaurantOf('osteria', [sectionOf('S', [dishOf('Uno')])]));
const gateway = await fileService('gateway/main.ts', database.url);
const workers = await Promise.all([startWorker(), startWorker()]);
const client = createClient(gateway.port, 'osteria.localhost');
const admin = createAdminClient(client, await issueToken(db, tenantId));
const dish = (await admin.get('/items')).json.data[0].id;

/** A message as it arrived. */
interface Arrival {
  id: string;
  version: number;
}

/** A receiver, what it took in this order, and whether it takes anything now. */
interface Receiver {
  server: Server;
  isUp: boolean;
  refused: number;
  taken: Arrival[];
}

async function openReceiver(): Promise<Receiver> {
  const receiver: Receiver = { server: createServer(), isUp: true, refused: 0, taken: [] };
  receiver.server.on('request', async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { version } = JSON.parse(body).data;
    if (receiver.isUp) receiver.taken.push({ id: String(request.headers['webhook-id']), version });
    else receiver.refused += 1;
    response.writeHead(receiver.isUp ? 204 : 503).end();
  });
  await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.server.address() as AddressInfo;
  const body = { url: `http://127.0.0.1:${port}/`, events: ['menu.version'] };
  (await admin.call('POST', '/webhooks', body)).expect(201);
  return receiver;
}

async function closeReceiver({ server }: Receiver): Promise<void> {
  const [{ id }] = (await admin.get('/webhooks')).json.data;
  assert.equal((await admin.call('DELETE', `/webhooks/${id}`)).status, 204);
  server.closeAllConnections();
  server.close();
}

let price = 1;
/** Changes a price so many times; each change is done when this resolves. */
async function write(times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    price += 1;
    let reply = await admin.call('PATCH', `/items/${dish}`, { price });
    // No worker could apply it in time; it waits.
    if (reply.status === 202) {
      const path = (reply.headers.location ?? '').replace(/^.*\/admin/, '');
      await until('a write waits', async () => {
        reply = await admin.get(path);
        return reply.status !== 202;
      });
    }
    assert.equal(reply.status, 200, reply.text);
  }
}

const newest = async (): Promise<number> =>
  (await admin.get('/versions?limit=1')).json.data[0].version;

/** All versions after `began` have arrived, each of them first after the one before it, under one id. */
function assertComplete({ taken }: Receiver, began: number, last: number): void {
  const ids = new Map<number, string>();
  for (const { id, version } of taken) {
    const known = ids.get(version);
    if (known === undefined) ids.set(version, id);
    else assert.equal(id, known, `version ${version} came again under another id`);
  }
  const expected = Array.from({ length: last - began }, (_, index) => began + index + 1);
  assert.deepEqual([...ids.keys()], expected);
  assert.equal(new Set(ids.values()).size, ids.size);
}

test('every version reaches its receiver in order, when workers are killed meanwhile', async (t) => {
  const receiver = await openReceiver();
  const began = await newest();
  for (let round = 0; round < KILLS; round += 1) {
    const writing = write(WRITES);
    await delay(random.below(400));
    // One worker in one round, both in the next one.
    const killed = workers.splice(0, 1 + (round % 2));
    await Promise.all(killed.map(({ program }) => program.kill()));
    workers.push(...(await Promise.all(killed.map(startWorker))));
    await writing;
  }
  const last = await newest();
  await until('messages are missing', () => receiver.taken.some(({ version }) => version === last));
  assertComplete(receiver, began, last);
  const { length } = receiver.taken;
  t.diagnostic(`${KILLS} rounds, ${last - began} versions, ${length} messages`);
  await closeReceiver(receiver);
});

test('a receiver that was away for three days gets each version once it is back', async (t) => {
  const receiver = await openReceiver();
  const began = await newest();
  receiver.isUp = false;
  for (let quarter = 0; quarter < QUARTERS; quarter += 1) {
    await write(1);
    const { refused } = receiver;
    // Six hours pass: a next attempt comes, and the failures have lasted longer.
    await until('no attempt waits', async () => {
      const moved = await database.sql`
        update webhooks set next_try_at = now() where failures > 0 returning id`;
      return moved.length > 0 || receiver.refused > refused;
    });
    await until('no attempt came', () => receiver.refused > refused);
    // A failure that is noted later sets the next try, and undoes what is set here.
    await until('an attempt is not noted', async () => {
      const [{ failures }] = await database.sql('select failures from webhooks');
      return failures >= receiver.refused;
    });
    await database.sql`
      update webhooks set failing_since = failing_since - interval '5 hours 55 minutes'`;
  }
  receiver.isUp = true;
  await database.sql('update webhooks set next_try_at = now()');
  const last = await newest();
  await until('messages are missing', () => receiver.taken.some(({ version }) => version === last));
  assertComplete(receiver, began, last);
  const [{ failing_since, switched_off_at }] = (await admin.get('/webhooks')).json.data;
  assert.deepEqual([failing_since, switched_off_at], [null, null]);
  t.diagnostic(
    `${QUARTERS} quarters of a day, ${receiver.refused} attempts in vain, ${last - began} versions`,
  );
  await closeReceiver(receiver);
});

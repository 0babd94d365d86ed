// Displays that follow their menu on a stream.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { publishVersion } from '../../db/menu/new-version.ts';
import { sql } from '../../db/postgres/sql.ts';
import { type Constants, constants } from '../../db/runtime/constants.ts';
import { each } from '../support/each.ts';
import {
  type EventStream,
  type EventStreamOptions,
  openEventStream,
} from '../support/event-stream.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { menuService } from '../support/menu-service.ts';
import { openSocket } from '../support/raw-socket.ts';
import { dishOf, plant, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { scrape } from '../support/scrape.ts';
import { until, untilStatus } from '../support/until.ts';

const osteria = restaurantOf('osteria', [sectionOf('Primi', [dishOf('Gnocchi')])]);
const bottega = restaurantOf('bottega', []);

const service = await menuService([osteria, bottega], { alone: true });

/** Gives the osteria its next version and returns its number. */
function change(): Promise<number> {
  return service.db.transaction(async (tx) => Number(await publishVersion(tx, service.tenantId)));
}

function open(
  options: Partial<EventStreamOptions> = {},
  gateway: TestGateway = service.gateway,
): Promise<EventStream> {
  return openEventStream({ port: gateway.port, host: 'osteria.localhost', ...options });
}

/** Another gateway, for one test. */
async function startOther(
  t: TestContext,
  env: Record<string, string> = {},
  changed: Partial<Constants> = {},
): Promise<TestGateway> {
  const gateway = await startTestGateway(service.databaseUrl, env, changed);
  t.after(gateway.stop);
  return gateway;
}

/** The value of a metric of a gateway. */
async function metric(name: string, gateway: TestGateway = service.gateway): Promise<number> {
  return Number((await scrape(gateway.opsPort)).get(name));
}

async function currentVersion(): Promise<number> {
  const [row] = await service.sql`select version::int from tenants where id = ${service.tenantId}`;
  return row.version;
}

describe('a stream', () => {
  test('begins with a retry of 2 to 15 seconds and the present version', async () => {
    const stream = await open();
    await stream.untilVersion(await currentVersion());
    assert.equal(stream.status, 200);
    const { headers } = stream;
    assert.equal(headers['content-type'], 'text/event-stream');
    assert.equal(headers['x-accel-buffering'], 'no');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['content-encoding'], undefined);
    const [retry = 0] = stream.retries;
    assert.ok(retry >= 2_000 && retry <= 15_000, `${retry}`);
    assert.ok(stream.text().startsWith('retry: '));
    const [event] = stream.events;
    assert.equal(event?.id, `${event?.epoch}-${event?.version}`);
    const { json } = await service.client.get('/menu');
    assert.equal(event?.generatedAt, json.meta.generated_at);
    stream.close();
  });

  test('tells of every change when the menu of this gateway has it, and of each once', async () => {
    const stream = await open();
    for (let changes = 0; changes < 3; changes += 1) {
      const version = await change();
      await stream.untilVersion(version);
      const { json } = await service.client.get('/menu');
      assert.equal(json.meta.generated_at, stream.events.at(-1)?.generatedAt);
    }
    const versions = stream.events.map(({ version }) => version);
    assert.equal(new Set(versions).size, versions.length);
    assert.equal(new Set(stream.events.map(({ epoch }) => epoch)).size, 1);
    stream.close();
  });

  test('says nothing to a display that has the present version, until the next one', async () => {
    const first = await open();
    await first.untilVersion(await currentVersion());
    first.close();
    const stream = await open({ lastEventId: first.events.at(-1)?.id ?? '' });
    await until('no retry', () => stream.retries.length === 1);
    const version = await change();
    await stream.untilVersion(version);
    assert.equal(stream.events.length, 1);
    stream.close();
  });

  test('never goes back behind what a display knows of the same history', async () => {
    const version = await currentVersion();
    const first = await open();
    await first.untilVersion(version);
    const { epoch } = first.events[0] as { epoch: string };
    const ahead = await open({ lastEventId: `${epoch}-${version + 1}` });
    const foreign = await open({ lastEventId: `0123-${version + 1}` });
    await foreign.untilVersion(version);
    await change();
    const next = await change();
    for (const stream of [first, ahead, foreign]) await stream.untilVersion(next);
    assert.ok(ahead.events.every((event) => event.version > version + 1));
    for (const stream of [first, ahead, foreign]) stream.close();
  });

  test('tells those of a name that is no id of an event the present version', async () => {
    for (const lastEventId of ['', 'x', '-1', '9'.repeat(400)]) {
      const stream = await open({ lastEventId });
      await stream.untilVersion(await currentVersion());
      stream.close();
    }
  });

  test('is one of its restaurant: others do not hear of its changes', async () => {
    const stream = await open({ host: 'bottega.localhost' });
    await stream.untilVersion(1);
    const own = await open();
    await own.untilVersion(await change());
    assert.equal(stream.events.length, 1);
    for (const one of [own, stream]) one.close();
  });

  test('is told of a change on every gateway, under the same epoch', async (t) => {
    const other = await startOther(t);
    const streams = [await open(), await open({}, other)];
    const version = await change();
    for (const stream of streams) await stream.untilVersion(version);
    const [one, two] = streams.map(({ events }) => events.at(-1)?.id);
    assert.equal(one, two);
    for (const stream of streams) stream.close();
  });
});

describe('as a public read', () => {
  test('HEAD has the headers and opens nothing, OPTIONS says what is allowed', async () => {
    await until('streams are open', async () => (await metric('lavagna_streams')) === 0);
    const head = (await service.client.send('/api/v1/stream', { method: 'HEAD' })).expect(200);
    assert.equal(head.headers['content-type'], 'text/event-stream');
    assert.equal(await metric('lavagna_streams'), 0);
    const options = await service.client.send('/api/v1/stream', { method: 'OPTIONS' });
    assert.deepEqual([options.status, options.headers.allow], [204, 'GET, HEAD, OPTIONS']);
    assert.match(options.headers['access-control-allow-headers'] ?? '', /Last-Event-ID/);
    (await service.client.send('/api/v1/stream', { method: 'POST', body: 'x' })).expect(405);
  });

  test('an unknown restaurant is the branded 404', async () => {
    const stream = await open({ host: 'nessuno.localhost' });
    assert.equal(stream.status, 404);
    assert.match(stream.headers['content-type'] ?? '', /^text\/html/);
  });

  test('it costs one request of the public limit', async (t) => {
    const gateway = await startOther(t, { LIMIT_PUBLIC: '3' });
    // Windows are the database's: this address has none yet.
    const localAddress = '127.0.0.77';
    const left = [];
    for (let count = 0; count < 4; count += 1) {
      const stream = await open({ localAddress }, gateway);
      left.push([stream.status, stream.headers['x-ratelimit-remaining']]);
      stream.close();
    }
    assert.deepEqual(left, [
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ]);
  });
});

test('each piece of a stream leaves whole, with the end of its chunk', async (t) => {
  const { socket, until: untilText } = await openSocket(service.gateway.port);
  t.after(() => socket.destroy());
  socket.write('GET /api/v1/stream HTTP/1.1\r\nHost: osteria.localhost\r\n\r\n');
  const version = await change();
  const isWhole = (text: string) => {
    const event = text.indexOf(`"version":${version},`);
    return event !== -1 && text.slice(event).includes('}\n\n\r\n');
  };
  // Nothing comes for 25 seconds after it.
  await untilText(isWhole);
});

test('another restaurant that takes a slug over has another history', async (t) => {
  const stream = await open({ host: 'bottega.localhost' });
  await until('no event', () => stream.events.length === 1);
  const known = stream.events[0];
  assert.ok(known);
  const rename = (from: string, to: string) =>
    service.sql('update tenants set slug = $2 where slug = $1', [from, to]);
  await rename('bottega', 'chiusa');
  await stream.untilEnded();
  await rename('osteria', 'bottega');
  t.after(async () => {
    await rename('bottega', 'osteria');
    await rename('chiusa', 'bottega');
  });
  const version = await currentVersion();
  // As a display that saw many versions of the former restaurant.
  const lastEventId = `${known.epoch}-${version + 100}`;
  await untilStatus('the slug leads nowhere', 200, () =>
    service.gateway.client('bottega').get('/menu'),
  );
  const successor = await open({ host: 'bottega.localhost', lastEventId });
  await until('it hears nothing', () => successor.events.length === 1);
  assert.equal(successor.events[0]?.version, version);
  assert.notEqual(successor.events[0]?.epoch, known.epoch);
  successor.close();
});

describe('bounds', () => {
  test('one stream more than STREAMS_MAX is 503 with Retry-After, until one has ended', async (t) => {
    const gateway = await startOther(t, { STREAMS_MAX: '2' });
    const streams = [await open({}, gateway), await open({ localAddress: '127.0.0.2' }, gateway)];
    const refused = await open({}, gateway);
    assert.equal(refused.status, 503);
    assert.match(refused.headers['retry-after'] ?? '', /^\d+$/);
    assert.match(refused.headers['content-type'] ?? '', /json/);
    streams[0]?.close();
    await until('the place stays taken', async () => {
      const next = await open({}, gateway);
      next.close();
      return next.status === 200;
    });
    streams[1]?.close();
  });

  test('a client has so many streams of a restaurant, other clients and restaurants as many', async (t) => {
    const gateway = await startOther(t, {}, { maxStreamsPerClient: 2 });
    const streams = [await open({}, gateway), await open({}, gateway)];
    const refused = await open({}, gateway);
    assert.equal(refused.status, 429);
    assert.match(refused.headers['retry-after'] ?? '', /^\d+$/);
    streams.push(await open({ localAddress: '127.0.0.2' }, gateway));
    streams.push(await open({ host: 'bottega.localhost' }, gateway));
    assert.deepEqual(each(streams, 'status'), [200, 200, 200, 200]);
    for (const stream of streams) stream.close();
  });
});

describe('the end of a stream', () => {
  test('a silent stream has comments', async (t) => {
    const gateway = await startOther(t, {}, { streamCommentInterval: 50 });
    const stream = await open({}, gateway);
    await until('it has no comments', () => stream.comments() >= 3);
    stream.close();
  });

  test('a stream ends when its time is over', async (t) => {
    const ages = { streamCommentInterval: 50, minStreamAge: 200, maxStreamAge: 300 };
    const gateway = await startOther(t, {}, ages);
    // A menu in memory is told at once, however slow the machine is.
    await gateway.client('osteria').get('/menu');
    const stream = await open({}, gateway);
    await stream.untilEnded();
    assert.equal(stream.ending(), 'ended');
    assert.equal(stream.retries.length, 2);
    assert.equal(stream.retries.at(-1), constants.expiredStreamRetry, 'its client returns at once');
    assert.equal(await metric('lavagna_streams', gateway), 0);
    assert.equal(await metric('lavagna_streams_closed_total reason="expired"', gateway), 1);
    assert.equal(await metric('lavagna_stream_events_total', gateway), 1);
  });

  test('a display that leaves is forgotten', async () => {
    await until('streams are open', async () => (await metric('lavagna_streams')) === 0);
    const before = await metric('lavagna_streams_closed_total reason="left"');
    assert.ok(before >= 0, 'the gateway has this metric');
    const stream = await open();
    assert.equal(await metric('lavagna_streams'), 1);
    stream.close();
    await until('it is still open', async () => (await metric('lavagna_streams')) === 0);
    assert.equal(await metric('lavagna_streams_closed_total reason="left"'), before + 1);
  });

  test('a gateway that stops ends all of them, and each client knows when to return', async (t) => {
    const gateway = await startOther(t);
    const streams = await Promise.all(Array.from({ length: 130 }, () => open({}, gateway)));
    await Promise.all(streams.map((stream) => until('no retry', () => stream.retries.length > 0)));
    await gateway.stop();
    for (const stream of streams) await stream.untilEnded();
    assert.deepEqual(new Set(streams.map(({ ending }) => ending())), new Set(['ended']));
    const retries = new Set(streams.flatMap(({ retries: own }) => own));
    assert.ok(retries.size > 100, 'they return one after the other');
  });

  test('streams of a restaurant that is renamed end', async () => {
    const id = await plant(service.db, restaurantOf('locanda', []));
    const stream = await open({ host: 'locanda.localhost' });
    await stream.untilVersion(1);
    await service.sql(`update tenants set slug = 'albergo' where id = $1`, [id]);
    await stream.untilEnded();
    await until('the former slug still has a menu', async () => {
      const late = await open({ host: 'locanda.localhost' });
      late.close();
      return late.status === 404;
    });
  });

  test('streams of a restaurant that is deleted end, and so do those whose slug another one takes', async () => {
    const id = await plant(service.db, restaurantOf('chiusa', []));
    const stream = await open({ host: 'chiusa.localhost' });
    await stream.untilVersion(1);
    await service.sql('delete from tenants where id = $1', [id]);
    await stream.untilEnded();

    await plant(service.db, restaurantOf('ceduta', []));
    await plant(service.db, restaurantOf('erede', []));
    const former = await open({ host: 'ceduta.localhost' });
    await former.untilVersion(1);
    await service.db.transaction(async (db) => {
      const rename = (slug: string, to: string) =>
        db.run(sql.nothing`update tenants set slug = ${to} where slug = ${slug}`);
      await rename('ceduta', 'andata');
      await rename('erede', 'ceduta');
    });
    await former.untilEnded();
  });
});

test('a menu that is no longer in memory is still told of', async (t) => {
  const long = 'x'.repeat(1_000);
  const dishes = Array.from({ length: 300 }, (_, index) =>
    dishOf(`Piatto ${index}`, { description: { it: long } }),
  );
  for (let index = 0; index < 8; index += 1) {
    await plant(service.db, restaurantOf(`grande${index}`, [sectionOf('Tutto', dishes)]));
  }
  const gateway = await startOther(t, { SNAPSHOT_CACHE_MB: '8' });
  const stream = await open({}, gateway);
  await stream.untilVersion(await currentVersion());
  const evicted = () => metric('lavagna_snapshot_evictions_total', gateway);
  for (let index = 0; index < 8; index += 1) {
    assert.equal((await gateway.client(`grande${index}`).get('/menu')).status, 200);
  }
  assert.ok((await evicted()) > 0);
  await stream.untilVersion(await change());
  stream.close();
});

// Displays on streams while connections break, gateways restart and the database loses its past.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../bench/load/random.ts';
import { publishVersion } from '../../db/menu/new-version.ts';
import { sql } from '../../db/postgres/sql.ts';
import { type EventStream, openEventStream, type VersionEvent } from '../support/event-stream.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type MenuService, startMenuService } from '../support/menu-service.ts';
import { changePast, republish } from '../support/republish.ts';
import { restaurantOf } from '../support/restaurant.ts';
import { runSql } from '../support/sql.ts';
import { until } from '../support/until.ts';

const DISPLAYS = 12;
const STEPS = 40;
/** Gateways find a lost past within the test; streams end many times in it. */
const HASTY = {
  ...{ timelineInterval: 300, retryDelay: 50 },
  ...{ streamCommentInterval: 100, minStreamAge: 300, maxStreamAge: 900 },
};

/** A display that opens its stream again whenever it ends, at any of the gateways. */
function startDisplay(pickPort: () => number | undefined) {
  const connections: EventStream[] = [];
  let stopped = false;
  const events = () => connections.flatMap((stream) => stream.events);
  const follow = async () => {
    while (!stopped) {
      const lastEventId = events().at(-1)?.id;
      const past = lastEventId === undefined ? {} : { lastEventId };
      const options = { port: pickPort() ?? 0, host: 'osteria.localhost', ...past };
      // A gateway that is just going refuses connections.
      const stream = await openEventStream(options).catch(() => null);
      if (stream?.status === 200) {
        connections.push(stream);
        while (!stopped && stream.ending() === null) await sleep(5);
        stream.close();
      }
      await sleep(10);
    }
  };
  const following = follow();
  return {
    connections,
    events,
    drop: () => connections.at(-1)?.close(),
    stop: async () => {
      stopped = true;
      await following;
    },
  };
}

async function rebuild({ db, tenantId }: MenuService): Promise<void> {
  await db.transaction((tx) => publishVersion(tx, tenantId));
}

const nothing = sql.nothing;

/**
 * Another past, which has lost up to two versions and gives their numbers again. As at every failover,
 * connections break: until then a gateway cannot know of it.
 */
async function restore(service: MenuService, lost: number): Promise<void> {
  await service.db.transaction(async (tx) => {
    await tx.run(nothing`update tenants set version = greatest(1, version - ${lost})`);
    await tx.run(nothing`
      delete from versions v using tenants t where v.tenant_id = t.id and v.version > t.version
    `);
    await republish(tx, service.tenantId);
    await tx.run(nothing`set constraints all immediate`);
    await changePast(tx);
  });
  await cutListeners(service);
}

async function cutListeners({ databaseUrl }: MenuService): Promise<void> {
  await runSql(
    databaseUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'lavagna listener'`,
  );
}

/** The rules for everything that one display was told, on all its connections. */
function assertSound(connections: readonly EventStream[]): void {
  const newest = new Map<string, number>();
  const epochs: string[] = [];
  for (const { events } of connections) {
    const ids = events.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, `told twice on one connection: ${ids}`);
    for (const { epoch, version } of events) {
      const before = newest.get(epoch) ?? 0;
      assert.ok(version >= before, `${epoch} went from ${before} back to ${version}`);
      newest.set(epoch, version);
      if (epochs.at(-1) !== epoch) epochs.push(epoch);
    }
  }
  assert.equal(new Set(epochs).size, epochs.length, `a former epoch came back: ${epochs}`);
}

async function runHistory(seed: number, losesPast: boolean): Promise<void> {
  const random = createRandom(seed);
  const service = await startMenuService([restaurantOf('osteria', [])], { constants: HASTY });
  const gateways: (TestGateway | undefined)[] = [
    service.gateway,
    await startTestGateway(service.databaseUrl, {}, HASTY),
  ];
  const pickPort = () => {
    const live = gateways.filter((gateway) => gateway !== undefined);
    return live[randomInt(live.length)]?.port;
  };
  const displays = Array.from({ length: DISPLAYS }, () => startDisplay(pickPort));
  const restart = async () => {
    const old = gateways[1];
    gateways[1] = undefined;
    await old?.stop();
    gateways[1] = await startTestGateway(service.databaseUrl, {}, HASTY);
  };
  const steps = [
    () => rebuild(service),
    () => rebuild(service),
    async () => displays[random.below(DISPLAYS)]?.drop(),
    () => cutListeners(service),
    // The notice of this change reaches no gateway.
    async () => {
      await cutListeners(service);
      await rebuild(service);
    },
    restart,
    ...(losesPast ? [() => restore(service, random.below(3))] : []),
  ];
  for (let step = 0; step < STEPS; step += 1) {
    await steps[random.below(steps.length)]?.();
    await sleep(random.below(60));
  }

  const [row] = await service.sql('select version::int from tenants');
  // A gateway that saw a version go back names an epoch of its own.
  const fresh = gateways.map((gateway) => startDisplay(() => gateway?.port));
  const newest = () => fresh.map(({ events }) => events().at(-1));
  const isNewest = (event: VersionEvent | undefined) =>
    event?.version === row.version && newest().some((one) => one?.epoch === event?.epoch);
  try {
    await until('the last version is not told', () =>
      [...displays, ...fresh].every(({ events }) => isNewest(events().at(-1))),
    );
  } finally {
    for (const { stop } of [...displays, ...fresh]) await stop();
    await gateways[1]?.stop();
    await service.stop();
  }
  for (const { connections } of displays) assertSound(connections);
}

for (const losesPast of [false, false, true]) {
  const seed = randomInt(2 ** 31);
  const what = losesPast ? 'even when the past is lost' : 'whatever breaks';
  test(`every display ends with the newest version, ${what} (seed ${seed})`, () =>
    runHistory(seed, losesPast));
}

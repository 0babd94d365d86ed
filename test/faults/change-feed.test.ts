// A program follows the change feed over kills of workers and gateways, and over a failover.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../bench/load/random.ts';
import { freePort } from '../../bench/processes/free-port.ts';
import { createAdminClient, plantWithToken } from '../support/admin.ts';
import { afterFile } from '../support/for-file.ts';
import { createClient } from '../support/http.ts';
import { assertJournal } from '../support/judge-journal.ts';
import { dishOf, restaurantOf, sectionOf } from '../support/restaurant.ts';
import { seed } from '../support/seed.ts';
import { startService } from '../support/service-process.ts';
import { runSql } from '../support/sql.ts';
import { replicatedServers } from '../support/standby.ts';
import { until, untilFound } from '../support/until.ts';
import { insist } from './insist.ts';

/** Of each process. */
const KILLS = Number(process.env.KILLS ?? 2);
/** They send at the same time, so that some of their writes share a version. */
const WRITERS = 3;
/** Few, so that the feed has many pages. */
const PER_PAGE = 3;
const PAUSE_MS = 10;
/** Between two kills, at most. */
const KILL_PAUSE_MS = 400;

const random = createRandom(seed);
const startGateway = () => startService('gateway/main.ts', servers.url, { PORT: String(port) });
const startWorker = () => startService('workers/main.ts', servers.url);

const servers = await replicatedServers();
const { url } = servers.primary;
/** Of the server that takes writes. */
let primaryUrl = url;
const osteria = restaurantOf('osteria', [sectionOf('S', [dishOf('D')])]);
const { token, sectionId } = await plantWithToken(url, osteria);
await runSql(url, `alter system set synchronous_standby_names = '*'`);
await runSql(url, 'select pg_reload_conf()');
const port = await freePort();
let [gateway, worker] = await Promise.all([startGateway(), startWorker()]);
const admin = createAdminClient(createClient(port, 'osteria.localhost'), token);
afterFile(() => Promise.all([gateway, worker].map(({ program }) => program.kill())));

/** Makes dishes, several at a time; `stop` returns the names of all that were made. */
function startWriters(label: string) {
  const names: string[] = [];
  let isWriting = true;
  const write = async (writer: number) => {
    for (let count = 0; isWriting; count += 1) {
      const name = `${label} ${writer}.${count}`;
      const body = { category_id: sectionId, name: { it: name } };
      const key = { 'Idempotency-Key': name };
      (await insist(() => admin.call('POST', '/items', body, key))).expect(201);
      names.push(name);
    }
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  return {
    written: () => names.length,
    stop: async () => {
      isWriting = false;
      await writing;
      return names;
    },
  };
}

/** An entry of the feed, as far as the test looks at it. */
interface Entry {
  version: number;
  job_id: string;
  changes: { action: string; name: string }[];
}

/** Follows the feed from a version on, as a program does that keeps the last version it has seen. */
function startFollower(began: number) {
  const received: Entry[] = [];
  let latest = began;
  let isFollowing = true;
  const follow = async () => {
    while (isFollowing) {
      const path = `/versions?after=${latest}&limit=${PER_PAGE}`;
      const reply = await admin.get(path).catch(() => null);
      if (reply?.status === 200) {
        const { data } = reply.json;
        received.push(...data);
        latest = data.at(-1)?.version ?? latest;
      } else assert.ok(!reply || reply.status === 503, reply?.text);
      await sleep(PAUSE_MS);
    }
  };
  const following = follow();
  return {
    latest: () => latest,
    stop: async () => {
      isFollowing = false;
      await following;
      return received;
    },
  };
}

/** A gateway refuses what Postgres does not give it in time. */
async function newest(): Promise<number> {
  let version = 0;
  await until('the newest version is not told', async () => {
    const { status, json } = await admin.get('/versions?limit=1');
    if (status === 200) version = json.data[0].version;
    return status === 200;
  });
  return version;
}

/**
 * Lets a fault happen while dishes are made and the feed is followed. Each version must have come once
 * and in order, each dish once, and the database's own journal must say the same.
 */
async function followThrough(label: string, fault: () => Promise<void>): Promise<string> {
  const began = await newest();
  const follower = startFollower(began);
  const writers = startWriters(label);
  await until('nothing is written', () => writers.written() > WRITERS);
  await fault();
  const before = writers.written();
  await until('nothing is written afterwards', () => writers.written() > before + WRITERS);
  const names = await writers.stop();
  const last = await newest();
  await until('the feed ends too early', () => follower.latest() === last);
  const received = await follower.stop();

  const versions = [...new Set(received.map(({ version }) => version))];
  const expected = Array.from({ length: last - began }, (_, index) => began + index + 1);
  assert.deepEqual(versions, expected, 'each version comes once, after the one before it');
  const made = received.flatMap(({ changes }) =>
    changes.map(({ action, name }) => `${action} ${name}`),
  );
  assert.deepEqual(new Set(made), new Set(names.map((name) => `created ${name}`)));
  assert.equal(made.length, names.length, 'no dish came twice');
  const text =
    'select version::int, job_id from versions where version > $1 order by version, part';
  const kept = await runSql(primaryUrl, text, [began]);
  const told = received.map(({ version, job_id }) => ({ version, job_id }));
  assert.deepEqual(told, kept);
  await assertJournal(primaryUrl);
  return `${names.length} writes, ${versions.length} versions`;
}

/** Kills a process of the service again and again, and starts another one in its place. */
function surviveKills(which: string, label: string, replace: () => Promise<void>): void {
  test(`the change feed misses nothing and repeats nothing when ${which} are killed`, async (t) => {
    const said = await followThrough(label, async () => {
      for (let count = 0; count < KILLS; count += 1) {
        await sleep(random.below(KILL_PAUSE_MS));
        await replace();
      }
    });
    t.diagnostic(`${KILLS} kills: ${said}`);
  });
}

surviveKills('workers', 'Operaio', async () => {
  await worker.program.kill();
  worker = await startWorker();
});
surviveKills('gateways', 'Portone', async () => {
  await gateway.program.kill();
  gateway = await startGateway();
});

test('the change feed misses nothing and repeats nothing over a failover that loses a version', async (t) => {
  const said = await followThrough('Riserva', async () => {
    await servers.standby.disconnect();
    // The worker has committed on the primary alone: the failover takes this version back.
    const waiting = `select from pg_stat_activity
      where wait_event = 'SyncRep' and application_name = 'lavagna queue'
        and query not like '%pg_logical_emit_message%'`;
    await untilFound('no commit waits for the standby', () => runSql(url, waiting));
    await servers.primary.stop();
    primaryUrl = servers.standby.url;
    await runSql(primaryUrl, 'select pg_promote()');
  });
  t.diagnostic(said);
});

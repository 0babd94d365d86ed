// The synchronous standby is away, and somebody cancels the commits that wait for it. These commits
// are then visible although only the primary has them. No client is told that they are done.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { migrate } from '../../db/operator/database/migrate.ts';
import { createDatabase, type Database } from '../../db/postgres/connection.ts';
import { constants } from '../../db/runtime/constants.ts';
import type { Running } from '../../db/runtime/running.ts';
import {
  type AdminClient,
  createAdminClient,
  issueToken,
  smallRestaurant,
} from '../support/admin.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { plant } from '../support/restaurant.ts';
import { runSql } from '../support/sql.ts';
import { type ReplicatedServers, startReplicatedServers } from '../support/standby.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

const LOOK_UP = 'pg_logical_emit_message';

let servers: ReplicatedServers;
let db: Database;
let worker: Running;
let gateway: TestGateway;
/** One whose statements end in no other way than that the test cancels them. */
let patient: TestGateway;
let admin: AdminClient;
let patientAdmin: AdminClient;

before(async () => {
  servers = await startReplicatedServers();
  const { url } = servers.primary;
  await migrate(url);
  const timeouts = { statementTimeout: 60_000, connectionTimeout: 60_000 };
  db = await createDatabase(url, { maxConnections: 2, ...timeouts });
  const token = await issueToken(db, await plant(db, smallRestaurant));
  await runSql(url, `alter system set synchronous_standby_names = '*'`);
  await runSql(url, 'select pg_reload_conf()');
  worker = await startTestWorker(url);
  gateway = await startTestGateway(url, {}, constants);
  patient = await startTestGateway(url);
  // It refuses what is not in its memory when Postgres is slow for a moment.
  await until('the menu is not served', async () => {
    return (await gateway.client(smallRestaurant.slug).get('/menu')).status === 200;
  });
  admin = createAdminClient(gateway.client(smallRestaurant.slug), token);
  patientAdmin = createAdminClient(patient.client(smallRestaurant.slug), token);
});
beforeEach(async () => {
  await servers.standby.reconnect();
  await untilSynchronous();
});
after(async () => {
  await servers.standby.reconnect();
  await gateway.stop();
  await patient.stop();
  await worker.stop();
  await db.end();
  await servers.stop();
});

async function untilSynchronous(): Promise<void> {
  await until('the standby is not synchronous', async () => {
    const following = `select from pg_stat_replication where sync_state = 'sync'`;
    return (await runSql(servers.primary.url, following)).length === 1;
  });
}

/**
 * Cancels every commit that waits for the standby.
 *
 * @param sparesLookUps whether the look-ups of gateways go on waiting
 */
async function cancelCommits(sparesLookUps: boolean): Promise<number> {
  const cancelled = await runSql(
    servers.primary.url,
    `select pg_cancel_backend(pid) from pg_stat_activity
      where wait_event = 'SyncRep' and not ($1 and query like '%${LOOK_UP}%')`,
    [sparesLookUps],
  );
  return cancelled.length;
}

const post = (name: string) =>
  admin.call('POST', '/wineries', { name }, { 'Idempotency-Key': name });

/** Sends a write and commits it on the primary alone. Returns the pending answer and its job. */
async function writeAlone(name: string) {
  await servers.standby.disconnect();
  const sent = post(name);
  const find = 'select id, finished_at from writes where idempotency_key = $1';
  let id = '';
  await until('the write is not visible', async () => {
    await cancelCommits(true);
    const [write] = await runSql(servers.primary.url, find, [name]);
    id = write?.id;
    return Boolean(write?.finished_at);
  });
  return { sent, job: (by = admin) => by.get(`/jobs/${id}`) };
}

test('a write that only the primary has is answered 2xx only when the standby has it too', async () => {
  const { sent } = await writeAlone('notizia');
  assert.equal((await sent).status, 503);
  await servers.standby.reconnect();
  await until('the write is not answered', async () => {
    return (await post('notizia')).status === 201;
  });
});

test('the result of a job that only the primary has is shown only when the standby has it too', async () => {
  const { sent, job } = await writeAlone('ricerca');
  await sent;
  assert.equal((await job()).status, 503);
  await servers.standby.reconnect();
  await until('the job is not shown', async () => (await job()).status === 201);
});

test('GET /admin/jobs/{id} answers 503 when its own wait for the standby is cancelled', async () => {
  const { sent, job } = await writeAlone('interrotta');
  await sent;
  let isAnswered = false;
  const answer = job(patientAdmin).finally(() => {
    isAnswered = true;
  });
  let cancelled = 0;
  await until('the job is not answered', async () => {
    cancelled += await cancelCommits(false);
    return isAnswered;
  });
  assert.ok(cancelled > 0);
  assert.equal((await answer).status, 503);
  await servers.standby.reconnect();
  await until('the job is not shown', async () => (await job()).status === 201);
});

test('events whose commit only one host has are not accepted', async () => {
  const send = () => patient.client(smallRestaurant.slug).sendEvents({ type: 'menu_view' });
  // It takes a part of the restaurant's budget, so that the next one is only queued.
  assert.equal((await send()).status, 202);
  await servers.standby.disconnect();
  let status = 0;
  const answered = send().then((answer) => {
    status = answer.status;
  });
  let cancelled = 0;
  await until('the events are not answered', async () => {
    cancelled += await cancelCommits(false);
    return status !== 0;
  });
  await answered;
  assert.ok(cancelled > 0);
  assert.equal(status, 503);
});

// The synchronous standby is away, and somebody cancels the commits that wait for it. These commits
// are then visible although only the primary has them. No client is told that they are done.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { constants } from '../../db/runtime/constants.ts';
import { createAdminClient, plantWithToken, smallRestaurant } from '../support/admin.ts';
import { afterFile } from '../support/for-file.ts';
import { testGateway } from '../support/gateway.ts';
import { runSql } from '../support/sql.ts';
import { replicatedServers } from '../support/standby.ts';
import { until, untilStatus } from '../support/until.ts';
import { testWorker } from '../support/worker.ts';

const LOOK_UP = 'pg_logical_emit_message';

const servers = await replicatedServers();
const { url } = servers.primary;
const { token } = await plantWithToken(url, smallRestaurant);
await runSql(url, `alter system set synchronous_standby_names = '*'`);
await runSql(url, 'select pg_reload_conf()');
await testWorker(url);
const gateway = await testGateway(url, {}, constants);
/** One whose statements end in no other way than that the test cancels them. */
const patient = await testGateway(url);
const client = gateway.client(smallRestaurant.slug);
// It refuses what is not in its memory when Postgres is slow for a moment.
await untilStatus('the menu is not served', 200, () => client.get('/menu'));
const admin = createAdminClient(client, token);
const patientAdmin = createAdminClient(patient.client(smallRestaurant.slug), token);
afterFile(() => servers.standby.reconnect());
beforeEach(async () => {
  await servers.standby.reconnect();
  await untilSynchronous();
});

async function untilSynchronous(): Promise<void> {
  await until('the standby is not synchronous', async () => {
    const following = `select from pg_stat_replication where sync_state = 'sync'`;
    return (await runSql(url, following)).length === 1;
  });
}

/**
 * Cancels every commit that waits for the standby.
 *
 * @param sparesLookUps whether the look-ups of gateways go on waiting
 */
async function cancelCommits(sparesLookUps: boolean): Promise<number> {
  const cancelled = await runSql(
    url,
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
    const [write] = await runSql(url, find, [name]);
    id = write?.id;
    return Boolean(write?.finished_at);
  });
  return { sent, job: (by = admin) => by.get(`/jobs/${id}`) };
}

test('a write that only the primary has is answered 2xx only when the standby has it too', async () => {
  const { sent } = await writeAlone('notizia');
  assert.equal((await sent).status, 503);
  await servers.standby.reconnect();
  await untilStatus('the write is not answered', 201, () => post('notizia'));
});

test('the result of a job that only the primary has is shown only when the standby has it too', async () => {
  const { sent, job } = await writeAlone('ricerca');
  await sent;
  assert.equal((await job()).status, 503);
  await servers.standby.reconnect();
  await untilStatus('the job is not shown', 201, job);
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
  await untilStatus('the job is not shown', 201, job);
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

// SIGTERM: a process finishes what it has begun, keeps what it has promised, and ends.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { constants } from '../../db/runtime/constants.ts';
import { queues } from '../../db/schema/queues.ts';
import { createAdminClient, plantWithToken, smallRestaurant } from '../support/admin.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createClient } from '../support/http.ts';
import { ownDatabase } from '../support/own-database.ts';
import type { TestProcess } from '../support/process.ts';
import { openSocket } from '../support/raw-socket.ts';
import { startForTest } from '../support/service-process.ts';
import { lockTable } from '../support/sql.ts';
import { untilFound } from '../support/until.ts';
import { queueIsDrained, startTestWorker } from '../support/worker.ts';

const HOST = `${smallRestaurant.slug}.localhost`;

/** Time enough for all that the tests do after SIGTERM, on a busy machine too. */
const { writeTimeout } = constants;
const SLOW_FAREWELL = { writeTimeout, drainTime: 5_000, killAfter: 30_000 };
const PATIENT_WORKER = { stopTimeout: 100_000, killAfter: 120_000 };

const database = await ownDatabase();
const { token, sectionId } = await plantWithToken(database.url, smallRestaurant);

const startGateway = (t: TestContext, changed = {}) =>
  startForTest(t, 'gateway/main.ts', database.url, changed);
const startWorker = (t: TestContext) =>
  startForTest(t, 'workers/main.ts', database.url, PATIENT_WORKER);

async function endsByItself(program: TestProcess): Promise<void> {
  assert.equal(await program.ended, 0, program.stdout() + program.stderr());
}

test('a gateway is unready, listens no more, answers what is in flight and says so to idle ones', async (t) => {
  const { program, port, opsPort } = await startGateway(t, SLOW_FAREWELL);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () =>
    new Promise<{ status: number; connection: string }>((resolve, reject) => {
      const options = { agent, host: '127.0.0.1', port, path: '/api/v1/menu' };
      const outgoing = request({ ...options, headers: { Host: HOST } }, (incoming) => {
        const { connection = '' } = incoming.headers;
        incoming.resume();
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, connection }));
      });
      outgoing.on('error', reject);
      outgoing.end();
    });
  assert.deepEqual(await ask(), { status: 200, connection: '' });
  // There is no worker: this write waits until its gateway gives up and answers 202.
  const admin = createAdminClient(createClient(port, HOST), token);
  const body = { category_id: sectionId, name: { it: 'In volo' } };
  const write = admin.call('POST', '/items', body);
  await untilFound('the write did not arrive', () => database.sql('select from writes'));

  process.kill(program.pid, 'SIGTERM');
  await program.waitFor(/"msg":"stopping"/);
  const ready = await createClient(opsPort, 'localhost').send('/readyz');
  assert.deepEqual([ready.status, ready.text], [503, 'stopping\n']);
  const fresh = connect(port, '127.0.0.1');
  const [refusal] = await once(fresh, 'error');
  assert.equal(refusal.code, 'ECONNREFUSED');
  // A gateway that cannot read a notice looks for missed versions, and is unready meanwhile.
  await database.sql(`select pg_notify('lavagna_versions', 'illeggibile')`);
  // The connection that was idle is answered once more, and then closed by agreement.
  assert.deepEqual(await ask(), { status: 200, connection: 'close' });
  assert.equal((await createClient(opsPort, 'localhost').send('/readyz')).status, 503);
  agent.destroy();
  (await write).expect(202);
  await endsByItself(program);
  await database.sql('delete from pgboss.job');
  await database.sql('delete from writes');
});

test('a gateway that stops answers without a body as before, but for the end that it asks for', async (t) => {
  const { program, port } = await startGateway(t, SLOW_FAREWELL);
  const { headers } = await createClient(port, HOST).get('/menu');
  const ask = async (method: string, lines: string[]) => {
    const connection = await openSocket(port);
    const head = [`${method} /api/v1/menu HTTP/1.1`, `Host: ${HOST}`, ...lines];
    const text = `${head.join('\r\n')}\r\n\r\n`;
    const headOf = async (count: number) => {
      connection.socket.write(text);
      const received = await connection.until((all) => all.split('\r\n\r\n').length > count);
      return received.split('\r\n\r\n')[count - 1] ?? '';
    };
    return { connection, before: await headOf(1), headOf };
  };
  const asked = await Promise.all([
    ask('HEAD', []),
    ask('GET', [`If-None-Match: ${headers.etag}`]),
    ask('OPTIONS', []),
  ]);
  process.kill(program.pid, 'SIGTERM');
  await program.waitFor(/"msg":"stopping"/);
  const fixed = (head: string) =>
    head.replace(/^(X-RateLimit-Remaining|X-Request-Id|Date): .*\r\n/gim, '');
  const statuses = await Promise.all(
    asked.map(async ({ connection, before, headOf }) => {
      const [closing, now] = (await headOf(2)).split(/(?<=\r\n)Connection: close\r\n/).reverse();
      assert.equal(fixed(`${now}${closing}`), fixed(before));
      connection.socket.destroy();
      return Number(before.slice(9, 12));
    }),
  );
  assert.deepEqual(statuses, [200, 304, 204]);
  await endsByItself(program);
});

test('events answered 202 before the end are kept', async (t) => {
  const { program, port } = await startGateway(t);
  const client = createClient(port, HOST);
  await client.get('/menu');
  let promised = 0;
  const send = async () => {
    // Those that find no listener any more were promised nothing.
    const answer = await client.sendEvents({ type: 'menu_view' }).catch(() => null);
    if (answer?.status === 202) promised += 1;
    return answer?.status === 202;
  };
  const sendUntilRefused = async () => {
    while (await send());
  };
  assert.ok(await send());
  const senders = Array.from({ length: 20 }, sendUntilRefused);
  process.kill(program.pid, 'SIGTERM');
  await Promise.all(senders);
  await endsByItself(program);
  const jobs = await database.sql`
    select data from pgboss.job where name = ${queues.analyticsEvents}`;
  const kept = jobs.reduce((sum, { data }) => sum + data.type.length, 0);
  assert.ok(promised > 0);
  assert.ok(kept >= promised, `${promised} promised, ${kept} kept`);
});

test('a worker is unready while it finishes a job', async (t) => {
  const gateway = await startTestGateway(database.url);
  t.after(() => gateway.stop());
  const admin = createAdminClient(createClient(gateway.port, HOST), token);
  const { program, opsPort } = await startWorker(t);
  const ready = async () => {
    const { status, text } = await createClient(opsPort, 'localhost').send('/readyz');
    return [status, text];
  };
  assert.deepEqual(await ready(), [200, 'ready\n']);
  const client = await lockTable(database.url, 'sections in share mode');
  t.after(() => client.end());
  const [{ pid }] = (await client.query('select pg_backend_pid() as pid')).rows;
  const section = { name: { it: 'In corso' } };
  const sent = await admin.call('POST', '/categories', section, { Prefer: 'respond-async' });
  const answer = sent.expect(202);
  // Events of the test before may wait, too, but for each other.
  const waits = 'select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))';
  await untilFound('the write does not wait', () => database.sql(waits, [pid]));

  process.kill(program.pid, 'SIGTERM');
  await program.waitFor(/"msg":"stopping"/);
  assert.deepEqual(await ready(), [503, 'stopping\n']);
  await client.query('rollback');
  await endsByItself(program);
  const [{ kind }] = await database.sql`
    select outcome->>'kind' as kind from writes where id = ${answer.json.data.id}`;
  assert.equal(kind, 'created');
});

test('a worker finishes its jobs, and others do the rest', async (t) => {
  const gateway = await startGateway(t);
  const admin = createAdminClient(createClient(gateway.port, HOST), token);
  const names = Array.from({ length: 60 }, (_, n) => `Piatto ${n}`);
  const { program: worker } = await startWorker(t);
  for (const [n, name] of names.entries()) {
    const body = { category_id: sectionId, name: { it: name } };
    (await admin.call('POST', '/items', body, { Prefer: 'respond-async' })).expect(202);
    if (n === names.length / 2) process.kill(worker.pid, 'SIGTERM');
  }
  await endsByItself(worker);
  const active = await database.sql`
    select from pgboss.job where name = ${queues.menuWrites} and state = 'active'`;
  assert.equal(active.length, 0, 'the worker left jobs claimed');
  const other = await startTestWorker(database.url);
  await queueIsDrained(database.url, queues.menuWrites);
  await other.stop();
  const [{ dishes }] = await database.sql`
    select count(*)::int as dishes from dishes where name->>'it' like 'Piatto %'`;
  assert.equal(dishes, names.length);
  await gateway.program.stop();
});

// Gateways read from a standby, which lags, goes away and is promoted; TLS knows either host.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { publishVersion } from '../../db/menu/new-version.ts';
import { assertMigrated } from '../../db/operator/database/migrate.ts';
import { examine } from '../../db/operator/doctor/examine.ts';
import type { Database } from '../../db/postgres/connection.ts';
import { createOutageWatch } from '../../db/postgres/outage-watch.ts';
import { createPgClient } from '../../db/postgres/pg-client.ts';
import { createBoss } from '../../db/queue/boss.ts';
import { constants } from '../../db/runtime/constants.ts';
import { createLog } from '../../db/runtime/log.ts';
import { createAdminClient, plantWithToken, smallRestaurant } from '../support/admin.ts';
import { createTestDatabase } from '../support/database.ts';
import { afterFile } from '../support/for-file.ts';
import { type TestGateway, testGateway } from '../support/gateway.ts';
import { openDatabase, plant, restaurantOf } from '../support/restaurant.ts';
import { runSql } from '../support/sql.ts';
import { replicatedServers } from '../support/standby.ts';
import { until, untilStatus } from '../support/until.ts';
import { testWorker } from '../support/worker.ts';

const SLUG = smallRestaurant.slug;

/** On a busy machine no standby is too slow to be read. */
const startReader = (replicaUrl = servers.standby.url) =>
  testGateway(servers.url, { DATABASE_REPLICA_URL: replicaUrl }, { replicaTimeout: 60_000 });

const servers = await replicatedServers();
const db = await openDatabase(servers.primary.url);
afterFile(() => db.end());
const planted = await plantWithToken(servers.primary.url, smallRestaurant);
const { tenantId, token, sectionId } = planted;
for (const slug of ['altrove', 'lontano']) await plant(db, restaurantOf(slug, []));
await untilReplayed();
const gateway = await startReader();

/** Resolves when the standby has everything that the primary has. */
async function untilReplayed(): Promise<void> {
  const [{ lsn }] = await runSql(servers.primary.url, 'select pg_current_wal_lsn()::text as lsn');
  const text = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as done';
  await until('the standby did not follow', async () => {
    return (await runSql(servers.standby.url, text, [lsn]))[0].done === true;
  });
}

const nameOf = async (reader: TestGateway, slug = SLUG) => {
  const { status, json } = await reader.client(slug).get('/menu');
  return status === 200 ? json.data.settings.name : status;
};

async function rename(on: Database, url: string, name: string): Promise<void> {
  await runSql(url, 'update settings set name = $1 where tenant_id = $2', [name, tenantId]);
  await on.transaction(async (tx) => {
    await publishVersion(tx, tenantId);
  });
}

/** Asserts the finding of the command doctor about the replica at `url`. */
async function assertFound(url: string, state: string, found: RegExp): Promise<void> {
  const env = { DATABASE_URL: servers.url, DATABASE_REPLICA_URL: url };
  const checks = await examine(env, []);
  const check = checks.find(({ name }) => name === 'replica');
  assert.equal(check?.state, state, JSON.stringify(checks));
  assert.match(check.found, found);
  assert.equal(check.advice === null, state === 'good');
}

test('snapshots come from the standby', async () => {
  const count = `select sum(tup_fetched)::int as read from pg_stat_database where datname = 'lavagna'`;
  assert.equal(await nameOf(gateway), smallRestaurant.settings.name);
  await until('the standby was not read', async () => {
    return (await runSql(servers.standby.url, count))[0].read > 0;
  });
  const held = await runSql(
    servers.standby.url,
    `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  assert.ok(held.length > 0, 'no connection to the standby');
});

test('doctor tells whether the standby follows, has the schema and is one', async () => {
  await assertFound(servers.standby.url, 'good', /^The standby follows within \d+ ms/);
  const empty = servers.standby.url.replace(/lavagna$/, 'postgres');
  await assertFound(empty, 'bad', /^Not applied there: 001_/);
  await assertFound(servers.primary.url, 'doubtful', /^It is no standby/);
  const stranger = await createTestDatabase();
  await assertFound(stranger.url, 'bad', /another database/);
  await stranger.drop();
  await assertFound('postgres://me@127.0.0.1:1/none', 'bad', /127.0.0.1:1\/none .* cannot be read/);
});

test('a standby alone in DATABASE_URL is refused with a sentence', async () => {
  const { url } = servers.standby;
  const sentence = /^The database at [\d.:]+\/lavagna \(DATABASE_URL\) is a standby; [^\n]+\.$/;
  await assert.rejects(assertMigrated(url), { name: 'OperatorError', message: sentence });
  const checks = await examine({ DATABASE_URL: url }, []);
  const { state, found = '' } = checks.find(({ name }) => name === 'database') ?? {};
  assert.equal(state, 'bad');
  assert.match(found, sentence);
});

test('a standby that lags never makes a gateway go back or stay behind', async () => {
  await runSql(servers.standby.url, 'select pg_wal_replay_pause()');
  await rename(db, servers.primary.url, 'Nuovo nome');
  // Held: the change is announced and read where it is.
  await until('the change did not arrive', async () => (await nameOf(gateway)) === 'Nuovo nome');
  // Not held: this gateway has heard no announcement.
  const fresh = await startReader();
  assert.equal(await nameOf(fresh), 'Nuovo nome');
  // A restaurant that the standby does not know yet.
  await plant(db, restaurantOf('appena-aperto', []));
  assert.equal((await fresh.client('appena-aperto').get('/menu')).status, 200);
  await assertFound(servers.standby.url, 'doubtful', /is \d+ bytes behind/);
  await runSql(servers.standby.url, 'select pg_wal_replay_resume()');
  await untilReplayed();
  assert.equal(await nameOf(fresh), 'Nuovo nome');
  assert.equal(await nameOf(gateway), 'Nuovo nome');
});

/** From here on the server takes TLS, too, with a certificate for one of the loopback's names. */
async function serveTls(url: string, certificate: string): Promise<void> {
  const settings = { ssl_cert_file: certificate, ssl_key_file: 'key.pem', ssl: 'on' };
  for (const [name, value] of Object.entries(settings)) {
    await runSql(url, `alter system set ${name} = '${value}'`);
  }
  await runSql(url, 'select pg_reload_conf()');
  await until('the server takes no TLS', async () => {
    return (await runSql(url, 'show ssl'))[0].ssl === 'on';
  });
}

/** The database by way of these hosts, whose certificates have to name them. */
async function throughTls(...hosts: string[]): Promise<string> {
  const roots = join(servers.folder, 'roots.pem');
  const certificates = ['localhost', 'loopback'].map((name) => {
    return readFile(new URL(`../support/tls/${name}.pem`, import.meta.url));
  });
  await writeFile(roots, await Promise.all(certificates));
  const query = `?sslmode=verify-full&sslrootcert=${roots}`;
  return servers.url.replace(/@[^/]*/, `@${hosts.join()}`).replace(/\?.*/, query);
}

/** That the server at `directUrl` is what connections of every kind come to. */
async function assertReached(url: string, directUrl: string): Promise<void> {
  const { client, close } = createPgClient(url, {});
  await client.connect();
  const ours =
    'select inet_server_port() as port, ssl from pg_stat_ssl where pid = pg_backend_pid()';
  const { rows } = await client.query(ours);
  assert.deepEqual(rows, [{ port: Number(new URL(directUrl).port), ssl: true }]);
  await close();
  await (await openDatabase(url)).end();
  const boss = createBoss(url, { log: pino({ level: 'silent' }), useListenNotify: true });
  await boss.start();
  await until('the queue does not listen', async () => {
    const heard = `select from pg_stat_activity join pg_stat_ssl using (pid)
      where application_name = 'lavagna queue' and query ~ '^LISTEN' and ssl`;
    return (await runSql(directUrl, heard)).length === 1;
  });
  await boss.stop({ graceful: false });
}

const ports = () => [servers.primary.url, servers.standby.url].map((url) => new URL(url).port);

async function assertNotReached(url: string, reason: RegExp): Promise<void> {
  const { client, close } = createPgClient(url, {});
  await assert.rejects(client.connect(), reason);
  await close();
  await assert.rejects(openDatabase(url));
}

test('each of several hosts has to show a certificate of its own', async () => {
  const [primary, standby] = ports();
  await serveTls(servers.primary.url, 'localhost.pem');
  await serveTls(servers.standby.url, 'loopback.pem');
  const reached = [`127.0.0.1:${standby}`, `localhost:${primary}`];
  await assertReached(await throughTls(...reached), servers.primary.url);
  await assertReached(await throughTls(...reached.reverse()), servers.primary.url);
  // It is the first host that its certificate names.
  const disguised = await throughTls('localhost:1', `127.0.0.1:${primary}`);
  await assertNotReached(disguised, /IP: 127\.0\.0\.1 is not in the cert's list/);
  await assertReached(disguised.replace('verify-full', 'no-verify'), servers.primary.url);
});

/** A queue that is asked for work all the time, and the lines in which a process tells of it. */
async function watchQueue() {
  const told: string[] = [];
  const failures: string[] = [];
  const destination = { write: (line: string) => void told.push(JSON.parse(line).msg) };
  const outages = createOutageWatch(new Set([servers.url]), constants);
  const log = createLog({ name: 'test', level: 'warn', outages, destination, constants });
  const boss = createBoss(servers.url, { log });
  boss.on('error', ({ message }) => void failures.push(message));
  await boss.start();
  await boss.createQueue('watched');
  await boss.work('watched', { pollingIntervalSeconds: 0.5 }, async () => undefined);
  return { told, failures, stop: () => boss.stop({ graceful: false }) };
}

test('the standby serves what is not in memory, and takes the writes once promoted', async (t) => {
  await testWorker(servers.url);
  const watched = await watchQueue();
  t.after(() => watched.stop());
  await servers.standby.disconnect();
  await rename(db, servers.primary.url, 'Perduto');
  await until('the change did not arrive', async () => (await nameOf(gateway)) === 'Perduto');
  // Twice, so that the answer is remembered.
  for (const _ of [1, 2]) await gateway.client(SLUG).get('/items?search=Dopo');
  await servers.primary.stop();
  assert.equal((await gateway.client('altrove').get('/menu')).status, 200);
  assert.equal(await nameOf(gateway), 'Perduto');
  await until('the queue was not refused by both hosts', async () => {
    const refused = /^connect ECONNREFUSED [\d.:]+; [\d.:]+ is a standby \(Queue: watched/;
    return watched.failures.some((message) => refused.test(message));
  });
  assert.deepEqual(watched.told, ['Postgres cannot be reached or takes no work']);

  await runSql(servers.standby.url, 'select pg_promote()');
  const admin = createAdminClient(gateway.client(SLUG), token);
  const body = { category_id: sectionId, name: { it: 'Dopo' }, price: 8 };
  const write = () => admin.call('POST', '/items', body, { 'Idempotency-Key': 'dopo' });
  await untilStatus('no write succeeded after the promotion', 201, write);
  const { json } = await gateway.client(SLUG).get('/items?search=Dopo');
  assert.equal(json.data.length, 1);
  // The lost version's number has been given again, and nothing of what it stood for is left.
  assert.equal(await nameOf(gateway), 'Nuovo nome');
  const promoted = await openDatabase(servers.url);
  await rename(promoted, servers.standby.url, 'Sotto nuova gestione');
  await promoted.end();
  await until('no change was announced after the promotion', async () => {
    return (await nameOf(gateway)) === 'Sotto nuova gestione';
  });
});

test('the certificate of the host that was promoted is held against its name', async () => {
  const [primary, standby] = ports();
  const promoted = await throughTls(`localhost:${primary}`, `127.0.0.1:${standby}`);
  await assertReached(promoted, servers.standby.url);
  const disguised = await throughTls('127.0.0.1:1', `localhost:${standby}`);
  await assertNotReached(disguised, /Host: localhost\. is not cert's CN: 127\.0\.0\.1/);
});

test('a standby that is away at the start leaves everything to the primary', async () => {
  const other = await startReader(servers.primary.url);
  assert.equal(await nameOf(other), 'Sotto nuova gestione');
  assert.equal((await other.client('lontano').get('/menu')).status, 200);
});

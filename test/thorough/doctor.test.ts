// The command doctor: its findings in installations that work and in some that do not.
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { freePort } from '../../bench/processes/free-port.ts';
import { migrate } from '../../db/operator/database/migrate.ts';
import { pizzeria } from '../../db/operator/demo/restaurant.ts';
import type { Check } from '../../db/operator/doctor/check.ts';
import { examine, readStructure } from '../../db/operator/doctor/examine.ts';
import { checkCertificate, checkOpenFiles } from '../../db/operator/doctor/machine-checks.ts';
import { readConfig } from '../../db/runtime/config.ts';
import { DAY } from '../../db/runtime/day.ts';
import type { Running } from '../../db/runtime/running.ts';
import { queues } from '../../db/schema/queues.ts';
import { hasWorker } from '../../db/sql/server.ts';
import { callCli } from '../support/cli.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { each } from '../support/each.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createPooler } from '../support/pooler.ts';
import { openDatabase, plant } from '../support/restaurant.ts';
import { until } from '../support/until.ts';
import { startTestWorker } from '../support/worker.ts';

const tls = (name: string) => new URL(`../support/tls/${name}`, import.meta.url).pathname;

let database: TestDatabase;
let worker: Running;
let env: Record<string, string>;

before(async () => {
  database = await createTestDatabase();
  const db = await openDatabase(database.url);
  await plant(db, pizzeria);
  worker = await startTestWorker(database.url);
  await until('the worker does not listen', () => hasWorker(db));
  await db.end();
});
beforeEach(async () => {
  env = {
    DATABASE_URL: database.url,
    PORT: String(await freePort()),
    OPS_PORT: String(await freePort()),
  };
});
after(async () => {
  await worker.stop();
  await database.drop();
});

interface Findings {
  code: number;
  healthy: boolean;
  /** The check of this name. */
  of: (name: string) => Check | undefined;
  /** Asserts the state of the check of this name, and what it found; returns it. */
  has: (name: string, state: Check['state'], found?: RegExp | string) => Check;
  checks: Check[];
}

function findings(code: number, healthy: boolean, checks: Check[]): Findings {
  const of = (name: string) => checks.find((check) => check.name === name);
  const has: Findings['has'] = (name, state, found = '') => {
    const check = of(name) ?? assert.fail(name);
    assert.equal(check.state, state, JSON.stringify(check));
    if (typeof found === 'object') assert.match(check.found, found);
    else if (found) assert.equal(check.found, found);
    return check;
  };
  return { code, healthy, checks, of, has };
}

/** Calls the command. It also makes a photo, which takes a core for a second. */
async function command(more: Record<string, string> = {}): Promise<Findings> {
  const { code, stdout, stderr } = await callCli(['doctor'], { ...env, ...more });
  assert.equal(stderr, '');
  const { healthy, checks } = JSON.parse(stdout) as Pick<Findings, 'healthy' | 'checks'>;
  return findings(code, healthy, checks);
}

/** The same without the checks of programs. */
async function doctor(more: Record<string, string> = {}): Promise<Findings> {
  const checks = await examine({ ...env, ...more }, []);
  const healthy = checks.every(({ state }) => state !== 'bad');
  return findings(Number(!healthy), healthy, checks);
}

test('an installation that works is healthy in every respect', async () => {
  const { code, healthy, checks } = await command();
  assert.deepEqual([code, healthy], [0, true]);
  const others = checks.filter(({ state }) => state !== 'good');
  assert.deepEqual(others, []);
  const names = [
    ...['configuration', 'database', 'connections', 'owner', 'rights', 'migrations', 'clock'],
    ...['structure', 'listen', 'ids', 'proxies', 'workers', 'queues', 'writes', 'snapshots'],
    ...['tenants', 'ports', 'domain', 'certificate', 'files', 'http library', 'photos'],
  ];
  assert.deepEqual(each(checks, 'name'), names);
});

test('what deserves a look is doubtful and no failure', async () => {
  const odd = { DOMAIN: 'menu.invalid', FORMATION: 'gateway=64,worker=64' };
  const { code, has } = await doctor(odd);
  for (const name of ['domain', 'connections']) has(name, 'doubtful');
  assert.equal(code, 0);
  // A formation that fits while it runs, and not during a restart, when old and new processes overlap.
  const { found = '' } =
    (await doctor({ FORMATION: 'gateway=3,worker=3' })).of('connections') ?? {};
  const [max = 0, taken = 0, restarting] = Array.from(found.matchAll(/\d+/g), Number);
  assert.equal(restarting, taken * 2);
  const most = Math.ceil((max * 3) / 5 / (taken / 3));
  (await doctor({ FORMATION: `gateway=${most},worker=${most}` })).has('connections', 'doubtful');
});

test('names that are nearly a variable of Lavagna are doubtful, and other programs have theirs', async () => {
  const wrong = { LIMIT_PUBLC: '5', DOMIAN: 'a.example', TRUSTED_PROXY: '::1' };
  const { code, of } = await doctor(wrong);
  assert.deepEqual(of('configuration'), {
    name: 'configuration',
    state: 'doubtful',
    found: 'Lavagna does not know LIMIT_PUBLC, DOMIAN, TRUSTED_PROXY.',
    advice: 'Is LIMIT_PUBLIC, DOMAIN, TRUSTED_PROXIES meant?',
  });
  assert.equal(code, 0);
  const others = { HOST: 'a', LOGNAME: 'b', DATABASE: 'c', PS1: 'd', EXPORT: 'e', X: 'f' };
  (await doctor(others)).has('configuration', 'good');
});

test('a read-only database, a missing table and a trigger that is switched off are bad', async (t) => {
  const broken = await createTestDatabase();
  t.after(() => broken.drop());
  const examined = async (sql: string) => {
    await broken.sql(sql);
    return doctor({ DATABASE_URL: broken.url });
  };
  const name = new URL(broken.url).pathname.slice(1);
  const locked = await examined(`alter database ${name} set default_transaction_read_only = on`);
  assert.equal(locked.code, 1);
  locked.has('database', 'bad', /takes no changes/);
  await database.sql(`alter database ${name} reset default_transaction_read_only`);
  const silent = await examined('alter table tenants disable trigger freed_slug');
  assert.equal(silent.code, 1);
  assert.match(silent.of('structure')?.found ?? '', /^Missing, or .*: the trigger freed_slug\.$/);
  const torn = await examined('drop table event_budgets');
  assert.match(torn.of('structure')?.found ?? '', /: the table event_budgets, the trigger freed/);
  assert.ok(torn.of('structure')?.advice);
});

test('the structure that doctor expects is that of a new database', async () => {
  const { tables, triggers } = await readStructure();
  const found = await database.sql(
    `select relname as name, 'table' as kind from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and (not relispartition or relname = any ($1))
     union all select tgname, 'trigger' from pg_trigger where not tgisinternal
       and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
    [[...tables]],
  );
  const others = found.filter(({ name }) => name !== 'schema_migrations');
  const named = (wanted: string) =>
    new Set(others.filter(({ kind }) => kind === wanted).map(({ name }) => name));
  assert.deepEqual(tables, named('table'));
  assert.deepEqual(triggers, named('trigger'));
});

test('a Postgres that compiles statements is doubtful, if it can', async (t) => {
  const name = new URL(database.url).pathname.slice(1);
  await database.sql(`alter database ${name} set jit = on`);
  try {
    const [found] = await database.sql('select pg_jit_available() as can');
    // The embedded Postgres cannot: `TEST_POSTGRES` names one that does.
    if (!found?.can) return t.skip('this Postgres has no LLVM');
    const { code, has } = await doctor();
    has('database', 'doubtful', /jit is on/);
    assert.equal(code, 0);
  } finally {
    await database.sql(`alter database ${name} set jit = off`);
  }
});

test('a database without a worker is doubtful, for writes wait', async (t) => {
  const idle = await createTestDatabase();
  t.after(() => idle.drop());
  const { code, has } = await doctor({ DATABASE_URL: idle.url });
  assert.ok(has('workers', 'doubtful').advice);
  assert.equal(code, 0);
});

test('writes that were given up in the last day are told with the reason of the last', async () => {
  await database.sql(`insert into writes (tenant_id, id, token_id, resource, action, input, request_hash,
      finished_at, outcome, error)
    select id, gen_random_uuid(), 1, 'items', 'update', '{}', '', now() - age,
      '{"kind":"failed"}', error
    from tenants, (values (interval '2 hours', 'older'), ('2 days', 'oldest'),
      ('1 hour', '{"name":"Error","message":"the last","stack":"x"}')) as finished (age, error)`);
  const { code, has } = await doctor();
  const sentence = '2 writes were given up in the last day, the last because of: the last.';
  has('writes', 'doubtful', sentence);
  assert.equal(code, 0);
  await database.sql('delete from writes');
});

test('a PORT that is taken is good beside a gateway, and else may well be one', async (t) => {
  const gateway = await startTestGateway(database.url);
  t.after(() => gateway.stop());
  const PORT = String(gateway.port);
  (await doctor({ PORT, OPS_PORT: String(gateway.opsPort) })).has('ports', 'good');
  const elsewhere = await doctor({ PORT });
  elsewhere.has('ports', 'doubtful', /a gateway of yours or another program/);
  assert.equal(elsewhere.code, 0);
});

test('queues: jobs that failed for good, that wait for long, and a queue that is not there', async (t) => {
  // It would take the job that waits.
  await worker.stop();
  t.after(async () => {
    worker = await startTestWorker(database.url);
  });
  const isBad = async (found: RegExp) => (await doctor()).has('queues', 'bad', found);
  const insert = `insert into pgboss.job (name, created_on, singleton_key)
    values ($1, now() - $2::interval, 'x')`;
  await database.sql(insert, [queues.menuWrites, '1 minute']);
  await isBad(/^Jobs wait: 1 in menu-writes, the oldest for \d+ s\.$/);
  await database.sql(insert, [queues.analyticsEventsFailed, '1 second']);
  await isBad(/^1 jobs of events have failed for good\.$/);
  await database.sql('delete from pgboss.job');
  await database.sql('delete from pgboss.queue where name = $1', [queues.snapshotRebuilds]);
  await isBad(/^Missing: snapshot-rebuilds\.$/);
  await database.sql('drop schema pgboss cascade');
  await isBad(new RegExp(`^Missing: ${Object.values(queues).join(', ')}\\.$`));
  await migrate(database.url);
  (await doctor()).has('queues', 'good');
});

test('limits of connections: too few for the processes, and for the doctor himself', async (t) => {
  const narrow = await createTestDatabase();
  t.after(() => narrow.drop());
  const name = new URL(narrow.url).pathname.slice(1);
  await database.sql(`alter database ${name} connection limit 20`);
  const { has, code } = await doctor({ DATABASE_URL: narrow.url });
  has('connections', 'bad', /^The connection limit of the database is 20; /);
  assert.equal(code, 1);
  await database.sql(`alter database ${name} connection limit 1`);
  const cramped = await doctor({ DATABASE_URL: narrow.url });
  cramped.has('database', 'bad', /too many connections for database/);
  cramped.has('domain', 'good');
});

test('with DATABASE_SESSION_URL the connections of the pooler are not counted', async () => {
  const session = new URL(database.url);
  session.searchParams.set('application_name', 'session');
  const taken = async (more: Record<string, string>) => {
    const { of, has } = await doctor(more);
    has('listen', 'good');
    return Number(/takes up to (\d+)/.exec(of('connections')?.found ?? '')?.[1]);
  };
  const pooled = await taken({ DATABASE_SESSION_URL: session.href });
  assert.equal((await taken({})) - pooled, 16);
});

test('a clock that is wrong, a notice that is lost, and nothing to serve', async (t) => {
  const empty = await createTestDatabase();
  t.after(() => empty.drop());
  // Warnings about the future come before the present state.
  await empty.sql(`create schema odd;
    create function odd.clock_timestamp() returns timestamptz language sql
      as $$ select pg_catalog.clock_timestamp() - interval '1 minute' $$;
    create function odd.pg_notify(text, text) returns void language sql as 'select';
    alter database ${new URL(empty.url).pathname.slice(1)}
      set search_path = odd, public, pg_catalog`);
  const { has, code } = await doctor({ DATABASE_URL: empty.url });
  has('clock', 'doubtful', /^This machine is \d{5} ms ahead of Postgres\.$/);
  has('tenants', 'doubtful');
  has('listen', 'bad', /^A notice did not arrive/);
  assert.equal(code, 1);
});

test('tables of another role, whether it may read them or not', async (t) => {
  const others = await createTestDatabase();
  const url = new URL(others.url);
  [url.username, url.password] = ['lavagna_guest', 'ospite'];
  await others.sql(`create role lavagna_guest login connection limit 30 password 'ospite'`);
  t.after(async () => {
    await others.sql('revoke all on all tables in schema public from lavagna_guest');
    await others.sql('drop role lavagna_guest');
    await others.drop();
  });
  for (const granted of ['references', 'all']) {
    await others.sql(`grant ${granted} on all tables in schema public to lavagna_guest`);
    const { of, has, code } = await doctor({ DATABASE_URL: url.href });
    assert.match(of('connections')?.found ?? '', /^The connection limit of the role is 30; /);
    has('owner', 'bad', /^The tables belong to the role \w+\.$/);
    assert.equal(code, 1);
  }
});

test('a certificate is good until two weeks before its end', () => {
  const DOMAIN = 'menu.example.com';
  const files = { TLS_CERT: tls('wildcard.pem'), TLS_KEY: tls('key.pem') };
  const config = readConfig({ DOMAIN, ...files });
  const end = Date.parse(new X509Certificate(readFileSync(files.TLS_CERT)).validTo);
  const stateAt = (daysBefore: number) => checkCertificate(config, end - daysBefore * DAY).state;
  assert.deepEqual([15, 13, -1].map(stateAt), ['good', 'doubtful', 'bad']);
});

test('too few open files are doubtful', () => {
  const stateOf = (most: string) =>
    checkOpenFiles(`Max open files            1024                 ${most}   files`).state;
  assert.deepEqual(['1024', '4096', 'unlimited'].map(stateOf), ['doubtful', 'good', 'good']);
});

test('what keeps it from working is bad, comes with advice and with exit code 1', async (t) => {
  const bad = async (
    name: string,
    found: RegExp,
    more: Record<string, string> = {},
    look = doctor,
  ) => {
    const { code, healthy, has } = await look(more);
    assert.deepEqual([code, healthy], [1, false], name);
    const { advice } = has(name, 'bad', found);
    assert.ok(advice);
    return advice;
  };
  await bad('configuration', /^PORT must be/, { PORT: 'x' }, command);
  const closed = 'postgres://me@127.0.0.1:1/none';
  await bad('database', /cannot be reached/, { DATABASE_URL: closed }, command);
  for (const [name, value, wanted] of [
    ['DateStyle', 'German', 'ISO'],
    ['standard_conforming_strings', 'off', 'on'],
    ['default_transaction_isolation', 'serializable', 'read committed'],
    ['array_nulls', 'off', 'on'],
  ] as const) {
    const odd = new URL(database.url);
    odd.searchParams.set('options', `-c ${name}=${value}`);
    const found = new RegExp(` has ${name} ${value}.*; Lavagna needs ${wanted}\\.$`);
    const given = await bad('database', found, { DATABASE_URL: odd.href });
    const advice = `Give the role its own: alter role … set ${name} = '${wanted}';`;
    assert.ok(given.startsWith(advice));
  }
  const other = new URL(database.url);
  other.pathname = '/postgres';
  const two = /^DATABASE_URL and DATABASE_SESSION_URL lead to different databases\.$/;
  await bad('database', two, { DATABASE_SESSION_URL: other.href });
  const lost = { DATABASE_SESSION_URL: closed };
  await bad('database', /\(DATABASE_SESSION_URL\) cannot be reached/, lost);
  const pooler = await createPooler(database.url);
  t.after(() => pooler.stop());
  await bad('database', /ignore_startup_parameters/, { DATABASE_URL: pooler.url });
  const cert = { TLS_CERT: tls('cert.pem'), TLS_KEY: tls('key.pem') };
  await bad('certificate', /does not cover/, { ...cert, DOMAIN: 'menu.localhost' });
  await bad('certificate', /belongs to another/, { ...cert, TLS_KEY: tls('other-key.pem') });
  const stranger = createServer().listen(Number(env.OPS_PORT));
  await once(stranger, 'listening');
  await bad('ports', /^OPS_PORT \d+ is taken/);
  stranger.close();

  await database.sql('update snapshots set format = 0');
  await bad('snapshots', /^Some restaurants have none/);
  const rename = 'update schema_migrations set name = $1 where name = $2';
  await database.sql(rename, ['999_later.sql', '001_tables.sql']);
  await bad('migrations', /999_later.sql, which this Lavagna does not know/);
  await database.sql('delete from schema_migrations where name = $1', ['999_later.sql']);
  await bad('migrations', /^Not applied: 001_tables.sql/);
});

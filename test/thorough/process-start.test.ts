// A gateway or worker starts on a database of its own version, or ends with a sentence.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../bench/processes/free-port.ts';
import { migrate } from '../../db/operator/database/migrate.ts';
import { callCli } from '../support/cli.ts';
import { createTestDatabase } from '../support/database.ts';
import { ownDatabase } from '../support/own-database.ts';
import { createPooler } from '../support/pooler.ts';
import { startProcess } from '../support/process.ts';

const database = await ownDatabase();

/** The message of a process that does not start. */
async function refusal(
  file: string,
  databaseUrl = database.url,
  more: Record<string, string> = {},
): Promise<string> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const ports = { PORT: String(port), OPS_PORT: String(opsPort) };
  const env = { DATABASE_URL: databaseUrl, ...ports, ...more };
  const program = startProcess(file, { env });
  const started = program.waitFor(/"msg":"started"/).then(() => true);
  const hasStarted = await started.catch(() => false);
  if (hasStarted) await program.stop();
  assert.ok(!hasStarted, `${file} has started`);
  assert.equal(await program.ended, 1, program.stdout() + program.stderr());
  assert.equal(program.stdout(), '');
  return program.stderr();
}

test('a database of a newer version is refused with a sentence', async () => {
  await database.sql(`insert into schema_migrations values ('999_later.sql', 'x')`);
  const sentence = /^The database has the migration 999_later\.sql, which [^\n]*\n$/;
  assert.match(await refusal('gateway/main.ts'), sentence);
  assert.match(await refusal('workers/main.ts'), sentence);
  const create = ['tenant', 'create', 'nuova', '--name', 'Nuova'];
  const { code, stderr } = await callCli(create, { DATABASE_URL: database.url });
  assert.equal(code, 1);
  assert.match(stderr, sentence);
  assert.deepEqual(await database.sql('select from tenants'), []);
  const unknown = /999_later\.sql, which this Lavagna does not know/;
  await assert.rejects(migrate(database.url), unknown);
  await database.sql(`delete from schema_migrations where name = '999_later.sql'`);
});

test('a database of an older version is refused with a sentence', async () => {
  const name = '001_tables.sql';
  await database.sql('delete from schema_migrations where name = $1', [name]);
  const sentence = `The database lacks the migrations ${name}; run the command migrate first.\n`;
  assert.equal(await refusal('workers/main.ts'), sentence);
});

test('a database without its queues is refused with a sentence', async (t) => {
  const partial = await createTestDatabase();
  t.after(() => partial.drop());
  await partial.sql('drop schema pgboss cascade');
  const sentence = /^The database lacks the queues [^\n]*; run the command migrate first\.\n$/;
  assert.match(await refusal('gateway/main.ts', partial.url), sentence);
  assert.match(await refusal('workers/main.ts', partial.url), sentence);
});

test('a pooler that does not take what is set at connecting is told how to', async (t) => {
  const pooled = await createTestDatabase();
  const pooler = await createPooler(pooled.url);
  t.after(async () => {
    pooler.stop();
    await pooled.drop();
  });
  const sentence =
    /^The pooler of DATABASE_URL [^\n]*: let its ignore_startup_parameters [^\n]*\n$/;
  assert.match(await refusal('gateway/main.ts', pooler.url), sentence);
  const env = { DATABASE_URL: pooler.url };
  const call = startProcess('db/operator/cli/main.ts', { args: ['migrate'], env });
  assert.deepEqual([await call.ended, call.stdout()], [1, '']);
  assert.match(call.stderr(), sentence);
});

test('two URLs of different databases are refused with a sentence', async () => {
  const other = new URL(database.url);
  other.pathname = '/postgres';
  const more = { DATABASE_SESSION_URL: other.href };
  const sentence = 'DATABASE_URL and DATABASE_SESSION_URL lead to different databases.\n';
  assert.equal(await refusal('gateway/main.ts', database.url, more), sentence);
  assert.equal(await refusal('workers/main.ts', database.url, more), sentence);
});

test('a database that cannot be reached is one sentence without its password', async () => {
  const own = () => new URL(database.url);
  const [locked, missing, lost] = [own(), own(), own()];
  locked.password = 'another';
  missing.pathname = '/none';
  lost.searchParams.set('sslrootcert', '/none');
  const refused = 'postgres://me:secret@127.0.0.1:1/lavagna';
  const places: [RegExp, string][] = [
    [/ECONNREFUSED/, refused],
    [/password authentication failed/, locked.href],
    [/"none" does not exist/, missing.href],
    [/no such file or directory, open '\/none'/, lost.href],
  ];
  for (const [reason, url] of places) {
    const said = [await refusal('gateway/main.ts', url)];
    if (url === refused) {
      said.push(await refusal('db/operator/start/main.ts', url));
      const { code, stderr } = await callCli(['tenant', 'list'], { DATABASE_URL: url });
      assert.equal(code, 1);
      said.push(stderr);
    }
    for (const text of said) {
      assert.match(text, /^The database at [^\n]* \(DATABASE_URL\) cannot be reached: [^\n]*\.\n$/);
      assert.match(text, reason);
      assert.ok(!text.includes(new URL(url).password));
    }
  }
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { processTree } from '../../bench/processes/usage.ts';
import { type EmbeddedServer, startEmbedded } from '../../db/operator/database/start-embedded.ts';
import { fileFolder } from '../support/folder.ts';
import { startProcess } from '../support/process.ts';
import { runSql } from '../support/sql.ts';
import { until } from '../support/until.ts';
import { isRunning, postgresPid } from '../support/whole-lavagna.ts';

const isRoot = process.getuid?.() === 0;
const needsRoot = { skip: isRoot ? false : 'only root can try this' };
const ordinary = { uid: 65_534, gid: 65_534 };

const started: EmbeddedServer[] = [];

/** A folder that is gone after the test, as are the servers in it. */
async function makeFolder(t: TestContext): Promise<string> {
  const folder = await fileFolder();
  t.after(async () => {
    await Promise.all(started.splice(0).map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

/** A folder like those of `makeFolder` whose data has been created before. */
async function makeUsedFolder(t: TestContext): Promise<string> {
  const folder = await makeFolder(t);
  const { status, stderr } = spawnSync('cp', ['-a', `${used}/.`, folder], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return folder;
}

const used = await fileFolder();
await startAndStop(used);

async function start(dataDir: string, role: 'service' | 'call' = 'call'): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, role });
  started.push(server);
  return server;
}

async function ask(url: string, text: string) {
  const [row] = await runSql(url, text);
  return row;
}

/** Starts, checks that it answers, stops, and checks that the process is gone. */
async function startAndStop(dataDir: string): Promise<void> {
  const server = await start(dataDir);
  const pid = await postgresPid(dataDir);
  assert.deepEqual(await ask(server.url, 'select 1 as one'), { one: 1 });
  await server.stop();
  assert.equal(await isRunning(pid), false);
}

test('the lock is the owner’s alone, also one that was made for all', async (t) => {
  const folder = await makeUsedFolder(t);
  const lock = join(folder, 'postgres.lock');
  await chmod(lock, 0o644);
  await startAndStop(folder);
  assert.equal((await stat(lock)).mode & 0o777, 0o600);
});

test('the data outlives the server, and stop tolerates a second call', async (t) => {
  const folder = await makeUsedFolder(t);
  const first = await start(folder);
  await ask(first.url, `create table guests as select 'Iole' as name`);
  await first.stop();
  await first.stop();
  const second = await start(folder);
  assert.deepEqual(await ask(second.url, 'select name from guests'), { name: 'Iole' });
});

test('it listens on the loopback address only and wants the password', async (t) => {
  const folder = await makeUsedFolder(t);
  const { url } = await start(folder);
  assert.deepEqual(await ask(url, 'show listen_addresses'), { listen_addresses: '127.0.0.1' });
  const guess = new URL(url);
  guess.password = 'guess';
  await assert.rejects(ask(guess.href, 'select'), { code: '28P01' });
  assert.equal((await stat(join(folder, 'postgres.password'))).mode & 0o777, 0o600);
});

test('texts are UTF-8 and sort alike everywhere', async (t) => {
  const { url } = await start(await makeUsedFolder(t));
  const text = `select current_setting('server_encoding') as encoding, lower('CAFFÈ') as lower,
    datlocale from pg_database where datname = current_database()`;
  const wanted = { encoding: 'UTF8', lower: 'caffè', datlocale: 'C.UTF-8' };
  assert.deepEqual(await ask(url, text), wanted);
});

test('in a folder that only root may enter it runs as another account', needsRoot, async (t) => {
  const folder = await makeFolder(t);
  await chmod(folder, 0o700);
  const dataDir = join(folder, 'data');
  const server = await start(dataDir);
  assert.notEqual((await stat(`/proc/${await postgresPid(dataDir)}`)).uid, 0);
  assert.deepEqual(await ask(server.url, 'select 1 as one'), { one: 1 });
  await server.stop();
  await startAndStop(dataDir);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
});

function isReadableByAll(): boolean {
  const main = join(import.meta.dirname, '../../db/operator/cli/main.ts');
  return spawnSync('test', ['-r', main], { ...ordinary }).status === 0;
}

test('an ordinary user starts it, and root goes on with the same data', needsRoot, async (t) => {
  if (!isReadableByAll()) return t.skip('an ordinary user cannot read this checkout');
  const folder = await makeFolder(t);
  await chown(folder, ordinary.uid, ordinary.gid);
  const call = async (args: string[], account: { account?: typeof ordinary }) => {
    const options = { args: ['tenant', ...args], env: { DATA_DIR: folder }, ...account };
    const program = startProcess('db/operator/cli/main.ts', options);
    assert.deepEqual([await program.ended, program.stderr()], [0, '']);
    return program.stdout();
  };
  await call(['create', 'osteria', '--name', 'Osteria'], { account: ordinary });
  assert.match(await call(['list'], {}), /"osteria"/);
  assert.equal((await stat(join(folder, 'postgres'))).uid, ordinary.uid);
});

test('programs share one server, and the last that leaves stops it', async (t) => {
  const folder = await makeUsedFolder(t);
  const programs = await Promise.all([start(folder, 'service'), start(folder), start(folder)]);
  const [service, call, other] = programs;
  const pid = await postgresPid(folder);
  assert.equal(new Set(programs.map(({ url }) => url)).size, 1);
  await service?.stop();
  await call?.stop();
  assert.deepEqual(await ask(other?.url ?? '', 'select 1 as one'), { one: 1 });
  await other?.stop();
  assert.equal(await isRunning(pid), false);
});

test('a data directory has one running Lavagna at a time', async (t) => {
  const folder = await makeUsedFolder(t);
  const first = startProcess('test/support/hold-embedded.ts', { args: [folder] });
  await first.waitFor(/holding/);
  await assert.rejects(start(folder, 'service'), {
    name: 'OperatorError',
    message: new RegExp(`already runs on ${folder} \\(process ${first.pid}\\)`),
  });
  await first.kill();
  await startAndStop(folder);
});

test('the server of a Lavagna that was killed is taken over', async (t) => {
  const folder = await makeUsedFolder(t);
  const killed = startProcess('test/support/hold-embedded.ts', { args: [folder] });
  await killed.waitFor(/holding/);
  const pid = await postgresPid(folder);
  await killed.kill();
  const next = await start(folder, 'service');
  assert.equal(await postgresPid(folder), pid);
  await next.stop();
  assert.equal(await isRunning(pid), false);
});

test('a server that ends is started again, for the same users', async (t) => {
  const folder = await makeUsedFolder(t);
  const service = await start(folder, 'service');
  const killed = await postgresPid(folder);
  process.kill(killed, 'SIGKILL');
  const answers = async () => {
    const { one } = await ask(service.url, 'select 1 as one').catch(() => ({ one: 0 }));
    return one === 1 && (await postgresPid(folder)) !== killed;
  };
  await until('the server did not come back', () => answers().catch(() => false));
  const pid = await postgresPid(folder);
  await service.stop();
  assert.equal(await isRunning(pid), false);
});

test('a command that finds it dead starts it where all its users know it', async (t) => {
  const folder = await makeUsedFolder(t);
  const service = await start(folder, 'service');
  const killed = processTree(await postgresPid(folder));
  process.kill(killed[0] as number, 'SIGKILL');
  // The service itself may start the next one at any moment.
  for (const pid of killed) await until('it still runs', async () => !(await isRunning(pid)));
  const command = await start(folder);
  assert.equal(command.url, service.url);
  await command.stop();
  assert.deepEqual(await ask(service.url, 'select 1 as one'), { one: 1 });
  await service.stop();
});

test('a log that has become long is put aside', async (t) => {
  const folder = await makeUsedFolder(t);
  const log = join(folder, 'postgres.log');
  await truncate(log, 10 * 1_048_576);
  await start(folder);
  assert.equal((await stat(`${log}.1`)).size, 10 * 1_048_576);
  assert.match(await readFile(log, 'utf8'), /ready to accept connections/);
});

test('a log that becomes long while the server runs is put aside, and the server goes on', async (t) => {
  const folder = await makeUsedFolder(t);
  const log = join(folder, 'postgres.log');
  const service = await start(folder, 'service');
  const pid = await postgresPid(folder);
  await truncate(log, 10 * 1_048_576);
  await until('the log is still long', async () => (await stat(log)).size < 10 * 1_048_576);
  assert.equal((await stat(`${log}.1`)).size, 10 * 1_048_576);
  await assert.rejects(ask(service.url, 'select no_such_column'), /no_such_column/);
  await until('the server wrote nothing', async () =>
    (await readFile(log, 'utf8')).includes('no_such_column'),
  );
  assert.equal((await readFile(log)).includes(0), false, 'it begins at the beginning');
  assert.equal(await postgresPid(folder), pid);
});

test('a folder that an ordinary user may not write to is one sentence', needsRoot, async (t) => {
  if (!isReadableByAll()) return t.skip('an ordinary user cannot read this checkout');
  const folder = await makeFolder(t);
  const program = startProcess('db/operator/cli/main.ts', {
    ...{ args: ['tenant', 'create', 'osteria', '--name', 'Osteria'], account: ordinary },
    env: { DATA_DIR: folder },
  });
  assert.equal(await program.ended, 1);
  const start = `DATA_DIR ${folder} cannot be written to (EACCES): `;
  assert.ok(program.stderr().startsWith(start), program.stderr());
  assert.equal(program.stderr().trimEnd().split('\n').length, 1);
});

test('a leftover pid file that names a stranger does not deceive it', async (t) => {
  const folder = await makeUsedFolder(t);
  const directory = join(folder, 'postgres');
  const elsewhere = await makeUsedFolder(t);
  await start(elsewhere);
  for (const stranger of [process.pid, await postgresPid(elsewhere)]) {
    const lines = [stranger, directory, 1_700_000_000, 5432, '', '127.0.0.1', '', 'ready'];
    await writeFile(join(directory, 'postmaster.pid'), `${lines.join('\n')}\n`);
    await startAndStop(folder);
  }
  assert.ok(await isRunning(await postgresPid(elsewhere)));
});

test('a list of users that a power loss has left in pieces names no user', async (t) => {
  const folder = await makeUsedFolder(t);
  await writeFile(join(folder, 'postgres.users'), '[{"id":"x","pid":1,\0\0\0');
  await startAndStop(folder);
});

test('data of another Postgres version is one sentence', async (t) => {
  const folder = await makeFolder(t);
  await mkdir(join(folder, 'postgres'), { mode: 0o700 });
  await writeFile(join(folder, 'postgres/PG_VERSION'), '16\n');
  await assert.rejects(start(folder), {
    name: 'OperatorError',
    message:
      /^The data in .*\/postgres is of Postgres 16 and this Lavagna brings Postgres 18; .*\.$/,
  });
});

test('a server that ends at its start says why', async (t) => {
  const folder = await makeUsedFolder(t);
  await writeFile(join(folder, 'postgres/postgresql.auto.conf'), 'work_mem = much\n');
  await assert.rejects(start(folder), {
    name: 'OperatorError',
    message: /ended at its start:\n(.*\n)*.*work_mem/,
  });
});

test('an interrupted creation is started over', async (t) => {
  const folder = await makeFolder(t);
  await mkdir(join(folder, 'postgres.new'));
  await writeFile(join(folder, 'postgres.new/PG_VERSION'), '18\n');
  await startAndStop(folder);
});

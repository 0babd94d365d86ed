import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access, chmod, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, type TestContext, test } from 'node:test';
import { freePort } from '../../../bench/processes/free-port.ts';
import { createTestDatabase } from '../../support/database.ts';
import { type StartOptions, startProcess, type TestProcess } from '../../support/process.ts';
import { isReady } from '../../support/service-process.ts';
import { until } from '../../support/until.ts';

/** A start takes neighbours of its OPS_PORT for its processes. */
async function takePorts() {
  const first = await freePort(8);
  return { PORT: String(first), OPS_PORT: String(first + 1) };
}

async function makeDataDir(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lavagna-start-'));
  await chmod(folder, 0o755);
  t.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'data');
}

/** A database that is dropped after the test, with what a start on it needs to know. */
async function makeDatabase(t: TestContext) {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  return { DATABASE_URL: database.url };
}

const running = new Set<TestProcess>();

function startLavagna(env: Record<string, string>, options: StartOptions = {}): TestProcess {
  const lavagna = startProcess('db/operator/start/main.ts', { env, ownGroup: true, ...options });
  running.add(lavagna);
  void lavagna.ended.finally(() => running.delete(lavagna));
  return lavagna;
}

// A test that fails half-way must not leave its Lavagna behind.
afterEach(async () => {
  for (const lavagna of running) {
    process.kill(lavagna.pid, 'SIGTERM');
    await lavagna.ended;
  }
});

/** The pids of the processes that have reported their start, by what they said. */
function reportedPids(lavagna: TestProcess): number[] {
  return [...lavagna.stdout().matchAll(/"pid":(\d+).*"msg":"started"/g)].map(([, pid]) =>
    Number(pid),
  );
}

async function bothStarted(lavagna: TestProcess): Promise<number[]> {
  await lavagna.waitFor(/Lavagna is ready/);
  await lavagna.waitFor(/"name":"worker".*"msg":"started"/);
  return reportedPids(lavagna);
}

/** A dead process that is not reaped yet still has its pid, but no command line. */
async function isRunning(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== '';
}

async function assertGone(pids: number[]): Promise<void> {
  assert.ok(pids.length > 0);
  for (const pid of pids) {
    await until(`process ${pid} still runs`, async () => !(await isRunning(pid)));
  }
}

/** Ctrl-C in a terminal: the signal goes to the whole process group. */
function pressCtrlC(lavagna: TestProcess): void {
  process.kill(-lavagna.pid, 'SIGINT');
}

function getMenu(port: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path: '/api/v1/menu', headers: { host } };
    request(options, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end();
  });
}

async function postgresPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
}

test('from an empty folder to a served menu, and Ctrl-C leaves nothing', async (t) => {
  const dataDir = await makeDataDir(t);
  const ports = await takePorts();
  const lavagna = startLavagna({ ...ports, DATA_DIR: dataDir });
  const pids = await bothStarted(lavagna);
  const postgres = await postgresPid(dataDir);
  assert.match(lavagna.stdout(), /panel of trattoria: log in as \S+ with the password \S+/);
  const url = `http://trattoria.localhost:${ports.PORT}`;
  assert.ok(lavagna.stdout().includes(`${url}/api/v1/menu`));
  assert.ok(lavagna.stdout().includes(`${url}/admin/api-tokens`));
  assert.equal(await getMenu(ports.PORT, 'trattoria.localhost'), 200);

  pressCtrlC(lavagna);
  pressCtrlC(lavagna);
  assert.equal(await lavagna.ended, 0);
  await assertGone([...pids, postgres]);

  const again = startLavagna({ ...ports, DATA_DIR: dataDir });
  const newPids = await bothStarted(again);
  assert.doesNotMatch(again.stdout(), /password/);
  assert.equal(await getMenu(ports.PORT, 'trattoria.localhost'), 200);
  await t.test('a second one on the same data is refused; a killed one leaves it usable', () =>
    refusesSecond(again, newPids, dataDir),
  );
});

/** @param pids of the processes of the first one */
async function refusesSecond(first: TestProcess, pids: number[], dataDir: string): Promise<void> {
  const second = startLavagna({ ...(await takePorts()), DATA_DIR: dataDir });
  assert.equal(await second.ended, 1);
  assert.match(second.stderr(), /^Lavagna already runs on .*; stop it first, .*\.\n$/);

  process.kill(first.pid, 'SIGKILL');
  await first.ended;
  await assertGone(pids);
  const postgres = await postgresPid(dataDir);
  const next = startLavagna({ ...(await takePorts()), DATA_DIR: dataDir });
  await bothStarted(next);
  assert.equal(await postgresPid(dataDir), postgres);
  await next.stop();
  await assertGone([postgres]);
}

test('a process that dies is started again, and SIGTERM ends all', async (t) => {
  const ports = await takePorts();
  const formation = { FORMATION: 'gateway=2,worker=1' };
  const lavagna = startLavagna({ ...ports, ...formation, ...(await makeDatabase(t)) });
  const pids = await bothStarted(lavagna);
  await lavagna.waitFor(/gateway\.2.*"msg":"started"/);
  for (const offset of [0, 1, 2]) {
    const opsPort = Number(ports.OPS_PORT) + offset;
    const response = await fetch(`http://127.0.0.1:${opsPort}/healthz`);
    assert.equal(response.status, 200);
    await response.arrayBuffer();
  }
  const gateway = Number(/gateway\.1.*"pid":(\d+)/.exec(lavagna.stdout())?.[1]);
  process.kill(gateway, 'SIGKILL');
  await lavagna.waitFor(/gateway\.1.*ended \(SIGKILL\) and starts again in 1 s/);
  await lavagna.waitFor(/(?:gateway\.1.*"msg":"started"[\s\S]*){2}/);
  assert.equal(await getMenu(ports.PORT, 'trattoria.localhost'), 200);
  await lavagna.stop();
  await assertGone([...pids, ...reportedPids(lavagna)]);
});

test('Ctrl-C starts no worker again while the gateway still drains', async (t) => {
  const env = { ...(await takePorts()), ...(await makeDatabase(t)), DRAIN_SECONDS: '2' };
  const lavagna = startLavagna(env);
  const pids = await bothStarted(lavagna);
  pressCtrlC(lavagna);
  assert.equal(await lavagna.ended, 0);
  assert.doesNotMatch(lavagna.stdout(), /starts again/);
  await assertGone(pids);
});

test('a full disk below its output ends nothing', async (t) => {
  const ports = await takePorts();
  const full = await open('/dev/full', 'w');
  t.after(() => full.close());
  const env = { ...ports, ...(await makeDatabase(t)) };
  const lavagna = startLavagna(env, { stdout: full.fd });
  const opsPort = Number(ports.OPS_PORT);
  await until('the gateway is not ready', () => isReady(opsPort));
  await until('the worker is not ready', () => isReady(opsPort + 1));
  assert.equal(await getMenu(ports.PORT, 'trattoria.localhost'), 200);
  await lavagna.stop();
});

for (const variable of ['PORT', 'OPS_PORT'] as const) {
  test(`a taken ${variable} is one sentence that names it`, async (t) => {
    const dataDir = await makeDataDir(t);
    const ports = await takePorts();
    const other = createServer().listen(Number(ports[variable]));
    await once(other, 'listening');
    t.after(() => other.close());
    const lavagna = startLavagna({ ...ports, DATA_DIR: dataDir });
    assert.equal(await lavagna.ended, 1);
    const sentence = `${variable} ${ports[variable]} is taken by another program; choose another ${variable}.`;
    assert.equal(lavagna.stderr(), `${sentence}\n`);
    await assert.rejects(access(dataDir));
  });
}

test('ports that fall together are one sentence', async () => {
  const { PORT } = await takePorts();
  const lavagna = startLavagna({ PORT, OPS_PORT: String(Number(PORT) - 1) });
  assert.equal(await lavagna.ended, 1);
  assert.match(lavagna.stderr(), /^Port \d+, which follows from OPS_PORT .* PORT as well; .*\.\n$/);
});

test('a certificate without its key is one sentence, before anything is started', async (t) => {
  const dataDir = await makeDataDir(t);
  const [cert, key] = ['cert.pem', 'other-key.pem'].map((name) =>
    join(import.meta.dirname, '../../support/tls', name),
  ) as [string, string];
  const tls = { TLS_CERT: cert, TLS_KEY: key };
  const lavagna = startLavagna({ ...(await takePorts()), DATA_DIR: dataDir, ...tls });
  // Without the sentence it would run, and start its gateway again and again.
  await assert.rejects(lavagna.waitFor(/ended \(1\) and starts again/), /the process ended/);
  assert.equal(await lavagna.ended, 1);
  assert.equal(lavagna.stderr(), `${key} (TLS_KEY) belongs to another certificate.\n`);
  await assert.rejects(access(dataDir));
});

test('a DATA_DIR that is a file is one sentence', async (t) => {
  const dataDir = await makeDataDir(t);
  await writeFile(dataDir, '');
  const lavagna = startLavagna({ ...(await takePorts()), DATA_DIR: dataDir });
  assert.equal(await lavagna.ended, 1);
  assert.equal(lavagna.stderr(), `DATA_DIR ${dataDir} is no folder, or lies below a file.\n`);
});

test('a DATA_DIR that cannot be made is one sentence', async () => {
  const lavagna = startLavagna({ ...(await takePorts()), DATA_DIR: '/proc/lavagna/data' });
  assert.equal(await lavagna.ended, 1);
  const sentence = 'DATA_DIR /proc/lavagna/data cannot be created: ENOENT.\n';
  assert.equal(lavagna.stderr(), sentence);
});

test('a bad variable stops the start with a sentence that names it', async () => {
  const lavagna = startLavagna({ LIMIT_PUBLIC: 'many' }, { isSource: true });
  assert.equal(await lavagna.ended, 1);
  assert.match(lavagna.stderr(), /^LIMIT_PUBLIC must be .*\.\n$/);
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import type { TestProcess } from '../../support/process.ts';
import {
  assertGone,
  bothStarted,
  endAll,
  getMenu,
  makeDataDir,
  postgresPid,
  pressCtrlC,
  startLavagna,
  takePorts,
} from '../../support/whole-lavagna.ts';

afterEach(endAll);

test('from an empty folder to a served menu, and Ctrl-C leaves nothing', async (t) => {
  const dataDir = await makeDataDir();
  const ports = await takePorts();
  const lavagna = startLavagna({ ...ports, DATA_DIR: dataDir });
  const pids = await bothStarted(lavagna);
  const postgres = await postgresPid(dataDir);
  assert.match(lavagna.stdout(), /panel of trattoria: log in as \S+ with the password \S+/);
  const url = `http://trattoria.localhost:${ports.PORT}`;
  assert.ok(lavagna.stdout().includes(`${url}/api/v1/menu`));
  assert.ok(lavagna.stdout().includes(`${url}/admin/api-tokens`));
  assert.equal(await getMenu(ports.PORT), 200);

  pressCtrlC(lavagna);
  pressCtrlC(lavagna);
  assert.equal(await lavagna.ended, 0);
  await assertGone([...pids, postgres]);

  const again = startLavagna({ ...ports, DATA_DIR: dataDir });
  const newPids = await bothStarted(again);
  assert.doesNotMatch(again.stdout(), /password/);
  assert.equal(await getMenu(ports.PORT), 200);
  await t.test('a second one on the same data is refused; a killed one leaves it usable', () =>
    refusesSecond(again, newPids, dataDir),
  );
});

/** @param pids of the processes of the first one */
async function refusesSecond(first: TestProcess, pids: number[], dataDir: string): Promise<void> {
  const second = startLavagna({ ...(await takePorts()), DATA_DIR: dataDir });
  assert.equal(await second.ended, 1);
  assert.match(second.stderr(), /^Lavagna already runs on .*; stop it first, .*\.\n$/);

  await first.kill();
  await assertGone(pids);
  const postgres = await postgresPid(dataDir);
  const next = startLavagna({ ...(await takePorts()), DATA_DIR: dataDir });
  await bothStarted(next);
  assert.equal(await postgresPid(dataDir), postgres);
  await next.stop();
  await assertGone([postgres]);
}

for (const variable of ['PORT', 'OPS_PORT'] as const) {
  test(`a taken ${variable} is one sentence that names it`, async (t) => {
    const dataDir = await makeDataDir();
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

test('a certificate without its key is one sentence, before anything is started', async () => {
  const dataDir = await makeDataDir();
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

test('a DATA_DIR that is a file is one sentence', async () => {
  const dataDir = await makeDataDir();
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

// npm start where a process dies, ends while another drains, or has a full disk below its output.
import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { afterEach, test } from 'node:test';
import { isReady } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import {
  assertGone,
  bothStarted,
  endAll,
  getMenu,
  makeDatabase,
  pressCtrlC,
  reportedPids,
  startLavagna,
  takePorts,
} from '../support/whole-lavagna.ts';

afterEach(endAll);

/** A gateway of an installation refuses what Postgres does not give it in time. */
const untilServed = (port: string) =>
  until('the menu is not served', async () => {
    return (await getMenu(port)) === 200;
  });

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
  await untilServed(ports.PORT);
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
  await untilServed(ports.PORT);
  await lavagna.stop();
});

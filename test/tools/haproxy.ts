// `node --import tsx test/run.ts test/tools/haproxy.ts`: two gateways on one port and a worker are restarted
// one by one behind HAProxy as DEPLOY configures it, while guests read, owners write and events come.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../../bench/processes/free-port.ts';
import { rollOver } from '../faults/outages/rolling.ts';
import { plantWithToken } from '../support/admin.ts';
import { createTestDatabase } from '../support/database.ts';
import { restaurantOf } from '../support/restaurant.ts';
import { until } from '../support/until.ts';

/** The backend of `gateway/DEPLOY.md` for gateways that share a port of one machine. */
async function configuration(gateways: number, port: number): Promise<string> {
  const text = await readFile(resolve(import.meta.dirname, '../../gateway/DEPLOY.md'), 'utf8');
  const blocks = Array.from(text.matchAll(/```haproxy\n(.*?)```/gs), ([, block = '']) => block);
  const shown = blocks.find((one) => one.includes('127.0.0.1:8080')) ?? '';
  assert.ok(shown, 'DEPLOY shows no backend of one machine');
  return `defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
frontend guests
    bind 127.0.0.1:${port}
    default_backend lavagna
${shown.replaceAll('127.0.0.1:8080', `127.0.0.1:${gateways}`)}`;
}

async function startHaproxy(folder: string, gateways: number) {
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, await configuration(gateways, port));
  const program = spawn('haproxy', ['-db', '-f', file], { stdio: 'inherit' });
  await once(program, 'spawn');
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  await until('HAProxy does not answer', isUp);
  return {
    port,
    stop: async () => {
      program.kill();
      await once(program, 'exit');
    },
  };
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lavagna-haproxy-'));
  const database = await createTestDatabase();
  const { token } = await plantWithToken(database.url, restaurantOf('steady', []));
  const tenant = { host: 'steady.localhost', token };
  try {
    const { reads, writes, kept, events, counted } = await rollOver(database.url, tenant, {
      ...{ gateways: 2, workers: 1, readers: 6, pause: 1_000 },
      through: (port) => startHaproxy(folder, port),
    });
    console.log(
      `${reads.good} reads, ${writes.promised.length} writes and ${events.promised.length} events ` +
        'through two restarts of gateways and one of the worker',
    );
    assert.equal(reads.lost, 0, reads.firstFailure);
    assert.deepEqual(reads.refused, {}, reads.firstFailure);
    assert.deepEqual([writes.unanswered, writes.strange], [[], []]);
    assert.deepEqual(kept, { missing: 0, doubled: 0 });
    assert.deepEqual(events.unanswered, []);
    assert.equal(counted, events.promised.length);
  } finally {
    await database.drop();
    await rm(folder, { recursive: true });
  }
}

const { error, stdout } = spawnSync('haproxy', ['-v'], { encoding: 'utf8' });
console.log(error ? 'HAProxy: not installed, so nothing is tried' : stdout.split('\n')[0]);
if (!error) await main();

// `node --import tsx test/run.ts test/tools/caches.ts`: varnish and nginx as DEPLOY configures them, in
// front of a gateway: hits, how soon a change is seen, and the answers while no gateway runs.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../bench/processes/free-port.ts';
import { createAdminClient, plantWithToken, smallRestaurant } from '../support/admin.ts';
import { createTestDatabase } from '../support/database.ts';
import { createClient } from '../support/http.ts';
import { startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const HOST = 'osteria.localhost';

/** A block of `gateway/DEPLOY.md`, with the ports of this run. */
async function block(kind: 'vcl' | 'nginx', mark: string, gateway: number): Promise<string> {
  const text = await readFile(resolve(import.meta.dirname, '../../gateway/DEPLOY.md'), 'utf8');
  const blocks = Array.from(
    text.matchAll(new RegExp(`\`\`\`${kind}\\n(.*?)\`\`\``, 'gs')),
    ([, found = '']) => found,
  );
  const shown = blocks.find((one) => one.includes(mark)) ?? '';
  assert.ok(shown, `DEPLOY shows no ${kind} with ${mark}`);
  return shown
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${gateway}`)
    .replace('.port = "8080"', `.port = "${gateway}"`);
}

/** A cache that runs, and where it listens. */
interface Cache {
  name: string;
  port: number;
  program: ChildProcess;
}

async function startVarnish(folder: string, gateway: number, port: number): Promise<Cache> {
  const file = join(folder, 'lavagna.vcl');
  await writeFile(file, await block('vcl', 'vcl 4.1', gateway));
  const work = join(folder, 'varnish');
  await mkdir(work, { recursive: true });
  const args = ['-F', '-f', file, '-a', `127.0.0.1:${port}`, '-n', work, '-s', 'malloc,32m'];
  const program = spawn('varnishd', [...args, '-j', 'none'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await once(program, 'spawn');
  return { name: 'varnish', port, program };
}

async function startNginx(folder: string, gateway: number, port: number): Promise<Cache> {
  const shown = await block('nginx', 'proxy_cache_path', gateway);
  const own = shown
    .replace('/var/cache/nginx/lavagna', `${folder}/nginx-cache`)
    .replace('listen 6082', `listen 127.0.0.1:${port}`);
  const file = join(folder, 'nginx.conf');
  const http = `http {\naccess_log off;\nclient_body_temp_path ${folder}/body;\nproxy_temp_path ${folder}/proxy;\n${own}\n}`;
  const head = `pid ${folder}/nginx.pid;\nerror_log ${folder}/nginx.log;\ndaemon off;\n`;
  await writeFile(file, `${head}events {}\n${http}\n`);
  const program = spawn('nginx', ['-c', file, '-p', folder], { stdio: 'inherit' });
  await once(program, 'spawn');
  return { name: 'nginx', port, program };
}

/** The round through one cache. */
async function round(
  { name, port }: Cache,
  gateway: Awaited<ReturnType<typeof startService>>,
  token: string,
): Promise<void> {
  const guest = createClient(port, HOST);
  const direct = createClient(gateway.port, HOST);
  const admin = createAdminClient(direct, token);
  const isUp = async () => (await guest.get('/menu').catch(() => null))?.status === 200;
  await until(`${name} does not answer`, isUp);
  // Its probes have seen the gateway, and the worker has purged what was new when it started.
  await sleep(4_000);
  const priceOf = async () => (await guest.get('/items')).json.data[0].price;
  const first = await guest.get('/menu');
  const limits = Object.keys(first.headers).filter((one) => one.startsWith('x-ratelimit'));
  assert.deepEqual(limits, [], 'the count of a client is not kept');
  assert.equal(first.headers['access-control-allow-origin'], '*');
  const again = await guest.get('/menu');
  assert.equal(
    again.headers['x-request-id'],
    first.headers['x-request-id'],
    'it comes of the cache',
  );
  console.log(`${name}: a second read is a hit`);

  const { id } = (await admin.get('/items')).json.data[0];
  let slowest = 0;
  for (let price = 20; price < 30; price += 1) {
    await priceOf();
    assert.equal((await admin.call('PATCH', `/items/${id}`, { price })).status, 200);
    const begun = performance.now();
    await until('the change is not seen', async () => (await priceOf()) === price);
    slowest = Math.max(slowest, performance.now() - begun);
  }
  console.log(`${name}: the slowest of ten changes was seen after ${Math.round(slowest)} ms`);
  (await guest.send('/?lang=it')).expect(200);
  assert.equal((await guest.send('/admin/sign-in')).headers['cache-control'], 'no-store');

  // The last change is purged a second time.
  await sleep(3_000);
  await Promise.all([guest.get('/menu'), guest.send('/?lang=it')]);
  await gateway.program.stop();
  const stopped = performance.now();
  let bridged = 0;
  while (performance.now() - stopped < 6_000) {
    const [menu, shown] = [await guest.get('/menu'), await guest.send('/?lang=it')];
    assert.deepEqual([menu.status, shown.status], [200, 200]);
    bridged += 2;
  }
  console.log(`${name}: ${bridged} reads of 6 s were answered while no gateway did`);
}

async function main(programs: { varnishd: boolean; nginx: boolean }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lavagna-caches-'));
  // The programs give up their rights where root starts them.
  await chmod(folder, 0o777);
  const database = await createTestDatabase();
  const { token } = await plantWithToken(database.url, smallRestaurant);
  const [varnishPort, nginxPort] = [await freePort(), await freePort()];
  const port = await freePort();
  const startGateway = () =>
    startService('gateway/main.ts', database.url, {
      ...{ PUBLIC_CACHE_SECONDS: '30', TRUSTED_PROXIES: '127.0.0.1,::1', LIMIT_PUBLIC: '1000000' },
      PORT: String(port),
    });
  const startWorker = () =>
    startService('workers/main.ts', database.url, {
      ...(programs.varnishd && { PURGE_URL: `http://127.0.0.1:${varnishPort}/.purge` }),
    });
  const caches: Cache[] = [];
  try {
    if (programs.varnishd) caches.push(await startVarnish(folder, port, varnishPort));
    if (programs.nginx) caches.push(await startNginx(folder, port, nginxPort));
    for (const cache of caches) {
      const gateway = await startGateway();
      const worker = await startWorker();
      await round(cache, gateway, token);
      await worker.program.stop();
    }
  } finally {
    for (const { program } of caches) {
      program.kill();
      if (program.exitCode === null) await once(program, 'exit');
    }
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

const isThere = (program: string) => {
  const { error } = spawnSync(program, ['-V'], { encoding: 'utf8' });
  if (error) console.log(`${program}: not installed, so its part is left out`);
  return !error;
};
const programs = { varnishd: isThere('varnishd'), nginx: isThere('nginx') };
if (programs.varnishd || programs.nginx) await main(programs);

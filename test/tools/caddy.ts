// `node --import tsx test/run.ts test/tools/caddy.ts`: a reseller's round through a real Caddy, which gets
// certificates on demand and asks Lavagna first. The configuration is that of `gateway/DEPLOY.md`.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../../bench/processes/free-port.ts';
import { createTestDatabase } from '../support/database.ts';
import { startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const DOMAIN = 'menu.example.com';
const HOST = 'carta.trattoria.example';
const TOKEN = 'operator-of-all-restaurants-0123456789';

/** The blocks of `gateway/DEPLOY.md`, with an authority of Caddy's own and ports that are free. */
async function configuration(folder: string, gateway: number, port: number): Promise<string> {
  const text = await readFile(resolve(import.meta.dirname, '../../gateway/DEPLOY.md'), 'utf8');
  const blocks = Array.from(text.matchAll(/```caddyfile\n(.*?)```/gs), ([, block = '']) => block);
  const shown = blocks.find((block) => block.includes('on_demand_tls')) ?? '';
  assert.ok(shown.startsWith('{\n') && /tls \S+fullchain/.test(shown), 'DEPLOY shows no Caddyfile');
  const own = [
    ...['admin off', 'local_certs', 'skip_install_trust', 'auto_https disable_redirects'],
    ...[`https_port ${port}`, `storage file_system ${folder}/storage`],
  ];
  return shown
    .replace('{\n', `{\n\t${own.join('\n\t')}\n`)
    .replace(/\ttls \/\S+ \/\S+\n/, '')
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${gateway}`);
}

/** An answer through Caddy, at a host that DNS leads to it. */
interface Answer {
  status: number;
  location: string | undefined;
  text: string;
}

/** Asks at a host by TLS, and trusts Caddy's authority alone. */
async function ask(
  at: { port: number; ca: string },
  host: string,
  path: string,
  { method = 'GET', token, body }: { method?: string; token?: string; body?: object } = {},
): Promise<Answer> {
  const sent = request({
    ...{ host: '127.0.0.1', port: at.port, servername: host, ca: at.ca, agent: false },
    ...{ method, path },
    headers: {
      Host: `${host}:${at.port}`,
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
  });
  sent.end(body && JSON.stringify(body));
  const [answer] = await once(sent, 'response');
  let text = '';
  for await (const piece of answer.setEncoding('utf8')) text += piece;
  return { status: answer.statusCode, location: answer.headers.location, text };
}

/** The round; `at` is where Caddy listens. */
async function round(at: { port: number; ca: string }): Promise<void> {
  const operator = async (status: number, method: string, path: string, body?: object) => {
    const options = { method, token: TOKEN, ...(body && { body }) };
    const answer = await ask(at, DOMAIN, `/platform/restaurants${path}`, options);
    assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
    return answer.text === '' ? null : JSON.parse(answer.text).data;
  };
  const becomes = (host: string, status: number) =>
    until(`${host} is not ${status}`, async () => (await ask(at, host, '/')).status === status);
  const hasCertificate = (host: string) =>
    ask(at, host, '/').then(
      () => true,
      () => false,
    );

  await operator(201, 'POST', '', { slug: 'trattoria', name: 'Trattoria' });
  await becomes(`trattoria.${DOMAIN}`, 200);
  console.log('a restaurant is created, and served below the domain');
  assert.equal(await hasCertificate(HOST), false);
  assert.equal(await hasCertificate('stranger.example'), false);
  console.log('a host that is no restaurant’s gets no certificate');
  await operator(201, 'POST', '/trattoria/hosts', { name: HOST });
  await until('the host has no certificate', () => hasCertificate(HOST));
  await becomes(HOST, 200);
  const page = (await ask(at, HOST, '/')).text;
  assert.ok(page.includes(`<link rel="canonical" href="https://${HOST}:${at.port}/">`), page);
  assert.equal(await hasCertificate('stranger.example'), false);
  console.log('its own host gets a certificate, and its page names that host');

  const email = 'ada@trattoria.example';
  const { link } = await operator(201, 'POST', '/trattoria/users', { email });
  const { host, pathname } = new URL(link);
  assert.equal(host, `${HOST}:${at.port}`);
  assert.equal((await ask(at, HOST, pathname)).status, 200);
  const scopes = ['menu:read', 'menu:write'];
  const { token } = await operator(201, 'POST', '/trattoria/tokens', {
    ...{ user: email, name: 'Cassa', scopes },
  });
  const body = { name: { it: 'Primi' } };
  const written = { method: 'POST', token, body };
  const made = await ask(at, HOST, '/api/v1/admin/categories', written);
  assert.equal(made.status, 201, made.text);
  assert.match((await ask(at, HOST, '/api/v1/menu')).text, /Primi/);
  console.log('a user is invited there, and a token writes there');

  await operator(200, 'PATCH', '/trattoria', { slug: 'osteria' });
  await becomes(`trattoria.${DOMAIN}`, 308);
  const old = await ask(at, `trattoria.${DOMAIN}`, '/?lang=de');
  assert.equal(old.location, `https://${HOST}:${at.port}/?lang=de`);
  console.log('after a new name the old one leads to its own host');
  await operator(200, 'PATCH', '/osteria', { suspended: true });
  await becomes(HOST, 404);
  await operator(200, 'PATCH', '/osteria', { suspended: false });
  await becomes(HOST, 200);
  await operator(200, 'DELETE', '/osteria?confirm=osteria');
  await becomes(HOST, 404);
  await becomes(`osteria.${DOMAIN}`, 404);
  console.log('it is suspended, served again and deleted');
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lavagna-caddy-'));
  const database = await createTestDatabase();
  const port = await freePort();
  const gateway = await startService('gateway/main.ts', database.url, {
    ...{ DOMAIN, PLATFORM_TOKEN: TOKEN, TRUSTED_PROXIES: '127.0.0.1,::1' },
    PUBLIC_URL: `https://${DOMAIN}:${port}`,
  });
  const worker = await startService('workers/main.ts', database.url, { DOMAIN });
  await writeFile(join(folder, 'Caddyfile'), await configuration(folder, gateway.port, port));
  const caddy = spawn('caddy', ['run', '--config', join(folder, 'Caddyfile')], {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  caddy.stderr.on('data', (piece) => {
    log += piece;
  });
  try {
    await once(caddy, 'spawn');
    const authority = join(folder, 'storage/pki/authorities/local/root.crt');
    const isUp = () =>
      readFile(authority, 'utf8').then(
        (text) => text !== '' && log.includes('serving initial configuration'),
        () => false,
      );
    await until('Caddy does not start', isUp);
    await round({ port, ca: await readFile(authority, 'utf8') });
  } catch (error) {
    console.log(log.slice(-4_000));
    throw error;
  } finally {
    caddy.kill();
    await gateway.program.stop();
    await worker.program.stop();
    await database.drop();
    await rm(folder, { recursive: true });
  }
}

const { status, stdout } = spawnSync('caddy', ['version'], { encoding: 'utf8' });
console.log(status === 0 ? `Caddy ${stdout.trim()}` : 'Caddy: not installed');
if (status === 0) await main();

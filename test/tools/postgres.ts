// `TEST_POSTGRES=<folder> node --import tsx test/run.ts test/tools/postgres.ts`: the first day of an
// installation on the Postgres of that folder, with the time of each step. The server is as Debian sets
// it up, and so compiles statements where it has LLVM.
import assert from 'node:assert/strict';
import { callCli } from '../support/cli.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { type Client, createClient } from '../support/http.ts';
import { startService } from '../support/service-process.ts';
import { runSql } from '../support/sql.ts';

const DOMAIN = 'menu.example.com';
const TOKEN = 'operator-of-all-restaurants-0123456789';
const SLUG = 'trattoria';
/** Restaurants of the demo, and those that the platform's API makes. */
const COUNTS = { planted: 300, made: 300, atOnce: 1_000 };

async function timed<T>(step: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  console.log(`${((performance.now() - began) / 1_000).toFixed(2).padStart(7)} s  ${step}`);
  return result;
}

async function command(url: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await callCli(args, { DATABASE_URL: url });
  assert.equal(code, 0, stderr);
  return stdout;
}

/** Sends what must be a success, and returns its data. */
async function call(client: Client, token: string, method: string, path: string, body?: object) {
  const { status, text, json } = await client.send(path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  assert.ok(status < 202, `${method} ${path}: ${status} ${text}`);
  return json.data;
}

async function install(url: string): Promise<void> {
  await timed('migrate', () => command(url, 'migrate'));
  await timed('demo', () => command(url, 'demo'));
  const plant = ['demo', '--tenants', String(COUNTS.planted)];
  await timed(`demo of ${COUNTS.planted} restaurants`, () => command(url, ...plant));
  await timed('analyze', () => runSql(url, 'analyze'));
  const asked = `select version() as version, pg_jit_available() as compiles`;
  const [server] = await runSql(url, asked);
  assert.equal(server?.compiles, false, 'statements are compiled');
  console.log(server?.version);
}

async function use(url: string): Promise<void> {
  const worker = await startService('workers/main.ts', url, { DOMAIN });
  const env = { DOMAIN, PLATFORM_TOKEN: TOKEN, LIMIT_PLATFORM: String(2 * COUNTS.made) };
  const gateway = await startService('gateway/main.ts', url, env);
  try {
    const operator = createClient(gateway.port, DOMAIN);
    const owner = createClient(gateway.port, `${SLUG}.${DOMAIN}`);
    const [user] = JSON.parse(await command(url, 'user', 'list', '--tenant', SLUG));
    const tokens = `/platform/restaurants/${SLUG}/tokens`;
    const { token } = await call(operator, TOKEN, 'POST', tokens, {
      ...{ user: user.email, name: 'Cassa', scopes: ['menu:read', 'menu:write'] },
    });
    const item = '/api/v1/admin/items/1';
    await timed('first write', () => call(owner, token, 'PATCH', item, { price: 3.5 }));
    await timed('export', () => call(owner, token, 'GET', '/api/v1/admin/export'));
    await timed(`${COUNTS.made} restaurants by the platform’s API`, async () => {
      for (let count = 0; count < COUNTS.made; count += 1) {
        const body = { slug: `house-${count}`, name: `House ${count}` };
        await call(operator, TOKEN, 'POST', '/platform/restaurants', body);
      }
    });
    const restaurants = Array.from({ length: COUNTS.atOnce }, (_, at) => ({
      ...{ slug: `at-once-${at}`, name: `House ${at}`, user: { email: `ada@house-${at}.example` } },
      token: { name: 'Cassa', scopes: ['menu:read', 'prices:write'] },
    }));
    await timed(`${COUNTS.atOnce} restaurants with user and token by one call`, () =>
      call(operator, TOKEN, 'POST', '/platform/bulk', { restaurants }),
    );
  } finally {
    await gateway.program.stop();
    await worker.program.stop();
  }
}

const database = await createEmptyDatabase();
try {
  await install(database.url);
  await use(database.url);
} finally {
  await database.drop();
}

// Requests that no limit of the API counts are bounded by address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { menuService } from '../../support/menu-service.ts';

const MOST = 12;
const changed = { maxUncountedRequests: MOST, uncountedRequestsWindow: 3_600_000 };
const env = { TRUSTED_PROXIES: '127.0.0.0/8' };
const service = await menuService([trattoria], { env, constants: changed });

let last = 0;
/** A client of an address of its own. */
function newcomer() {
  last += 1;
  const from = `192.0.2.${last}`;
  const at = (host: string, path: string, headers: Record<string, string> = {}) =>
    service.gateway.client(host).send(path, { headers: { 'X-Forwarded-For': from, ...headers } });
  return { at, get: (path: string) => at('trattoria', path) };
}
/** How many of the answers to requests were no refusal. */
async function countTaken(ask: (n: number) => Promise<{ status: number }>) {
  let taken = 0;
  for (let n = 0; n < 2 * MOST; n += 1) taken += (await ask(n)).status === 429 ? 0 : 1;
  return taken;
}

const PATHS: [what: string, path: (n: number) => string][] = [
  ['screens without a place', () => '/screen'],
  ['settings of screens', () => '/screen/settings'],
  ['unknown photos', (n) => `/media/${String(n).padStart(64, '0')}-320.webp`],
  ['unknown previews', (n) => `/preview/${n}`],
  ['links for people', (n) => `/admin/link/${n}`],
  ['the list for search engines', () => '/sitemap.xml'],
  ['pictures for shared links of old', (n) => `/display/${n}/icon-192.png`],
];

for (const [what, path] of PATHS) {
  test(`${what} are refused beyond the bound of an address, and its hot reads go on`, async () => {
    const client = newcomer();
    assert.equal(await countTaken((n) => client.get(path(n))), MOST);
    assert.ok(Number((await client.get(path(0))).expect(429).headers['retry-after']) > 0);
    for (const hot of ['/', '/api/v1/menu', '/api/v1/items?search=pane']) {
      // The page may have been put together just now.
      assert.equal((await client.get(hot)).status, 200, hot);
    }
    assert.notEqual((await newcomer().get(path(0))).status, 429);
  });
}

test('hosts that do not exist are refused beyond the bound, whatever is asked of them', async () => {
  for (const host of ['a-nowhere', 'b.example']) {
    const client = newcomer();
    assert.equal(await countTaken((n) => client.at(`${host}${n}`, '/api/v1/menu')), MOST, host);
  }
});

test('an address that is refused there still has the limits of the API', async () => {
  const client = newcomer();
  await countTaken(() => client.get('/screen'));
  const { headers } = (await client.get('/api/v1/items?page=2')).expect(200);
  assert.ok(Number(headers['x-ratelimit-remaining']) > 0);
});

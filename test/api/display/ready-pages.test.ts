// The page of a menu, its files and photos, asked for again: then they are answered before the steps
// that all other requests take. A request with an id of its own takes these steps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trattoria } from '../../../db/operator/demo/restaurant.ts';
import { callCli } from '../../support/cli.ts';
import { createClient, type Response } from '../../support/http.ts';
import { photoService } from '../../support/photo-service.ts';
import { picture } from '../../support/pictures.ts';
import { plant } from '../../support/restaurant.ts';
import { scrape } from '../../support/scrape.ts';
import { until, untilStatus } from '../../support/until.ts';

/** Only answers that lay ready have such an id. */
const READY_ID = /^[\w-]{8}-0{4}\w{6}$/;
const HOST = 'osteria.localhost';
const OTHER_HOST = 'trattoria.localhost';

const service = await photoService();
const at = (host: string) => createClient(service.gateway.port, host);
await plant(service.db, trattoria);
const made = await service.uploaded(await picture({ width: 400, height: 300, seed: 1 }));
const photo = new URL(made.url).pathname;
const { text } = await at(OTHER_HOST).send('/');
/** Addresses in the page of the trattoria. */
const files = ['theme.css', 'display.css', 'display.js'].map(
  (name) => new RegExp(`"(/display/[^"]+/${name.replace('.', '\\.')})"`).exec(text)?.[1] ?? '',
);

/** All of an answer but what differs from answer to answer. */
function lasting({ status, headers, body }: Response) {
  const { 'x-request-id': _, date, ...others } = headers;
  return { status, headers: others, body: body.toString('latin1') };
}

/** Asks until the answer lies ready, and compares it with that of the other way. */
async function compare(host: string, path: string, headers: Record<string, string> = {}) {
  const client = at(host);
  const what = `${host}${path} ${JSON.stringify(headers)}`;
  let ready = await client.send(path, { headers });
  await until(`${what} is not ready`, async () => {
    ready = await client.send(path, { headers });
    return READY_ID.test(ready.headers['x-request-id'] ?? '');
  });
  const other = await client.send(path, { headers: { ...headers, 'X-Request-Id': 'long way' } });
  assert.doesNotMatch(other.headers['x-request-id'] ?? '', READY_ID);
  assert.deepEqual(lasting(ready), lasting(other), what);
  return ready;
}

test('a page that lies ready is that of the languages, encodings and tags that are asked for', async () => {
  const queries = ['', '?lang=de', '?lang=DE&x=1', '?lang=xx', '?screen=1&lang=fr', '?lang='];
  const wishes: Record<string, string>[] = [
    {},
    { 'Accept-Language': 'pt-BR, de-AT;q=0.8, en;q=0.5' },
    { 'Accept-Language': 'en', Cookie: 'a=b; lang=fr' },
    { 'Accept-Language': 'es', Cookie: 'lang=xx' },
  ];
  for (const query of [...queries, `?lang=de&x=${'x'.repeat(20_000)}`]) {
    for (const wish of wishes) {
      const plain = await compare(OTHER_HOST, `/${query}`, wish);
      assert.equal(plain.headers.vary, 'Accept-Encoding, Accept-Language, Cookie');
      for (const encoding of ['br', 'gzip', 'gzip;q=0, br;q=0']) {
        const asked = { ...wish, 'Accept-Encoding': encoding };
        const { etag = '' } = (await compare(OTHER_HOST, `/${query}`, asked)).headers;
        const tags = [etag, `W/${etag}`, `"x", ${etag}`, '*', plain.headers.etag ?? '', '"x"'];
        for (const tag of query.length > 20 ? [] : tags) {
          const held = await compare(OTHER_HOST, `/${query}`, { ...asked, 'If-None-Match': tag });
          assert.equal(held.status, tag === '"x"' ? 200 : 304);
        }
      }
    }
  }
});

test('a file or photo that lies ready may be kept under its own address alone', async () => {
  for (const [host, path] of [
    ...files.map((file) => [OTHER_HOST, file] as const),
    [OTHER_HOST, '/display/worker.js'] as const,
    [HOST, photo] as const,
  ]) {
    const { headers } = await compare(host, path);
    const isLasting = path !== '/display/worker.js';
    assert.equal(headers['cache-control']?.includes('immutable'), isLasting, path);
    for (const encoding of ['br', 'gzip']) {
      const packed = await compare(host, path, { 'Accept-Encoding': encoding });
      const held = { 'Accept-Encoding': encoding, 'If-None-Match': packed.headers.etag ?? '' };
      assert.equal((await compare(host, path, held)).status, 304);
    }
  }
  for (const file of files) {
    const { headers } = await compare(OTHER_HOST, file.replace(/\/display\/[^/]+/, '/display/old'));
    assert.equal(headers['cache-control'], 'no-cache');
  }
});

test('beside what lies ready, other methods, hosts and ways to write an address keep their answers', async () => {
  const [, , script = ''] = files;
  const places = [
    [OTHER_HOST, '/'],
    [OTHER_HOST, script],
    [HOST, photo],
  ] as const;
  for (const [host, path] of places) {
    const get = lasting(await compare(host, path));
    const head = await at(host).send(path, { method: 'HEAD' });
    assert.deepEqual({ ...lasting(head), body: get.body }, get);
    assert.equal(head.body.length, 0);
    const [, folder = '', name = ''] = /^(\/\w*\/)([^/]*)/.exec(path) ?? [];
    const signs = Array.from(name, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
    const encoded = path.replace(folder + name, folder + signs.join(''));
    const ranged = { Range: 'bytes=0-9' };
    for (const same of [
      await at(host).send(encoded),
      await at(host).send(path, { headers: ranged }),
      await at(host.toUpperCase()).send(path),
    ]) {
      assert.deepEqual(lasting(same), get, path);
    }
    (await at(host).send(path, { method: 'POST', body: 'x' })).expect(405);
    (await at('unknown.localhost').send(path)).expect(404).shows(/Lavagna/);
  }
  assert.equal((await at(OTHER_HOST).send(photo)).status, 404, 'it is another restaurant’s');
});

test('answers that lie ready are counted under their routes', async () => {
  const name = (route: string, status: number) =>
    `lavagna_http_requests_total method="GET" route="${route}" status="${status}"`;
  const counts = async () => {
    const samples = await scrape(service.gateway.opsPort);
    const routes: [string, number][] = [
      ['/', 200],
      ['/', 304],
      ['/media/:name', 200],
    ];
    return routes.map(([route, status]) => samples.get(name(route, status)) ?? 0);
  };
  const { etag = '' } = (await compare(OTHER_HOST, '/')).headers;
  await compare(HOST, photo);
  const before = await counts();
  await at(OTHER_HOST).send('/');
  await at(OTHER_HOST).send('/', { headers: { 'If-None-Match': etag } });
  await at(HOST).send(photo);
  const expected = before.map((count) => count + 1);
  assert.deepEqual(await counts(), expected);
});

test('what lay ready is made anew after a change of the theme', async () => {
  const before = await compare(HOST, '/');
  const themeIn = ({ text }: Response) => /"(\/display\/[^"]+\/theme\.css)"/.exec(text)?.[1] ?? '';
  await compare(HOST, themeIn(before));
  const { json } = await service.admin.get('/theme');
  const body = { ...json.data, primary_color: '#123456' };
  assert.equal((await service.admin.call('PUT', '/theme', body)).status, 200);
  const after = await compare(HOST, '/');
  assert.notEqual(after.headers.etag, before.headers.etag);
  assert.notEqual(themeIn(after), themeIn(before));
  (await compare(HOST, themeIn(after))).shows(/#123456/i);
  const old = (await compare(HOST, themeIn(before))).shows(/#123456/i);
  assert.equal(old.headers['cache-control'], 'no-cache');
});

test('answers lie ready at a host of a restaurant’s own, until it is another restaurant’s', async () => {
  const env = { DATABASE_URL: service.databaseUrl };
  const host = 'menu.osteria.example';
  const give = async (command: 'add' | 'remove', tenant: string) =>
    assert.equal((await callCli(['host', command, host, '--tenant', tenant], env)).code, 0);
  const same = async (slug: string) => {
    const [there, here] = await Promise.all(
      [host, `${slug}.localhost`].map((one) => at(one).send('/api/v1/menu')),
    );
    return there?.status === 200 && there.headers.etag === here?.headers.etag;
  };
  const menu = '/api/v1/menu';
  await give('add', 'osteria');
  await until('the host is not the first restaurant’s', () => same('osteria'));
  for (const path of ['/', '/?lang=de', photo]) await compare(host, path);
  await compare(`${host.toUpperCase()}.:8080`, '/');
  // Its two answers differ in what is left of the limit: their tags are compared.
  await until('its menu is not ready', async () =>
    READY_ID.test((await at(host).send(menu)).headers['x-request-id'] ?? ''),
  );
  assert.ok(await same('osteria'));

  await give('remove', 'osteria');
  await untilStatus('the host is still served', 404, () => at(host).send('/'));
  assert.equal((await at(host).send(menu)).status, 404);
  assert.equal((await at(host).send(photo)).status, 404);
  await give('add', 'trattoria');
  await until('the host is not the other restaurant’s', () => same('trattoria'));
  (await compare(host, '/')).shows(new RegExp(`<link rel="canonical" href="http://${host}`));
  assert.equal((await at(host).send(photo)).status, 404);
  await give('remove', 'trattoria');
});

test('what lay ready is gone with its restaurant’s name, and with the restaurant', async () => {
  const env = { DATABASE_URL: service.databaseUrl };
  const paths = ['/', '/?lang=de', ...files];
  for (const path of paths) await compare(OTHER_HOST, path);
  assert.equal((await callCli(['tenant', 'rename', 'trattoria', 'iole'], env)).code, 0);
  const all = (host: string, status: number) =>
    until(`${host} does not answer ${status}`, async () => {
      const answers = await Promise.all(paths.map((path) => at(host).send(path)));
      return answers.every((answer) => answer.status === status);
    });
  await all(OTHER_HOST, 308);
  await all('iole.localhost', 200);
  for (const path of paths) await compare('iole.localhost', path);
  assert.equal((await callCli(['tenant', 'delete', 'iole', '--yes', 'iole'], env)).code, 0);
  await all('iole.localhost', 404);
});

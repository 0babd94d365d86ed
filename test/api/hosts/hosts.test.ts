// Host names of a restaurant's own: proved by DNS or set by the operator, served by every gateway, and never
// another restaurant's; and the way from a former slug.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCaller, smallRestaurant } from '../../support/admin.ts';
import { callCli } from '../../support/cli.ts';
import { each } from '../../support/each.ts';
import { afterFile } from '../../support/for-file.ts';
import { testGateway } from '../../support/gateway.ts';
import { createClient } from '../../support/http.ts';
import { menuService } from '../../support/menu-service.ts';
import { startNameServer } from '../../support/name-server.ts';
import { addUser, createVisitor, EMAIL } from '../../support/panel.ts';
import { restaurantOf, sectionOf } from '../../support/restaurant.ts';
import { until } from '../../support/until.ts';

const TOKEN = 'operator-of-all-restaurants-0123456789';
const dns = await startNameServer();
afterFile(async () => dns.stop());
const env = { PLATFORM_TOKEN: TOKEN, DNS_SERVERS: dns.address };
const second = restaurantOf('taverna', [sectionOf('Vini', {})]);
const service = await menuService([smallRestaurant, second], { env });
const other = await testGateway(service.databaseUrl, env);
await addUser(service.db, service.tenantId);
const made = await operator('POST', '/restaurants/osteria/tokens', {
  ...{ user: EMAIL, name: 'Hosts', scopes: ['users:write'] },
});
const token: string = made.json.data.token;

/** A client of each gateway at a host, and that of the first one. */
const at = (host: string) => [service.gateway, other].map(({ port }) => createClient(port, host));
function atFirst(host: string) {
  return createClient(service.gateway.port, host);
}
async function statuses(host: string, path = '/api/v1/menu'): Promise<number[]> {
  return Promise.all(at(host).map(async (client) => (await client.send(path)).status));
}
const becomes = (host: string, status: number) =>
  until(`${host} is not ${status}`, async () =>
    (await statuses(host)).every((one) => one === status),
  );

async function cli(...args: string[]) {
  const { code, stdout, stderr } = await callCli(args, { DATABASE_URL: service.databaseUrl });
  return { code, stderr, json: code === 0 ? JSON.parse(stdout) : null };
}
function operator(method: string, path: string, body?: object) {
  return createCaller(atFirst('localhost'), '/platform', TOKEN)(method, path, body);
}

/** Calls the API of the first restaurant with its owner's token. */
function call(method: string, path: string, body?: object) {
  return createCaller(service.client, '/api/v1/admin/hosts', token)(method, path, body);
}

test('a host is served everywhere once its TXT record is seen, and links name it', async () => {
  const made = (await call('POST', '', { name: 'Menù.Osteria.Example.' })).expect(201);
  const { id, name, record, state } = made.json.data;
  assert.deepEqual([name, state], ['xn--men-6na.osteria.example', 'pending']);
  assert.deepEqual([record.name, record.type], [`_lavagna.${name}`, 'TXT']);
  // The same once more is that one, so that a form that is sent twice does no harm.
  assert.deepEqual((await call('POST', '', { name })).json.data, made.json.data);

  assert.deepEqual((await call('POST', `/${id}/verify`)).json.codes.name[0].rule, 'hostRecord');
  dns.records.set(`TXT ${record.name}`, ['v=spf1 -all', `${record.value}x`]);
  assert.equal((await call('POST', `/${id}/verify`)).status, 422);
  assert.deepEqual(await statuses(name), [404, 404]);
  dns.records.set(`TXT ${record.name}`, ['v=spf1 -all', record.value]);
  const verified = await call('POST', `/${id}/verify`);
  assert.deepEqual([verified.json.data.state, verified.json.data.is_main], ['verified', true]);
  await becomes(name, 200);

  const client = atFirst(name);
  const page = await client.send('/');
  assert.ok(page.text.includes(`<link rel="canonical" href="http://${name}/">`), page.text);
  page.hides(/osteria\.localhost/);
  const robots = await client.send('/robots.txt');
  robots.shows(new RegExp(`Sitemap: http://${name}/sitemap\\.xml`));
  // The slug's page leads search engines there, too.
  await until('the page at the slug names another address', async () =>
    (await service.client.send('/')).text.includes(`href="http://${name}/?lang=it"`),
  );
  // The panel works there with cookies of its own.
  const visitor = createVisitor(client);
  assert.equal((await visitor.signIn()).status, 303);
  (await visitor.get('/admin/hosts')).expect(200).shows(name);
  const bea = { name: 'Bea', email: 'bea@osteria.example', role: 'editor' };
  (await visitor.post('/admin/people', bea)).shows(`http://${name}/admin/link/`);

  assert.equal((await call('DELETE', `/${id}`)).status, 204);
  await becomes(name, 404);
  assert.equal((await call('DELETE', `/${id}`)).status, 404);
});

test('names that are no hosts, below the domain, or another restaurant’s are refused', async () => {
  for (const name of ['', 'osteria', '10.0.0.1', 'a..example', 'a b.example', '-a.example', 7]) {
    const { status, json } = await call('POST', '', { name });
    assert.deepEqual([status, Object.keys(json.codes)], [422, ['name']], String(name));
  }
  for (const name of ['localhost', 'nuova.localhost']) {
    assert.equal((await call('POST', '', { name })).status, 422, name);
  }
  assert.equal((await cli('host', 'add', 'vini.example', '--tenant', 'taverna')).code, 0);
  await becomes('vini.example', 200);
  const { status, json } = await call('POST', '', { name: 'vini.example' });
  assert.deepEqual([status, json.codes.name[0].rule], [422, 'unique']);
});

test('of many restaurants that prove one name at once a single one gets it', async () => {
  const tenants = ['osteria', 'taverna'];
  const pathOf = (slug: string) => `/restaurants/${slug}/hosts`;
  for (let round = 0; round < 5; round += 1) {
    const name = `gara-${round}.example`;
    const set = await Promise.all(
      [...tenants, ...tenants].map((slug) => operator('POST', pathOf(slug), { name })),
    );
    const winners = set.filter((one) => one.status === 201);
    assert.equal(new Set(winners.map((one) => one.json.data.id)).size, 1, JSON.stringify(set));
    const lists = await Promise.all(tenants.map((slug) => operator('GET', pathOf(slug))));
    const owners = lists.filter(({ json }) => each(json.data, 'name').includes(name));
    assert.equal(owners.length, 1);
    for (const slug of tenants) await operator('DELETE', `${pathOf(slug)}/${name}`);
  }
});

test('GET /platform/hosts tells a proxy without a token which hosts are served', async () => {
  const ask = async (name: string) => {
    const client = atFirst('127.0.0.1');
    const [path, query] = [`/platform/hosts/${name}`, `/platform/hosts?domain=${name}`];
    const answers = [await client.send(path), await client.send(query)];
    return answers.map(({ status }) => status);
  };
  assert.equal((await cli('host', 'add', 'carta.example', '--tenant', 'osteria')).code, 0);
  await becomes('carta.example', 200);
  for (const served of ['carta.example', 'CARTA.example', 'osteria.localhost', 'localhost']) {
    assert.deepEqual(await ask(served), [200, 200], served);
  }
  for (const unknown of ['other.example', 'nowhere.localhost', '10.0.0.1', 'x', '%00']) {
    assert.deepEqual(await ask(unknown), [404, 404], unknown);
  }
  const { json } = await service.gateway
    .client('osteria')
    .send('/platform/hosts/carta.example')
    .catch(() => ({ json: null }));
  assert.equal(json?.data, undefined);
});

test('a former slug leads to the restaurant, and is another one’s only when it is given up', async () => {
  assert.equal((await cli('tenant', 'rename', 'taverna', 'cantina')).code, 0);
  await becomes('taverna.localhost', 308);
  for (const path of ['/?lang=de&x=1', '/admin/menu', '/api/v1/menu']) {
    for (const client of at('taverna.localhost')) {
      const { status, headers } = await client.send(path);
      // Its own host is the one that links name.
      assert.deepEqual([status, headers.location], [308, `http://vini.example${path}`]);
    }
  }
  const posted = atFirst('taverna.localhost').send('/api/v1/events', { method: 'POST' });
  (await posted).expect(404);
  const taken = await cli('tenant', 'create', 'taverna', '--name', 'Un altro');
  assert.equal(taken.code, 1);
  assert.match(taken.stderr, /host remove taverna --tenant cantina frees it/);
  (await operator('PATCH', '/restaurants/osteria', { slug: 'taverna' })).expect(422);
  // The restaurant itself may have it back, and then the other name leads to it.
  assert.equal((await cli('tenant', 'rename', 'cantina', 'taverna')).code, 0);
  await becomes('cantina.localhost', 308);
  await becomes('taverna.localhost', 200);
  const listed = await cli('host', 'list', '--tenant', 'taverna');
  assert.deepEqual(each(listed.json, 'name'), ['vini.example', 'cantina']);
  assert.deepEqual(each(listed.json, 'state'), ['verified', 'former']);
  assert.equal((await cli('host', 'remove', 'cantina', '--tenant', 'taverna')).code, 0);
  await becomes('cantina.localhost', 404);
  assert.equal((await cli('tenant', 'create', 'cantina', '--name', 'Un altro')).code, 0);
  await becomes('cantina.localhost', 200);
});

test('an owner asks for a host and proves it in the panel', async () => {
  const visitor = createVisitor(service.client);
  await visitor.signIn();
  await visitor.get('/admin/hosts');
  const name = 'pranzo.example';
  const wrong = (await visitor.post('/admin/hosts', { do: 'add', name: 'pranzo' })).expect(422);
  wrong.shows(/name-error/);
  assert.equal((await visitor.post('/admin/hosts', { do: 'add', name })).status, 303);
  const page = await visitor.get('/admin/hosts');
  const [, value = ''] = /<code>(lavagna=[\w-]+)<\/code>/.exec(page.text) ?? [];
  const [, id = ''] = /name="host" value="(\d+)"><button class="main"/.exec(page.text) ?? [];
  (await visitor.post('/admin/hosts', { do: 'verify', host: id })).expect(422);
  dns.records.set(`TXT _lavagna.${name}`, [value]);
  assert.equal((await visitor.post('/admin/hosts', { do: 'verify', host: id })).status, 303);
  await becomes(name, 200);
  assert.equal((await visitor.post('/admin/hosts', { do: 'remove', host: id })).status, 303);
  await becomes(name, 404);
});

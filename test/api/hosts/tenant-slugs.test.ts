// A slug that a restaurant gives up serves nothing of it any more, at any gateway.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queues } from '../../../db/schema/queues.ts';
import { callCli } from '../../support/cli.ts';
import { testGateway } from '../../support/gateway.ts';
import type { Response } from '../../support/http.ts';
import { menuService } from '../../support/menu-service.ts';
import { addUser, createVisitor } from '../../support/panel.ts';
import { dishOf, restaurantOf, sectionOf } from '../../support/restaurant.ts';
import { until } from '../../support/until.ts';
import { queueIsDrained, startTestWorker } from '../../support/worker.ts';

const restaurants = ['osteria', 'bottega', 'locanda', 'taverna', 'cantina'].map((slug) =>
  restaurantOf(slug, [sectionOf('Primi', [dishOf(`Gnocchi di ${slug}`)])]),
);

const service = await menuService(restaurants, { alone: true });
const gateways = [service.gateway, await testGateway(service.databaseUrl)];

const cli = (args: string[], input = '') =>
  callCli(args, { DATABASE_URL: service.databaseUrl }, input);

async function json(args: string[], input = '') {
  const { stdout } = (await cli(args, input)).ends(0);
  return JSON.parse(stdout);
}

/** The answers of each gateway for the menu of a slug. */
function menusOf(slug: string): Promise<Response[]> {
  return Promise.all(gateways.map((gateway) => gateway.client(slug).get('/menu')));
}

/** Waits until every gateway answers with this status. */
function becomes(slug: string, wanted: number): Promise<void> {
  return until(`${slug} is not ${wanted}`, async () =>
    (await menusOf(slug)).every(({ status }) => status === wanted),
  );
}

async function isServed(slug: string, dish: string): Promise<void> {
  for (const { status, text, json } of await menusOf(slug)) {
    assert.deepEqual([status, json.data?.settings.slug], [200, slug]);
    assert.ok(text.includes(dish), text);
  }
}

/** A new restaurant on a slug that another one had shows its own, empty menu. */
async function belongsToNewTenant(slug: string): Promise<void> {
  await json(['tenant', 'create', slug, '--name', 'Un altro']);
  await until(`${slug} does not show its new restaurant`, async () =>
    (await menusOf(slug)).every(({ text }) => text.includes('Un altro')),
  );
  for (const { json } of await menusOf(slug)) assert.deepEqual(json.data.sections, []);
}

test('tenant rename moves the menu to its new host at every gateway and ends the sessions', async () => {
  const { db, tenantId, client } = service;
  await isServed('osteria', 'Gnocchi di osteria');
  for (const { status } of await menusOf('nuova')) assert.equal(status, 404);
  await addUser(db, tenantId);
  const visitor = createVisitor(client);
  assert.equal((await visitor.signIn()).status, 303);

  const renamed = await json(['tenant', 'rename', 'osteria', 'Nuova']);
  assert.deepEqual(renamed, { id: tenantId, slug: 'nuova', former_slug: 'osteria' });
  // Former addresses lead to the new host, until the operator gives the slug away.
  await becomes('osteria', 308);
  assert.match((await menusOf('osteria'))[0]?.headers.location ?? '', /^http:\/\/nuova\.localhost/);
  await becomes('nuova', 200);
  await isServed('nuova', 'Gnocchi di osteria');
  assert.deepEqual(await service.sql('select from sessions'), []);
  await json(['host', 'remove', 'osteria', '--tenant', 'nuova']);
  await becomes('osteria', 404);
  await belongsToNewTenant('osteria');
  await isServed('nuova', 'Gnocchi di osteria');
});

test('tenant rename refuses a slug that is taken and a restaurant that is not there', async () => {
  const taken = await cli(['tenant', 'rename', 'cantina', 'taverna']);
  assert.deepEqual([taken.code, taken.stderr], [1, 'The slug taverna is taken.\n']);
  const gone = await cli(['tenant', 'rename', 'nowhere', 'somewhere']);
  assert.deepEqual([gone.code, gone.stderr], [1, 'There is no tenant nowhere.\n']);
  const bad = (await cli(['tenant', 'rename', 'cantina', 'a b'])).ends(2);
  assert.match(bad.stderr, /^<new> must be 1 to 63 letters/);
});

test('a slug that is changed or freed by a statement is known to every gateway', async () => {
  await isServed('bottega', 'Gnocchi di bottega');
  await isServed('locanda', 'Gnocchi di locanda');
  await service.sql(`update tenants set slug = 'moved' where slug = 'bottega'`);
  await becomes('bottega', 404);
  for (const { text } of await menusOf('moved')) assert.ok(text.includes('Gnocchi di bottega'));
  await belongsToNewTenant('bottega');
  await service.sql(`delete from tenants where slug = 'locanda'`);
  await becomes('locanda', 404);
  await belongsToNewTenant('locanda');
});

/** Every table with rows of the tenant, without limits: a gateway may store those of a last minute. */
async function tablesOf(tenantId: number): Promise<string[]> {
  const tables =
    await service.sql`select table_name as name, column_name as key from information_schema.columns
     where table_schema = 'public' and (column_name = 'tenant_id' or table_name = 'tenants' and
       column_name = 'id') and table_name <> 'limit_windows'`;
  const counts = await Promise.all(
    tables.map(async ({ name, key }) => {
      const rows = await service.sql(`select from ${name} where ${key} = $1`, [tenantId]);
      return rows.length > 0 ? [name] : [];
    }),
  );
  return counts.flat().sort();
}

async function idOf(slug: string): Promise<number> {
  const [{ id }] = await service.sql('select id from tenants where slug = $1', [slug]);
  return id;
}

test('tenant delete asks for the slug, and takes along every row of the restaurant', async () => {
  const { databaseUrl, gateway, db } = service;
  const tenantId = await idOf('taverna');
  await addUser(db, tenantId);
  const worker = await startTestWorker(databaseUrl);
  const event = { type: 'search', query: 'sushi', results: 0, id: 'one' };
  for (const slug of ['taverna', 'cantina']) {
    assert.equal((await gateway.client(slug).sendEvents(event)).status, 202);
  }
  await queueIsDrained(databaseUrl, queues.analyticsEvents);
  await worker.stop();
  const stored = await tablesOf(tenantId);
  assert.ok(stored.includes('users'));
  const neighbourId = await idOf('cantina');
  const neighbour = await tablesOf(neighbourId);
  for (const table of [
    ...['analytics_events', 'analytics_event_ids', 'analytics_visits', 'event_budgets'],
    ...['analytics_empty_searches', 'dishes'],
  ]) {
    assert.ok(stored.includes(table), table);
    assert.ok(neighbour.includes(table), table);
  }

  const { stderr } = (await cli(['tenant', 'delete', 'taverna'], 'taberna\n')).ends(1);
  assert.match(stderr, /^This deletes taverna: 1 sections, 1 dishes, .*, 1 users, 0 tokens, /);
  assert.match(stderr, /Nothing was deleted: the answer was not taverna\.\n$/);
  assert.equal((await cli(['tenant', 'delete', 'taverna'])).code, 1);
  assert.equal((await cli(['tenant', 'delete', 'taverna', '--yes', 'cantina'])).code, 1);
  await isServed('taverna', 'Gnocchi di taverna');

  // Events that were accepted before the restaurant went are not counted after it.
  assert.equal((await gateway.client('taverna').sendEvents({ type: 'menu_view' })).status, 202);
  assert.equal((await json(['tenant', 'delete', 'taverna'], 'taverna\n')).deleted, true);
  assert.deepEqual(await tablesOf(tenantId), []);
  assert.deepEqual(await tablesOf(neighbourId), neighbour, 'another restaurant keeps every row');
  await becomes('taverna', 404);
  const late = await startTestWorker(databaseUrl);
  await queueIsDrained(databaseUrl, queues.analyticsEvents);
  await late.stop();
  assert.deepEqual(await tablesOf(tenantId), []);
  await belongsToNewTenant('taverna');
});

test('tenant delete asks nothing when --yes names the slug', async () => {
  const { id } = await json(['tenant', 'delete', 'cantina', '--yes', 'cantina']);
  assert.deepEqual(await tablesOf(id), []);
  await becomes('cantina', 404);
});

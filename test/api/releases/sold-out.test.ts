// Dishes that are sold out until a time, and the clock that ends it.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import pg from 'pg';
import { adminService } from '../../support/admin.ts';
import { testGateway } from '../../support/gateway.ts';
import type { Client } from '../../support/http.ts';
import { dishOf, plant, restaurantOf, sectionOf } from '../../support/restaurant.ts';
import { until } from '../../support/until.ts';
import { startTestWorker } from '../../support/worker.ts';

const FAST = { clockInterval: 20 };
/** An end that no test reaches. */
const LATER = '2199-05-04T18:00:00Z';

const service = await adminService({ constants: FAST });
let second = await testGateway(service.databaseUrl);
let ids: number[];
beforeEach(async () => {
  const { data } = (await service.client.get('/items')).json;
  ids = data.map(({ id }: { id: number }) => id);
  const soldOut = data.filter((dish: { is_sold_out: boolean }) => dish.is_sold_out);
  for (const { id } of soldOut) await sell(id, null);
});

async function sell(id: number | undefined, until: string | null) {
  const reply = await service.admin.call('PATCH', `/items/${id}`, { sold_out_until: until });
  return reply.expect(200).json.data;
}
const show = async (client: Client, id: number | undefined) =>
  (await client.get(`/items/${id}`)).json;
/** Lets the time come that ends a dish's time of being sold out. */
async function endNow(id: number | undefined): Promise<Date> {
  const set = `update dishes set sold_out_until = date_trunc('second', now()) where id = $1
    returning sold_out_until as ended`;
  const [row] = await service.sql(set, [id]);
  return row.ended;
}
const isSoldOut = async (client: Client, id: number | undefined): Promise<boolean> =>
  (await show(client, id)).data.is_sold_out;
const versionOf = async (slug = 'osteria'): Promise<number> => {
  const rows = await service.sql('select version from tenants where slug = $1', [slug]);
  return rows[0].version;
};

async function nextChange(): Promise<Date> {
  const text = 'select next_change_at from tenants where id = $1';
  return (await service.sql(text, [service.tenantId]))[0].next_change_at;
}

test('a dish is sold out until a time, indefinitely, or not at all', async () => {
  const [id] = ids;
  const fields = async () => {
    const { sold_out_until, is_sold_out } = (await show(service.client, id)).data;
    return [sold_out_until, is_sold_out];
  };
  assert.deepEqual(await fields(), [null, false]);
  const given = await sell(id, '2199-05-04T20:00:00.750+02:00');
  assert.deepEqual([given.sold_out_until, given.is_sold_out], ['2199-05-04T18:00:00Z', true]);
  assert.deepEqual(await fields(), ['2199-05-04T18:00:00Z', true]);
  await sell(id, 'indefinitely');
  assert.deepEqual(await fields(), [null, true]);
  // A change of another field does not bring it back.
  await service.admin.call('PATCH', `/items/${id}`, { is_recommended: true });
  assert.deepEqual(await fields(), [null, true]);
  await sell(id, null);
  assert.deepEqual(await fields(), [null, false]);
});

test('when the time comes every gateway serves one new version with the dish', async () => {
  const [one, other] = ids;
  await sell(one, LATER);
  await sell(other, 'indefinitely');
  const version = await versionOf();
  const end = await endNow(one);
  const clients = [service.client, second.client('osteria')];
  for (const client of clients) {
    await until('a gateway does not serve the end', async () => !(await isSoldOut(client, one)));
    const { data, meta } = await show(client, one);
    assert.equal(data.sold_out_until, null);
    assert.ok(Date.parse(meta.generated_at) >= end.getTime(), `${meta.generated_at} < ${end}`);
    assert.equal(await isSoldOut(client, other), true);
  }
  assert.equal(await versionOf(), version + 1);
});

test('a size and an option are on sale again when their time comes, and the rest stays as it is', async () => {
  const [id] = ids;
  const { admin, client } = service;
  const gone = { is_sold_out: true, sold_out_until: LATER };
  const variants = [
    { label: { it: 'Piccola' }, price: 4, external_id: 'S', ...gone },
    { label: { it: 'Grande' }, price: 6, is_sold_out: true },
  ];
  const answer = await admin.call('POST', '/modifier-groups', {
    ...{ external_id: 'salse', name: { it: 'Salse' } },
    options: [
      { label: { it: 'Verde' }, ...gone },
      { label: { it: 'Rossa' }, price: 1, max: 2 },
    ],
  });
  answer.expect(201);
  const named = { variants, modifier_group_external_ids: ['salse'] };
  assert.equal((await admin.call('PATCH', `/items/${id}`, named)).status, 200);
  assert.equal((await nextChange()).toISOString(), new Date(LATER).toISOString());
  const version = await versionOf();
  // The tables are changed below the clock, which has to find the moment on its own.
  await service.sql(
    `with sizes as (
       update dishes set variants = replace(variants::text, $2, $3)::jsonb where tenant_id = $1
     )
     update modifier_groups set options = replace(options::text, $2, $3)::jsonb
     where tenant_id = $1`,
    [service.tenantId, LATER, new Date().toISOString()],
  );
  await until('a size is still sold out', async () => {
    const { variants: shown, modifier_groups: groups } = (await show(client, id)).data;
    return !shown[0].is_sold_out && !groups[0].options[0].is_sold_out;
  });
  assert.equal(await versionOf(), version + 1);
  const { variants: shown, modifier_groups: groups } = (await show(client, id)).data;
  assert.deepEqual(Object.keys(shown[0]), ['label', 'label_translations', 'price', 'external_id']);
  assert.equal(shown[1].is_sold_out, true);
  assert.deepEqual([groups[0].options[1].max, groups[0].options[1].price], [2, 1]);
  await admin.call('PATCH', `/items/${id}`, { variants: [], modifier_group_ids: [] });
});

test('a size that is sold out until later makes nothing due before, beside one on sale', async () => {
  const [one, other] = ids;
  const variants = [
    { label: { it: 'Piccola' }, price: 4, is_sold_out: true, sold_out_until: LATER },
    { label: { it: 'Grande' }, price: 6 },
  ];
  assert.equal((await service.admin.call('PATCH', `/items/${one}`, { variants })).status, 200);
  await sell(other, LATER);
  await endNow(other);
  await until('it stays sold out', async () => !(await isSoldOut(service.client, other)));
  assert.equal((await nextChange()).toISOString(), new Date(LATER).toISOString());
  await service.admin.call('PATCH', `/items/${one}`, { variants: [] });
});

test('what ends while no process runs is published when one starts', async () => {
  const [id] = ids;
  await service.worker.stop();
  // Only a worker would do it: nothing of a gateway looks at the time.
  const worker = await startTestWorker(service.databaseUrl, {}, { clockInterval: 3_600_000 });
  await sell(id, LATER);
  const version = await versionOf();
  await worker.stop();
  await second.stop();
  await endNow(id);
  assert.equal(await isSoldOut(service.client, id), true);
  service.worker = await startTestWorker(service.databaseUrl, {}, FAST);
  second = await testGateway(service.databaseUrl);
  for (const client of [service.client, second.client('osteria')]) {
    await until('the end is not published', async () => !(await isSoldOut(client, id)));
  }
  assert.equal(await versionOf(), version + 1);
});

test('two workers publish the ends of many dishes and restaurants once each', async () => {
  const { db } = service;
  const slugs = ['uno', 'due', 'tre'];
  for (const slug of slugs) {
    const dishes = Array.from({ length: 20 }, (_, index) => dishOf(`${slug} ${index}`));
    await plant(db, restaurantOf(slug, [sectionOf('S', dishes)]));
  }
  const other = await startTestWorker(service.databaseUrl, {}, FAST);
  const versions = await Promise.all(slugs.map(versionOf));
  await service.sql`update dishes d set sold_out_until = now() - interval '1 second' from tenants t
     where t.id = d.tenant_id and t.slug = any (${slugs})`;
  const due = 'select from dishes where sold_out_until < now() limit 1';
  await until('dishes stay sold out', async () => (await service.sql(due)).length === 0);
  await other.stop();
  const next = versions.map((version) => version + 1);
  assert.deepEqual(await Promise.all(slugs.map(versionOf)), next);
});

test('a dish that is sold out for longer meanwhile stays so', async () => {
  const { tenantId } = service;
  const [id] = ids;
  await sell(id, LATER);
  const version = await versionOf();
  await service.worker.stop();
  await endNow(id);
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select from tenants where id = $1 for update', [tenantId]);
    service.worker = await startTestWorker(service.databaseUrl, {}, FAST);
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock'
      and query like '%for no key update%' and datname = current_database()`;
    await until('no worker waits for the restaurant', async () => {
      return (await service.sql(waiting)).length > 0;
    });
    const set = `update dishes set sold_out_until = now() + interval '1 hour' where id = $1`;
    await client.query(set, [id]);
    // Every write marks the tenant; without a mark, a menu in memory counts as the present one.
    await client.query('update tenants set slug = slug where id = $1', [tenantId]);
    await client.query('commit');
  } finally {
    await client.end();
  }
  assert.equal(await isSoldOut(service.client, id), true);
  assert.equal(await versionOf(), version);
});

test('a dish that is deleted while it is sold out comes back available after its time', async () => {
  const { admin } = service;
  const id = ids.at(-1);
  await sell(id, 'indefinitely');
  assert.equal((await admin.call('DELETE', `/items/${id}`)).status, 204);
  await service.sql(`update dishes set sold_out_until = now() where id = $1`, [id]);
  assert.equal((await admin.call('POST', `/items/${id}/restore`)).status, 200);
  await until('it stays sold out', async () => !(await isSoldOut(service.client, id)));
});

test('a restaurant whose changes fail stops no other, and changes when its fault is gone', async () => {
  const { db, tenantId } = service;
  const section = sectionOf('S', [dishOf('D')]);
  const faulty = await plant(db, restaurantOf('guasta', [section]));
  const version = await versionOf('guasta');
  await service.sql`create function refuse() returns trigger language plpgsql as $$
     begin raise exception 'the fault of a test'; end $$`;
  await service.sql(
    `create trigger refused before insert on versions for each row
     when (new.tenant_id = ${faulty}) execute function refuse()`,
  );
  // Due in the same moment, they share a turn.
  await service.sql(
    `update dishes set sold_out_until = now() - interval '1 second' where tenant_id = any ($1)
     and id = (select min(id) from dishes d where d.tenant_id = dishes.tenant_id)`,
    [[faulty, tenantId]],
  );
  const ended = `select from dishes where tenant_id = $1 and sold_out_until is not null`;
  await until('the end is not published', async () => {
    return (await service.sql(ended, [tenantId])).length === 0;
  });
  assert.equal(await versionOf('guasta'), version);
  await service.sql('drop trigger refused on versions');
  await until('the fault is gone, and nothing is published', async () => {
    return (await versionOf('guasta')) === version + 1;
  });
});

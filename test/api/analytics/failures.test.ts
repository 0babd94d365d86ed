// Events that cannot be counted hold up no events of other restaurants, and large counts are no error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pizzeria, trattoria } from '../../../db/operator/demo/restaurant.ts';
import { queues } from '../../../db/schema/queues.ts';
import { menuService } from '../../support/menu-service.ts';
import { scrape } from '../../support/scrape.ts';
import { lockTable } from '../../support/sql.ts';
import { until, untilFound } from '../../support/until.ts';
import { queueIsDrained, startTestWorker } from '../../support/worker.ts';

const MAX_INTEGER = 2 ** 31 - 1;
const service = await menuService([trattoria, pizzeria], { alone: true });
const { databaseUrl, gateway, tenantId, client } = service;

async function totalOf(slug: string): Promise<number> {
  const [total] = await service.sql`select c.events::float8 as events
     from analytics_counts c join settings s on s.tenant_id = c.tenant_id
     join tenants t on t.id = c.tenant_id
     where t.slug = ${slug} and c.scope = 'total'`;
  return total?.events ?? 0;
}

/** Sends 50 events of each of two restaurants. While the first commit waits, the others share one. */
async function sendHundred(event: object): Promise<void> {
  const events = Array.from({ length: 10 }, () => event);
  const others = Array.from({ length: 10 }, () => ({ type: 'menu_view' }));
  const pizza = gateway.client('pizzeria');
  const holder = await lockTable(databaseUrl, 'pgboss.job in exclusive mode');
  const answers = [client.sendEvents(events)];
  const waiting = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await untilFound('no commit waits', () => service.sql(waiting));
  for (let n = 0; n < 5; n += 1) answers.push(pizza.sendEvents(others));
  for (let n = 0; n < 4; n += 1) answers.push(client.sendEvents(events));
  await until('not all have arrived', async () => {
    return (await scrape(gateway.opsPort)).get('lavagna_pending_events') === 100;
  });
  await holder.end();
  for (const { status, text } of await Promise.all(answers)) assert.equal(status, 202, text);
}

async function jobOfBoth(): Promise<void> {
  const [job] = await service.sql(
    `select from pgboss.job where name = $1 and state < 'completed'
       and jsonb_path_exists(data, '$.tenant_id[*] ? (@ != $tenant)', jsonb_build_object('tenant', $2::int))
       and data->'tenant_id' @> to_jsonb($2::int)`,
    [queues.analyticsEvents, tenantId],
  );
  assert.ok(job, 'events of both restaurants share a job');
}

test('events of a dish whose month is beyond an integer are all counted', async () => {
  const [dish] = await service.sql`select min(id) as id from dishes where tenant_id = ${tenantId}`;
  const event = { type: 'item_view', item_id: dish.id, locale: 'it' };
  const worker = await startTestWorker(databaseUrl);
  await client.sendEvents(event);
  await queueIsDrained(databaseUrl, queues.analyticsEvents);
  await worker.stop();
  await service.sql(
    `update analytics_counts set events = $1, visitors = $1, views_by_locale[1] = $1
     where scope in ('item', 'item_month')`,
    [MAX_INTEGER],
  );
  await sendHundred(event);
  await jobOfBoth();
  const next = await startTestWorker(databaseUrl);
  await queueIsDrained(databaseUrl, queues.analyticsEvents);
  await next.stop();
  assert.equal(await totalOf('trattoria'), 51);
  assert.equal(await totalOf('pizzeria'), 50);
  const [month] =
    await service.sql`select events::float8 as events, views_by_locale[1]::float8 as views
     from analytics_counts where scope = 'item_month'`;
  assert.deepEqual(month, { events: MAX_INTEGER + 50, views: MAX_INTEGER + 50 });
});

test('events that cannot be counted hold up none of another restaurant in their job', async () => {
  const [trattoriaBefore, pizzeriaBefore] = [await totalOf('trattoria'), await totalOf('pizzeria')];
  // Without a check of what is there already, which the first restaurant breaks.
  await service.sql(
    `alter table analytics_visits add constraint refused check (tenant_id <> ${tenantId}) not valid`,
  );
  await sendHundred({ type: 'menu_view' });
  await jobOfBoth();
  const worker = await startTestWorker(databaseUrl);
  await until('the events of the other restaurant are not counted', async () => {
    return (await totalOf('pizzeria')) === pizzeriaBefore + 50;
  });
  assert.equal(await totalOf('trattoria'), trattoriaBefore);
  await service.sql('alter table analytics_visits drop constraint refused');
  await queueIsDrained(databaseUrl, queues.analyticsEvents);
  await worker.stop();
  assert.equal(await totalOf('trattoria'), trattoriaBefore + 50, 'retried, and counted once');
  assert.equal(await totalOf('pizzeria'), pizzeriaBefore + 50, 'counted once');
});

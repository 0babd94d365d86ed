// EVENTS_PER_DAY: how many events all clients together may store for a restaurant on a day.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { pizzeria, trattoria } from '../../../db/operator/demo/restaurant.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { queues } from '../../../db/schema/queues.ts';
import { createEventBudgets, nextBudgets } from '../../../gateway/limits/event-budgets.ts';
import { purgeEvents } from '../../../workers/housekeeping/purge.ts';
import { each } from '../../support/each.ts';
import { startTestGateway } from '../../support/gateway.ts';
import type { Client, Response } from '../../support/http.ts';
import { menuService } from '../../support/menu-service.ts';
import { restaurantOf } from '../../support/restaurant.ts';
import { scrape } from '../../support/scrape.ts';

const PER_DAY = 1_000;
const DAY = 86_400_000;
const SHARE = PER_DAY / constants.eventShareOneIn;
const env = { EVENTS_PER_DAY: String(PER_DAY), TRUSTED_PROXIES: '127.0.0.1' };
const service = await menuService([trattoria, pizzeria, restaurantOf('bottega', [])], { env });
const { databaseUrl, db, gateway, tenantId } = service;

// No midnight comes in a test: it would bring another budget.
beforeEach(() => mock.timers.enable({ apis: ['Date'], now: Date.now() }));
afterEach(() => mock.timers.reset());

const eventsOf = (count: number) => Array.from({ length: count }, () => ({ type: 'menu_view' }));

let addresses = 0;
const nextAddress = () => {
  addresses += 1;
  return `198.51.${addresses >> 8}.${addresses & 255}`;
};

/** Sends requests at once, each from another address; the answers to those that were refused. */
async function sendTo(clients: readonly Client[], count: number, size: number, address?: string) {
  const sent = Array.from({ length: count }, (_, index) => {
    const headers = { 'X-Forwarded-For': address ?? nextAddress() };
    return (clients[index % clients.length] as Client).sendEvents(eventsOf(size), headers);
  });
  const responses = await Promise.all(sent);
  const refused = responses.filter(({ status }) => status === 429);
  assert.ok(responses.every(({ status }) => status === 202 || status === 429));
  return { kept: (count - refused.length) * size, refused };
}

async function stored(): Promise<number> {
  const [{ count }] = await service.sql(
    `select coalesce(sum(jsonb_array_length(data->'type')), 0)::int as count
     from pgboss.job where name = $1 and data->'tenant_id' @> to_jsonb($2::int)`,
    [queues.analyticsEvents, tenantId],
  );
  return count;
}

function assertRefusal({ headers, json }: Response): void {
  assert.deepEqual(json, { success: false, message: 'Too Many Attempts.' });
  const wait = Number(headers['retry-after']);
  assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= DAY / 1_000);
  const reset = Number(headers['x-ratelimit-reset']);
  assert.equal(reset % (DAY / 1_000), 0, 'the day ends at midnight UTC');
  assert.equal(headers['access-control-allow-origin'], '*');
}

test('several gateways store the events of a day and not one more, also after a restart', async (t) => {
  const other = await startTestGateway(databaseUrl, env);
  t.after(other.stop);
  const clients = [gateway, other].map((one) => one.client('trattoria'));
  const { kept, refused } = await sendTo(clients, 130, 10);
  // Each gateway holds a hundredth of the budget, which is one request.
  assert.equal(kept, PER_DAY);
  assert.equal(await stored(), PER_DAY);
  refused.forEach(assertRefusal);
  await other.stop();
  const next = await startTestGateway(databaseUrl, env);
  t.after(next.stop);
  const again = await sendTo([next.client('trattoria')], 5, 10);
  const samples = await scrape(next.opsPort);
  assert.equal(again.kept, 0);
  assert.equal(samples.get('lavagna_event_refusals_total'), 5);
  assert.equal(await stored(), PER_DAY);
  const pizza = await sendTo([gateway.client('pizzeria')], 3, 100);
  assert.equal(pizza.kept, 300, 'another restaurant has a budget of its own');
});

test('a request that does not fit is refused whole, and a smaller one still fits', async () => {
  const pizza = gateway.client('pizzeria');
  assert.equal((await sendTo([pizza], 5, 100)).kept, 500);
  assert.equal((await sendTo([pizza], 1, 201)).kept, 0);
  assert.equal((await sendTo([pizza], 1, 200)).kept, 200);
  const [last] = (await sendTo([pizza], 1, 1)).refused;
  assertRefusal(last as Response);
});

test('a new day has a new budget, and few requests ask Postgres', async () => {
  let now = Date.parse('2040-05-04T23:59:59Z');
  let asked = 0;
  const counting = {
    ...db,
    any: (query: Parameters<typeof db.any>[0]) => {
      asked += 1;
      return db.any(query);
    },
  };
  const options = { db: counting as typeof db, perDay: PER_DAY, now: () => now, constants };
  const budgets = createEventBudgets(options);
  const owner = { tenantId };
  for (let i = 0; i < PER_DAY; i += 1) assert.ok(await budgets.take(owner, 1));
  assert.equal(asked, constants.eventGrantOneIn);
  assert.equal(await budgets.take(owner, 1), false);
  assert.ok(budgets.isSpent(owner));
  assert.equal(nextBudgets(now), now + 1_000);
  now += 1_000;
  assert.equal(budgets.isSpent(owner), false);
  assert.ok(await budgets.take(owner, 1));
});

test('one client stores its share of a day in several gateways, and leaves the rest to others', async (t) => {
  const gateways = [await startTestGateway(databaseUrl, env), gateway];
  t.after(gateways[0]?.stop);
  const clients = gateways.map((one) => one.client('bottega'));
  const { kept, refused } = await sendTo(clients, 60, 10, '203.0.113.7');
  // Each gateway lets a client have a hundredth of its share without asking Postgres.
  const free = Math.ceil(SHARE / constants.eventGrantOneIn);
  assert.ok(kept > SHARE - 2 * 10 && kept <= SHARE + free, `${kept} were kept`);
  refused.forEach(assertRefusal);
  assert.equal((await sendTo(clients, 60, 10)).kept, 600);
  const [kind] =
    await service.sql(`select client::text, granted::int from event_shares join tenants on id = tenant_id
     where slug = 'bottega' order by granted desc limit 1`);
  assert.ok(kind.granted >= kept - 2 * free);
  assert.ok(!JSON.stringify(kind).includes('203.0.113'));
});

test('housekeeping forgets the budgets and shares of past days', async () => {
  const text = 'select distinct day::text from event_budgets natural full join event_shares';
  const days = async () => each(await service.sql(text), 'day');
  await service.sql(`insert into event_budgets values ($1, '2020-01-01', 7)`, [tenantId]);
  await service.sql(`insert into event_shares values ($1, '2020-01-02', 7, 7)`, [tenantId]);
  assert.ok((await days()).includes('2020-01-01'));
  const now = Date.now();
  const today = new Date(now).toISOString().slice(0, 10);
  await service.sql`
    insert into event_budgets values (${tenantId}, ${today}, 7) on conflict do nothing`;
  await purgeEvents(db, 400, now, () => true);
  assert.ok((await days()).every((day) => day >= today));
  assert.ok((await days()).includes(today));
});

import { residentMb } from '../processes/usage.ts';
import { createClient } from './client.ts';
import type { Stage } from './stage.ts';

const RUNS = 30;
const DAYS = 365;
const NAMES = ['overview', 'items', 'sections', 'allergens', 'insights'];
/** The largest that a report may take, in ms. */
const GOAL = 100;

/**
 * Fills a year straight into the tables: raw events of a busy restaurant's opening hours, and the
 * roll-ups that the worker would have made of them. The year before gets the same roll-ups.
 */
async function fill(stage: Stage, perYear: number): Promise<void> {
  const { db, tenantId, items, sections } = stage;
  await db.query(`create or replace procedure fill_day(tenant int, d date, count int,
      items int[], sections int[]) language plpgsql as $$
    begin
      execute format('create table if not exists analytics_events_%s partition of analytics_events
        for values from (%L) to (%L)', to_char(d, 'YYYYMMDD'), d, d + 1);
      insert into analytics_events (tenant_id, day, hour, occurred_at, type, item_id, category_id,
        allergen, locale, visitor, id)
      select tenant, d, hour, d + hour * interval '1 hour', type,
        case when type = 'item_view' then items[1 + floor(array_length(items, 1) * r1 * r1)] end,
        case when type = 'section_view'
          then sections[1 + floor(array_length(sections, 1) * r1 * r1)] end,
        case when type = 'allergen_filter' then (array['latte', 'uova', 'pesce'])[1 + n % 3] end,
        (array['it', 'it', 'en', 'de', 'fr', 'es'])[1 + n % 6], visitor, n::text
      from (
        select n, random() as r1, (11 + floor(12 * random()))::int as hour,
          (array['menu_view', 'section_view', 'item_view', 'item_view', 'item_view', 'search',
            'allergen_filter', 'locale_change', 'review_click'])[1 + floor(random() * 9)::int]
            as type,
          (n / 20)::bigint as visitor
        from generate_series(1, count) n
      ) made;
      insert into analytics_counts (tenant_id, scope, day, key, events, visitors, views_by_locale)
      select tenant, cell.scope::analytics_scope, d, cell.key, count(*), count(distinct visitor),
        case when cell.scope = 'item' then array[count(*) filter (where locale = 'it'),
          count(*) filter (where locale = 'en'), count(*) filter (where locale = 'fr'),
          count(*) filter (where locale = 'de'), count(*) filter (where locale = 'es')] end
      from analytics_events e, lateral (values ('total', ''), ('type', type),
        ('hour', hour::text), ('locale', locale), ('item', item_id::text),
        ('section', category_id::text), ('allergen', allergen)) cell (scope, key)
      where day = d and tenant_id = tenant and cell.key is not null
      group by cell.scope, cell.key;
    end $$`);
  for (let age = DAYS; age >= 1; age -= 1) {
    await db.query('call fill_day($1, current_date - $2::int, $3, $4, $5)', [
      ...[tenantId, age, Math.ceil(perYear / 365), items, sections],
    ]);
  }
  await db.query(
    `insert into analytics_counts (tenant_id, scope, day, key, events, visitors, views_by_locale)
     select tenant_id, scope, day - $1::int, key, events, visitors, views_by_locale
     from analytics_counts`,
    [DAYS],
  );
  await db.query(`
    insert into analytics_counts (tenant_id, scope, day, key, events, visitors, views_by_locale)
    select tenant_id, 'item_month', date_trunc('month', day)::date as month, key, sum(events),
      sum(visitors), array[sum(views_by_locale[1]), sum(views_by_locale[2]),
        sum(views_by_locale[3]), sum(views_by_locale[4]), sum(views_by_locale[5])]
    from analytics_counts where scope = 'item' group by tenant_id, month, key`);
  await db.query('vacuum analyze analytics_counts');
}

async function sizes(stage: Stage) {
  const { rows } = await stage.db.query(`
    select sum(pg_total_relation_size(relid)) filter (where relid::text like '%events%')::float8
        as raw_bytes,
      (select sum(pg_total_relation_size(relid))::float8
        from pg_partition_tree('analytics_counts')) as count_bytes,
      (select count(*)::int from analytics_counts) as count_rows
    from pg_partition_tree('analytics_events')`);
  return rows[0];
}

/** How long each report takes over a year, the year before beside it; a year has `perYear` events. */
export async function reports(stage: Stage, perYear: number): Promise<boolean> {
  const { rows } = await stage.db.query('select from analytics_counts limit 1');
  // A database that has been filled already is measured again.
  if (rows.length === 0) await fill(stage, perYear);
  const gateway = await stage.startGateway();
  const client = createClient(stage.host);
  const day = (age: number) => new Date(Date.now() - age * 86_400_000).toISOString().slice(0, 10);
  const query = `from=${day(365)}&to=${day(1)}&limit=1000`;
  const { token } = stage;
  let met = true;
  const times: Record<string, { median: number; max: number }> = {};
  for (const name of NAMES) {
    const path = `/admin/analytics/${name}?${query}`;
    const taken: number[] = [];
    for (let run = 0; run <= RUNS; run += 1) {
      const started = performance.now();
      const answer = await client.send(gateway.port, 'GET', path, { token });
      if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${answer.text}`);
      // The first one warms up.
      if (run > 0) taken.push(performance.now() - started);
    }
    taken.sort((a, b) => a - b);
    const median = Math.round(taken[RUNS / 2] ?? 0);
    times[name] = { median, max: Math.round(taken[RUNS - 1] ?? 0) };
    met &&= median < GOAL;
  }
  const gatewayMb = residentMb(gateway.pid);
  console.log(
    JSON.stringify({ scenario: 'reports', perYear, ms: times, ...(await sizes(stage)), gatewayMb }),
  );
  client.close();
  await gateway.stop();
  return met;
}

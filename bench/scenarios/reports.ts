import { createClient } from '../load/client.ts';
import { type DemoAnalytics, withDemoAnalytics } from '../load/demo-analytics.ts';
import { medianAndRange } from '../measure/median.ts';
import { atMost, type Figure, type Finding } from '../result.ts';
import type { Scenario } from '../scenario.ts';

const RUNS = 30;
const DAYS = 365;
const DAY_MS = 86_400_000;
const NAMES = ['overview', 'items', 'sections', 'allergens', 'searches', 'insights'];
/** Milliseconds that the median of a report may take. */
const GOAL = 100;
const SIZES = `
  select sum(pg_total_relation_size(relid)) filter (where relid::text like '%events%')::float8
      as raw_bytes,
    (select sum(pg_total_relation_size(relid))::float8
      from pg_partition_tree('analytics_counts')) as count_bytes
  from pg_partition_tree('analytics_events')`;

/**
 * Writes a year into the tables: raw events of a restaurant's opening hours, and the counts that a
 * worker would make of them. The year before gets the same counts.
 */
async function fill(demo: DemoAnalytics, perYear: number): Promise<void> {
  const { db, tenantId, items, sections } = demo;
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
      insert into analytics_empty_searches (tenant_id, day, query, searches)
      select tenant, d, 'text ' || n * extract(doy from d), n from generate_series(1, 100) n;
    end $$`);
  for (let age = DAYS; age >= 1; age -= 1) {
    await db.query('call fill_day($1, current_date - $2::int, $3, $4, $5)', [
      ...[tenantId, age, Math.ceil(perYear / DAYS), items, sections],
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

/** Milliseconds of each report over a year with `perYear` events and the year before. */
async function measure(demo: DemoAnalytics, perYear: number): Promise<Finding[]> {
  await fill(demo, perYear);
  using client = createClient(demo.lavagna.gateway.port);
  const day = (age: number) => new Date(Date.now() - age * DAY_MS).toISOString().slice(0, 10);
  const query = `from=${day(DAYS)}&to=${day(1)}&limit=1000`;
  const headers = { Authorization: `Bearer ${demo.token}` };
  const figures: Figure[] = [];
  for (const name of NAMES) {
    const call = { path: `/admin/analytics/${name}?${query}`, headers };
    // The first one warms up.
    await client.expect(200, demo.slug, call);
    const times: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      times.push((await client.expect(200, demo.slug, call)).took);
    }
    figures.push({ name, unit: 'ms', ...medianAndRange(times) });
  }
  const slowest = Math.max(...figures.map(({ median }) => median));
  const goals = [atMost('median ms of the slowest report over a year', slowest, GOAL)];
  const [size] = (await demo.db.query(SIZES)).rows;
  figures.push(
    { name: 'raw events', unit: 'MB', median: size.raw_bytes / 1e6 },
    { name: 'counts', unit: 'MB', median: size.count_bytes / 1e6 },
  );
  const count = perYear.toLocaleString('en-GB');
  return [{ title: `Reports over a year with ${count} events of one restaurant`, figures, goals }];
}

/** Reports of a restaurant with many events. */
export const reports: Scenario = {
  name: 'reports',
  run: ({ size }) => withDemoAnalytics((demo) => measure(demo, size.reportEvents)),
};

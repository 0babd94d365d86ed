import { column, type Db, sql } from '../../postgres/sql.ts';
import { LOCALES } from '../../schema/locale.ts';
import type { Count, VisitorOfDay } from './roll-up.ts';

function columns(counts: readonly Count[]) {
  return sql.fragment`
    ${column(counts, ({ tenantId }) => tenantId, 'int4')},
    ${column(counts, ({ scope }) => scope, 'analytics_scope')},
    ${column(counts, ({ day }) => day, 'date')},
    ${column(counts, ({ key }) => key, 'text')},
    ${column(counts, ({ events }) => events, 'int4')},
    ${column(counts, ({ byLocale }) => byLocale && `{${byLocale}}`, 'text')}
  `;
}

function visitColumns(visits: readonly VisitorOfDay[]) {
  return sql.fragment`
    ${column(visits, ({ tenantId }) => tenantId, 'int4')},
    ${column(visits, ({ day }) => day, 'date')},
    ${column(visits, ({ visitor }) => visitor, 'int8')},
    ${column(visits, ({ cells }) => [...cells].join(' '), 'text')}
  `;
}

const position = LOCALES.map((_, index) => sql.fragment`[${index + 1}::int]`);
const summedByLocale = sql.join(
  position.map((at) => sql.fragment`sum(views_by_locale${at})`),
  ', ',
);
const addedByLocale = sql.join(
  position.map((at) => sql.fragment`counted.views_by_locale${at} + excluded.views_by_locale${at}`),
  ', ',
);

/**
 * Adds to the roll-ups; what belongs to a dish goes to its month too. A visitor counts once in a cell,
 * whichever worker saw it first: each row of visits lists its cells in the order in which they were
 * first seen, and returns those that this statement appended. Rows are locked in the order of their
 * keys, the visits before the counts: workers that meet wait for each other and never in a circle.
 *
 * One row a visitor, rather than one for each of its cells, takes a quarter of the time.
 */
export async function addCounts(
  db: Db,
  counts: readonly Count[],
  visits: readonly VisitorOfDay[],
): Promise<void> {
  await db.run(sql.nothing`
    with seen as (
      insert into analytics_visits as visit (tenant_id, day, visitor, cells)
      select tenant_id, day, visitor, string_to_array(cells, ' ')
      from unnest(${visitColumns(visits)}) as n (tenant_id, day, visitor, cells)
      order by tenant_id, day, visitor
      on conflict (tenant_id, day, visitor) do update set
        counted = cardinality(visit.cells),
        cells = visit.cells || array(
          select unnest(excluded.cells) except select unnest(visit.cells)
        )
      where not visit.cells @> excluded.cells
      returning tenant_id, day, cells[counted + 1:] as cells
    ), newcomers as (
      select tenant_id, day, cell, count(*) as visitors
      from seen, unnest(cells) as cell group by tenant_id, day, cell
    ), cells as (
      select n.tenant_id, n.scope, n.day, n.key, n.events,
        coalesce(newcomers.visitors, 0) as visitors, n.by_locale::int8[] as views_by_locale
      from unnest(${columns(counts)}) as n (tenant_id, scope, day, key, events, by_locale)
      join tenants on tenants.id = n.tenant_id
      left join newcomers
        on newcomers.tenant_id = n.tenant_id and newcomers.day = n.day
        and newcomers.cell = n.scope || '/' || n.key
    )
    insert into analytics_counts as counted
      (tenant_id, scope, day, key, events, visitors, views_by_locale)
    select tenant_id, scope, day, key, events, visitors, views_by_locale from cells
    union all
    select tenant_id, 'item_month', date_trunc('month', day::timestamp)::date as month, key,
      sum(events), sum(visitors), array[${summedByLocale}]::int8[]
    from cells where scope = 'item' group by tenant_id, month, key
    order by tenant_id, scope, day, key
    on conflict (tenant_id, scope, day, key) do update set
      events = counted.events + excluded.events,
      visitors = counted.visitors + excluded.visitors,
      views_by_locale = case when excluded.views_by_locale is not null
        then array[${addedByLocale}]
      end
  `);
}

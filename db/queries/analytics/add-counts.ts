import type { Count, Visit } from '../../analytics/roll-up.ts';
import { type Db, sql } from '../../connection.ts';

function cellColumns(counts: readonly Count[]) {
  const pick = <F extends keyof Count>(field: F) => counts.map((count) => count[field]);
  return sql.fragment`
    ${sql.array(pick('tenantId'), 'int4')},
    ${sql.array(pick('scope'), sql.fragment`analytics_scope[]`)},
    ${sql.array(pick('day'), 'date')},
    ${sql.array(pick('key'), 'text')},
    ${sql.array(pick('itemId'), 'int4')},
    ${sql.array(pick('categoryId'), 'int4')}
  `;
}

/**
 * Adds to the roll-ups. A visitor counts once in a cell, whichever worker saw it first. Cells of
 * dishes and sections that the tenant never had are left out, and so the roll-ups cannot outgrow the
 * menu. Rows are locked in the order of their keys, the visits before the counts: workers that meet
 * wait for each other and never in a circle.
 */
export async function addCounts(
  db: Db,
  counts: readonly Count[],
  visits: readonly Visit[],
): Promise<void> {
  await db.run(sql.typeAlias('nothing')`
    with visit as (
      select * from unnest(
        ${cellColumns(visits.map(({ count }) => count))},
        ${sql.array(
          visits.map(({ visitor }) => visitor),
          'int8',
        )}
      ) as visit (tenant_id, scope, day, key, item_id, category_id, visitor)
    ), newcomer as (
      insert into analytics_visits (tenant_id, day, visitor, scope, key)
      select tenant_id, day, visitor, scope, key
      from visit n
      where (item_id is null
          or exists (select from dishes d where d.tenant_id = n.tenant_id and d.id = item_id))
        and (category_id is null
          or exists (select from sections s where s.tenant_id = n.tenant_id and s.id = category_id))
      order by tenant_id, day, visitor, scope, key
      on conflict do nothing
      returning tenant_id, scope, day, key
    ), newcomers as (
      select tenant_id, scope, day, key, count(*) as visitors
      from newcomer group by tenant_id, scope, day, key
    )
    insert into analytics_counts (tenant_id, scope, day, key, events, visitors)
    select n.tenant_id, n.scope, n.day, n.key, n.events, coalesce(newcomers.visitors, 0)
    from unnest(
      ${cellColumns(counts)},
      ${sql.array(
        counts.map(({ events }) => events),
        'int8',
      )}
    ) as n (tenant_id, scope, day, key, item_id, category_id, events)
    join tenants on tenants.id = n.tenant_id
    left join newcomers
      on newcomers.tenant_id = n.tenant_id and newcomers.scope = n.scope
      and newcomers.day = n.day and newcomers.key = n.key
    where (item_id is null
        or exists (select from dishes d where d.tenant_id = n.tenant_id and d.id = item_id))
      and (category_id is null
        or exists (select from sections s where s.tenant_id = n.tenant_id and s.id = category_id))
    order by n.tenant_id, n.scope, n.day, n.key
    on conflict (tenant_id, scope, day, key) do update set
      events = analytics_counts.events + excluded.events,
      visitors = analytics_counts.visitors + excluded.visitors
  `);
}

import * as v from 'valibot';
import { column, type Db, sql } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import type { Period } from './counts.ts';

/** How often guests of a restaurant searched for a text on a day and found nothing. */
export interface EmptySearch {
  tenantId: number;
  day: string;
  /** Empty where the text has no visible character. */
  query: string;
  searches: number;
}

/**
 * Adds to the searches that found nothing, each search given once. A restaurant's day holds
 * `maxEmptySearchesPerDay` texts at most; searches for further ones go to the empty text.
 *
 * It belongs behind `addCounts` in the same transaction, whose lock on the day's total makes workers
 * that count the same day take turns: so each sees all texts that the others have added.
 */
export async function addEmptySearches(db: Db, searches: readonly EmptySearch[]): Promise<void> {
  await db.run(sql.nothing`
    with given as (
      select g.*, kept.query is not null or g.query = '' as is_kept
      from unnest(
        ${column(searches, ({ tenantId }) => tenantId, 'int4')},
        ${column(searches, ({ day }) => day, 'date')},
        ${column(searches, ({ query }) => query, 'text')},
        ${column(searches, (search) => search.searches, 'int8')}
      ) as g (tenant_id, day, query, searches)
      join tenants on tenants.id = g.tenant_id
      left join analytics_empty_searches kept using (tenant_id, day, query)
    ), filled as (
      select tenant_id, day, count(*) as texts
      from analytics_empty_searches join (select distinct tenant_id, day from given) days
        using (tenant_id, day)
      where query <> '' group by tenant_id, day
    ), placed as (
      select g.*, coalesce(texts, 0) + row_number() over (
        partition by tenant_id, day, is_kept order by g.searches desc, query
      ) as place
      from given g left join filled using (tenant_id, day)
    )
    insert into analytics_empty_searches as counted (tenant_id, day, query, searches)
    select tenant_id, day,
      case when is_kept or place <= ${constants.maxEmptySearchesPerDay} then query else '' end as text,
      sum(searches)
    from placed group by tenant_id, day, text order by tenant_id, day, text
    on conflict (tenant_id, day, query) do update
      set searches = counted.searches + excluded.searches
  `);
}

const emptySearchSchema = v.object({
  query: v.string(),
  searches: v.number(),
  total: v.number(),
  texts: v.number(),
});

/**
 * Searches of the period that found nothing, the most frequent first: at most `limit`
 * texts, and before them the empty text for all that were not kept. Each row also says how many
 * searches (`total`) and how many texts there are in all.
 */
export function findEmptySearches(db: Db, tenantId: number, { from, to }: Period, limit: number) {
  return db.any(sql.type(emptySearchSchema)`
    select query, sum(searches)::int8 as searches, (sum(sum(searches)) over ())::int8 as total,
      count(*) filter (where query <> '') over () as texts
    from analytics_empty_searches
    where tenant_id = ${tenantId} and day between ${from}::date and ${to}::date
    group by query
    order by query = '' desc, sum(searches) desc, query
    limit ${limit + 1}
  `);
}

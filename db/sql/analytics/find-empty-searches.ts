import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import type { Period } from './compare-counts.ts';

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

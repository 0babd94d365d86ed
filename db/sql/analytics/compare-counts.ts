import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import type { Scope } from './roll-up.ts';
import { selectCounts } from './select-counts.ts';

/** A report's days, both ends included, and as many days before them; `YYYY-MM-DD`. */
export interface Period {
  from: string;
  to: string;
  previousFrom: string;
  previousTo: string;
}

const comparedSchema = v.object({
  key: v.string(),
  events: v.number(),
  visitors: v.number(),
  previous_events: v.number(),
});

/**
 * The counts of a scope in a period and in the one before. Visitors are those of each day
 * added up, because no visitor is recognised on another day.
 */
export type Compared = v.InferOutput<typeof comparedSchema>;

/** Adds up the roll-ups of a scope by key; keys without events in both periods are missing. */
export function compareCounts(
  db: Db,
  tenantId: number,
  scope: Scope,
  period: Period,
): Promise<readonly Compared[]> {
  return db.any(sql.type(comparedSchema)`
    select key,
      coalesce(sum(events) filter (where day >= ${period.from}::date), 0)::int8 as events,
      coalesce(sum(visitors) filter (where day >= ${period.from}::date), 0)::int8 as visitors,
      coalesce(sum(events) filter (where day < ${period.from}::date), 0)::int8 as previous_events
    from (
      ${selectCounts(tenantId, scope, period.previousFrom, period.previousTo)}
      union all
      ${selectCounts(tenantId, scope, period.from, period.to)}
    ) as cell
    group by key
  `);
}

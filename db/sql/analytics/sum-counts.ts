import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import type { Period } from './compare-counts.ts';
import type { Scope } from './roll-up.ts';
import { selectCounts } from './select-counts.ts';

const summedSchema = v.object({ key: v.string(), events: v.number(), visitors: v.number() });
export type Summed = v.InferOutput<typeof summedSchema>;

/** Adds up the roll-ups of a scope by key in the period itself; visitors as in `Compared`. */
export function sumCounts(
  db: Db,
  tenantId: number,
  scope: Scope,
  period: Period,
): Promise<readonly Summed[]> {
  return db.any(sql.type(summedSchema)`
    select key, sum(events)::int8 as events, sum(visitors)::int8 as visitors
    from (${selectCounts(tenantId, scope, period.from, period.to)}) as cell
    group by key
  `);
}

import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import type { Period } from './compare-counts.ts';

const dailyTotalSchema = v.object({ day: v.string(), events: v.number(), visitors: v.number() });
export type DailyTotal = v.InferOutput<typeof dailyTotalSchema>;

/** All events and visitors of each day of the period and of the one before, in order of the days. */
export function findDailyTotals(
  db: Db,
  tenantId: number,
  period: Period,
): Promise<readonly DailyTotal[]> {
  return db.any(sql.type(dailyTotalSchema)`
    select day, events, visitors from analytics_counts
    where tenant_id = ${tenantId} and scope = 'total'
      and day between ${period.previousFrom}::date and ${period.to}::date
    order by day
  `);
}

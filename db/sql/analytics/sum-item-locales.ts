import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { LOCALES } from '../../schema/locale.ts';
import type { Period } from './compare-counts.ts';
import { selectCounts } from './select-counts.ts';

const readersSchema = v.object({ item_id: v.number(), views: v.array(v.number()) });

/** How often the readers of each language opened a dish, in the order of `LOCALES`. */
export type Readers = v.InferOutput<typeof readersSchema>;

/** Adds up the views of dishes by their readers' language. */
export function sumItemLocales(
  db: Db,
  tenantId: number,
  period: Period,
): Promise<readonly Readers[]> {
  const sums = LOCALES.map(
    (_, index) => sql.fragment`coalesce(sum(views_by_locale[${index + 1}::int]), 0)`,
  );
  return db.any(sql.type(readersSchema)`
    select key::int as item_id, json_build_array(${sql.join(sums, ', ')}) as views
    from (${selectCounts(tenantId, 'item', period.from, period.to)}) as cell
    group by key
  `);
}

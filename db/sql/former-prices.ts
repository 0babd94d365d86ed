import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';

const formerPriceSchema = v.object({ id: v.number(), price: v.number() });

/** Versions of a day that are looked at; those before them count as another day's. */
const MAX_VERSIONS = 200;

/**
 * The prices that dishes had before their first change since a moment, by the dishes' ids.
 *
 * @param limit of dishes
 */
export async function findFormerPrices(
  db: Db,
  tenantId: number,
  since: Date,
  limit: number,
): Promise<Map<number, number>> {
  const rows = await db.any(sql.type(formerPriceSchema)`
    select distinct on (1) (c.change ->> 'id')::int as id,
      (c.change -> 'fields' -> 'price' ->> 0)::float8 as price
    from (
      select version, part, changes from versions
      where tenant_id = ${tenantId} and at >= ${since.toISOString()} and changed > 0
      order by version desc, part desc limit ${MAX_VERSIONS}
    ) v
    cross join lateral jsonb_array_elements(v.changes) as c (change)
    where c.change ->> 'resource' = 'items' and c.change ->> 'action' = 'changed'
      and jsonb_typeof(c.change -> 'fields' -> 'price' -> 0) = 'number'
    order by 1, v.version, v.part limit ${limit}
  `);
  return new Map(rows.map(({ id, price }) => [id, price]));
}

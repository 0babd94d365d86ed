import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { type DishSearch, dishConditions } from './list-dishes.ts';

/** How many dishes a search finds, without a limit. */
export function countDishes(
  db: Db,
  tenantId: number,
  search: Omit<DishSearch, 'limit'>,
): Promise<number> {
  return db.one(sql.value(v.number())`
    select count(*)::int as count from dishes r join settings s on s.tenant_id = r.tenant_id
    where ${dishConditions(tenantId, search)}
  `);
}

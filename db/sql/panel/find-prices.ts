import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { dish } from '../../schema/dish.ts';
import { translationsSchema } from '../../schema/locale.ts';
import { type DishSearch, dishesWhere } from './list-dishes.ts';

const pricedDishSchema = v.object({
  id: v.number(),
  name_translations: translationsSchema,
  price: dish.fields.price.value,
  variants: dish.fields.variants.value,
});
/** The values of a dish that a change of many dishes needs. */
export type PricedDish = v.InferOutput<typeof pricedDishSchema>;

/** The names and prices of dishes; those of a whole menu are read within some milliseconds. */
export function findPrices(
  db: Db,
  tenantId: number,
  search: DishSearch,
): Promise<readonly PricedDish[]> {
  return db.any(sql.type(pricedDishSchema)`
    select r.id, r.name as name_translations, r.price, r.variants
    from dishes r join settings s on s.tenant_id = r.tenant_id
    ${dishesWhere(tenantId, search)}
  `);
}

import * as v from 'valibot';
import { type Db, sql } from '../../postgres/connection.ts';
import { dishSchema } from '../../schema/dish.ts';
import { sectionSchema } from '../../schema/section.ts';
import { settingsSchema } from '../../schema/settings.ts';
import { themeSchema } from '../../schema/theme.ts';
import { typeSchema } from '../../schema/type.ts';
import { winerySchema } from '../../schema/winery.ts';
import * as columns from './record-columns.ts';

export const storedSectionSchema = v.omit(sectionSchema, ['name', 'items', 'types']);
export const storedTypeSchema = v.omit(typeSchema, ['name']);
export const storedWinerySchema = v.omit(winerySchema, ['description']);
export const storedDishSchema = v.omit(dishSchema, ['name', 'description', 'winery']);

/**
 * A tenant's menu as it is stored: in every language, records side by side instead of nested,
 * without what is deleted and with what is inactive. Lists come in display order. A dish whose type
 * or winery is deleted has none, until it is restored.
 */
const storedMenuSchema = v.object({
  version: v.number(),
  settings: settingsSchema,
  theme: themeSchema,
  sections: v.array(storedSectionSchema),
  types: v.array(storedTypeSchema),
  wineries: v.array(storedWinerySchema),
  dishes: v.array(storedDishSchema),
});
export type StoredMenu = v.InferOutput<typeof storedMenuSchema>;
export type StoredSection = v.InferOutput<typeof storedSectionSchema>;
export type StoredType = v.InferOutput<typeof storedTypeSchema>;
export type StoredWinery = v.InferOutput<typeof storedWinerySchema>;
export type StoredDish = v.InferOutput<typeof storedDishSchema>;

/** Reads everything that a tenant's snapshots are made of, in one statement. */
export function loadMenu(db: Db, tenantId: number): Promise<StoredMenu> {
  const ofTenant = sql.fragment`r.tenant_id = t.id`;
  const present = sql.fragment`${ofTenant} and r.deleted_at is null`;
  return db.one(sql.type(storedMenuSchema)`
    select
      t.version,
      (
        select row_to_json(x) from (select ${columns.settings} from settings r where ${ofTenant}) x
      ) as settings,
      (
        select row_to_json(x) from (select ${columns.theme} from themes r where ${ofTenant}) x
      ) as theme,
      (
        select coalesce(json_agg(x order by x.display_order, x.id), '[]')
        from (select ${columns.section} from sections r where ${present}) x
      ) as sections,
      (
        select coalesce(json_agg(x order by x.display_order, x.id), '[]')
        from (select ${columns.type} from types r where ${present}) x
      ) as types,
      (
        select coalesce(json_agg(x order by x.id), '[]')
        from (select ${columns.winery} from wineries r where ${present}) x
      ) as wineries,
      (
        select coalesce(json_agg(x order by x.display_order, x.id), '[]')
        from (select ${columns.dish} from dishes r ${columns.dishTies} where ${present}) x
      ) as dishes
    from tenants t where t.id = ${tenantId}
  `);
}

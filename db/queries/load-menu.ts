import * as v from 'valibot';
import { type Db, sql } from '../connection.ts';
import { dishSchema } from '../records/dish.ts';
import { sectionSchema } from '../records/section.ts';
import { settingsSchema } from '../records/settings.ts';
import { themeSchema } from '../records/theme.ts';
import { typeSchema } from '../records/type.ts';
import { winerySchema } from '../records/winery.ts';

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
  return db.one(sql.type(storedMenuSchema)`
    select
      t.version,
      (
        select row_to_json(x) from (
          select t.id, s.name, t.slug, s.logo_url, s.cover_image_url, s.cover_charge_text,
            s.allergen_info, s.review_url, s.recommended_label, s.business_name, s.vat_number,
            s.address, s.phone, s.email, s.default_locale, s.supported_locales, s.is_active
        ) x
      ) as settings,
      (
        select row_to_json(x) from (
          select t.id, h.primary_color, h.secondary_color, h.accent_color, h.background_color,
            h.text_color, h.font_family, h.font_url, h.border_radius, h.layout_variant,
            h.header_style, h.footer_text
        ) x
      ) as theme,
      (
        select coalesce(json_agg(x order by x.display_order, x.id), '[]') from (
          select id, parent_id, menu_type, name as name_translations, notes, display_order,
            is_active, show_subcategories, time_visibility_enabled, time_start, time_end
          from sections where tenant_id = t.id and deleted_at is null
        ) x
      ) as sections,
      (
        select coalesce(json_agg(x order by x.display_order, x.id), '[]') from (
          select id, category_id, name as name_translations, display_order, is_active
          from types where tenant_id = t.id and deleted_at is null
        ) x
      ) as types,
      (
        select coalesce(json_agg(x order by x.id), '[]') from (
          select id, name, region, country, website, description as description_translations
          from wineries where tenant_id = t.id and deleted_at is null
        ) x
      ) as wineries,
      (
        select coalesce(json_agg(x order by x.display_order, x.id), '[]') from (
          select d.id, d.category_id, y.id as type_id, w.id as winery_id,
            d.name as name_translations, d.description as description_translations, d.price,
            d.allergens, d.is_active, d.is_recommended, d.display_order
          from dishes d
          left join types y
            on y.tenant_id = t.id and y.id = d.type_id and y.category_id = d.category_id
            and y.deleted_at is null
          left join wineries w
            on w.tenant_id = t.id and w.id = d.winery_id and w.deleted_at is null
          where d.tenant_id = t.id and d.deleted_at is null
        ) x
      ) as dishes
    from tenants t
    join settings s on s.tenant_id = t.id
    join themes h on h.tenant_id = t.id
    where t.id = ${tenantId}
  `);
}

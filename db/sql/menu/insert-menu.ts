import { type Db, sql } from '../../postgres/connection.ts';
import type { StoredDish, StoredSection, StoredType, StoredWinery } from './load-menu.ts';

/** All records of a menu, ids chosen by the caller (`reserveIds`). */
export interface NewMenu {
  sections: StoredSection[];
  types: StoredType[];
  wineries: StoredWinery[];
  dishes: StoredDish[];
}

/** Inserts the records of a new tenant, in one statement. */
export async function insertMenu(db: Db, tenantId: number, menu: NewMenu): Promise<void> {
  const { sections, types, wineries, dishes } = menu;
  await db.run(sql.typeAlias('nothing')`
    with new_sections as (
      insert into sections (tenant_id, id, parent_id, menu_type, name, notes, display_order,
        is_active, show_subcategories, time_visibility_enabled, time_start, time_end)
      select ${tenantId}, id, parent_id, menu_type, name_translations, notes, display_order,
        is_active, show_subcategories, time_visibility_enabled, time_start, time_end
      from jsonb_to_recordset(${sql.jsonb(sections)}) as n (id int, parent_id int, menu_type text,
        name_translations jsonb, notes text, display_order int, is_active boolean,
        show_subcategories boolean, time_visibility_enabled boolean, time_start text,
        time_end text)
    ), new_types as (
      insert into types (tenant_id, id, category_id, name, display_order, is_active)
      select ${tenantId}, id, category_id, name_translations, display_order, is_active
      from jsonb_to_recordset(${sql.jsonb(types)}) as n (id int, category_id int,
        name_translations jsonb, display_order int, is_active boolean)
    ), new_wineries as (
      insert into wineries (tenant_id, id, name, region, country, website, description)
      select ${tenantId}, id, name, region, country, website, description_translations
      from jsonb_to_recordset(${sql.jsonb(wineries)}) as n (id int, name text, region text,
        country text, website text, description_translations jsonb)
    )
    insert into dishes (tenant_id, id, category_id, type_id, winery_id, name, description, price,
      allergens, is_active, is_recommended, display_order)
    select ${tenantId}, id, category_id, type_id, winery_id, name_translations,
      description_translations, price, allergens, is_active, is_recommended, display_order
    from jsonb_to_recordset(${sql.jsonb(dishes)}) as n (id int, category_id int, type_id int,
      winery_id int, name_translations jsonb, description_translations jsonb, price numeric,
      allergens text[], is_active boolean, is_recommended boolean, display_order int)
  `);
}

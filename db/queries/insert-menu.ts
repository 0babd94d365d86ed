import { type Db, sql } from '../connection.ts';
import type { Settings } from '../records/settings.ts';
import type { Theme } from '../records/theme.ts';
import type { StoredDish, StoredSection, StoredType, StoredWinery } from './load-menu.ts';

/** A whole menu, ids chosen by the caller (`reserveIds`). */
export interface NewMenu {
  settings: Omit<Settings, 'id' | 'slug'>;
  theme: Omit<Theme, 'id'>;
  sections: StoredSection[];
  types: StoredType[];
  wineries: StoredWinery[];
  dishes: StoredDish[];
}

/** Sets a new tenant's settings and theme and inserts its records, in one statement. */
export async function insertMenu(db: Db, tenantId: number, menu: NewMenu): Promise<void> {
  const { settings, theme, sections, types, wineries, dishes } = menu;
  await db.run(sql.typeAlias('nothing')`
    with new_settings as (
      update settings s set
        name = n.name, logo_url = n.logo_url, cover_image_url = n.cover_image_url,
        cover_charge_text = n.cover_charge_text, allergen_info = n.allergen_info,
        review_url = n.review_url, recommended_label = n.recommended_label,
        business_name = n.business_name, vat_number = n.vat_number, address = n.address,
        phone = n.phone, email = n.email, default_locale = n.default_locale,
        supported_locales = n.supported_locales, is_active = n.is_active
      from jsonb_populate_record(null::settings, ${sql.jsonb(settings)}) n
      where s.tenant_id = ${tenantId}
    ), new_theme as (
      update themes t set
        primary_color = n.primary_color, secondary_color = n.secondary_color,
        accent_color = n.accent_color, background_color = n.background_color,
        text_color = n.text_color, font_family = n.font_family, font_url = n.font_url,
        border_radius = n.border_radius, layout_variant = n.layout_variant,
        header_style = n.header_style, footer_text = n.footer_text
      from jsonb_populate_record(null::themes, ${sql.jsonb(theme)}) n
      where t.tenant_id = ${tenantId}
    ), new_sections as (
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

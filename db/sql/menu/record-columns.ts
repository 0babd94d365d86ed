import { sql } from '../../postgres/connection.ts';

// The columns of records in the form that menus are stored in; the record itself is `r`.

export const section = sql.fragment`
  r.id, r.parent_id, r.menu_type, r.name as name_translations, r.notes, r.display_order, r.is_active,
  r.show_subcategories, r.time_visibility_enabled, r.time_start, r.time_end
`;

export const type = sql.fragment`
  r.id, r.category_id, r.name as name_translations, r.display_order, r.is_active
`;

export const winery = sql.fragment`
  r.id, r.name, r.region, r.country, r.website, r.description as description_translations
`;

/** They need `dishTies`. */
export const dish = sql.fragment`
  r.id, r.category_id, y.id as type_id, w.id as winery_id, r.name as name_translations,
  r.description as description_translations, r.price, r.allergens, r.is_active, r.is_recommended,
  r.display_order
`;

/** A dish has no type of another section, and neither type nor winery while they are deleted. */
export const dishTies = sql.fragment`
  left join types y
    on y.tenant_id = r.tenant_id and y.id = r.type_id and y.category_id = r.category_id
    and y.deleted_at is null
  left join wineries w
    on w.tenant_id = r.tenant_id and w.id = r.winery_id and w.deleted_at is null
`;

/** They need the tenant as `t`. */
export const settings = sql.fragment`
  r.tenant_id as id, r.name, t.slug, r.logo_url, r.cover_image_url, r.cover_charge_text,
  r.allergen_info, r.review_url, r.recommended_label, r.business_name, r.vat_number, r.address,
  r.phone, r.email, r.default_locale, r.supported_locales, r.is_active
`;

export const theme = sql.fragment`
  r.tenant_id as id, r.primary_color, r.secondary_color, r.accent_color, r.background_color,
  r.text_color, r.font_family, r.font_url, r.border_radius, r.layout_variant, r.header_style,
  r.footer_text
`;

import type { FragmentSqlToken, IdentifierSqlToken } from 'slonik';
import * as v from 'valibot';
import { sql } from '../connection.ts';
import { localeSchema } from '../records/locale.ts';
import type { Resource } from '../records/resource.ts';
import { settingsSchema } from '../records/settings.ts';
import { themeSchema } from '../records/theme.ts';
import {
  storedDishSchema,
  storedSectionSchema,
  storedTypeSchema,
  storedWinerySchema,
} from './load-menu.ts';

// Each resource's records in the form that menus are stored in, with what only admins see.

const stamps = {
  created_at: v.date(),
  updated_at: v.date(),
  deleted_at: v.nullable(v.date()),
  /** The write that deleted the record. */
  deletion: v.nullable(v.string()),
  default_locale: localeSchema,
};
const stampColumns = sql.fragment`
  r.created_at, r.updated_at, r.deleted_at, r.deletion, s.default_locale
`;

export const sectionRowSchema = v.object({ ...storedSectionSchema.entries, ...stamps });
export const typeRowSchema = v.object({ ...storedTypeSchema.entries, ...stamps });
export const wineryRowSchema = v.object({ ...storedWinerySchema.entries, ...stamps });
export const dishRowSchema = v.object({
  ...storedDishSchema.entries,
  winery: v.nullable(storedWinerySchema),
  ...stamps,
});
export const settingsRowSchema = v.object({
  ...settingsSchema.entries,
  timezone: v.string(),
  updated_at: v.date(),
});
export const themeRowSchema = v.object({ ...themeSchema.entries, updated_at: v.date() });

const sectionSource = (records: FragmentSqlToken) => sql.fragment`
  select r.id, r.parent_id, r.menu_type, r.name as name_translations, r.notes, r.display_order,
    r.is_active, r.show_subcategories, r.time_visibility_enabled, r.time_start, r.time_end,
    ${stampColumns}
  from ${records} r join settings s on s.tenant_id = r.tenant_id
`;

const typeSource = (records: FragmentSqlToken) => sql.fragment`
  select r.id, r.category_id, r.name as name_translations, r.display_order, r.is_active,
    ${stampColumns}
  from ${records} r join settings s on s.tenant_id = r.tenant_id
`;

const winerySource = (records: FragmentSqlToken) => sql.fragment`
  select r.id, r.name, r.region, r.country, r.website, r.description as description_translations,
    ${stampColumns}
  from ${records} r join settings s on s.tenant_id = r.tenant_id
`;

const dishSource = (records: FragmentSqlToken) => sql.fragment`
  select r.id, r.category_id, y.id as type_id, w.id as winery_id, r.name as name_translations,
    r.description as description_translations, r.price, r.allergens, r.is_active,
    r.is_recommended, r.display_order,
    case when w.id is not null then jsonb_build_object('id', w.id, 'name', w.name, 'region',
      w.region, 'country', w.country, 'website', w.website, 'description_translations',
      w.description) end as winery,
    ${stampColumns}
  from ${records} r
  join settings s on s.tenant_id = r.tenant_id
  left join types y
    on y.tenant_id = r.tenant_id and y.id = r.type_id and y.category_id = r.category_id
    and y.deleted_at is null
  left join wineries w
    on w.tenant_id = r.tenant_id and w.id = r.winery_id and w.deleted_at is null
`;

const settingsSource = (records: FragmentSqlToken) => sql.fragment`
  select r.tenant_id as id, r.name, t.slug, r.logo_url, r.cover_image_url, r.cover_charge_text,
    r.allergen_info, r.review_url, r.recommended_label, r.business_name, r.vat_number, r.address,
    r.phone, r.email, r.default_locale, r.supported_locales, r.is_active, r.timezone, r.updated_at
  from ${records} r join tenants t on t.id = r.tenant_id
`;

const themeSource = (records: FragmentSqlToken) => sql.fragment`
  select r.tenant_id as id, r.primary_color, r.secondary_color, r.accent_color,
    r.background_color, r.text_color, r.font_family, r.font_url, r.border_radius,
    r.layout_variant, r.header_style, r.footer_text, r.updated_at
  from ${records} r
`;

/** The table that holds a resource's records. */
const tables: Record<Resource, string> = {
  categories: 'sections',
  items: 'dishes',
  types: 'types',
  wineries: 'wineries',
  settings: 'settings',
  theme: 'themes',
};

export function tableOf(resource: Resource): IdentifierSqlToken {
  return sql.identifier([tables[resource]]);
}

const sources: Record<Resource, (records: FragmentSqlToken) => FragmentSqlToken> = {
  categories: sectionSource,
  items: dishSource,
  types: typeSource,
  wineries: winerySource,
  settings: settingsSource,
  theme: themeSource,
};

/**
 * Selects a resource's records in the columns of its row schema; the record itself is `r`.
 *
 * @param records what to select from: the table, or the rows that a statement has just written
 */
export function selectRecords(
  resource: Resource,
  records: FragmentSqlToken = sql.fragment`${tableOf(resource)}`,
): FragmentSqlToken {
  return sources[resource](records);
}

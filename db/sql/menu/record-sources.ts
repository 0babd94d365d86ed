import type { FragmentSqlToken, IdentifierSqlToken } from 'slonik';
import * as v from 'valibot';
import { sql } from '../../postgres/connection.ts';
import { localeSchema } from '../../schema/locale.ts';
import type { Resource } from '../../schema/resource.ts';
import { settingsSchema } from '../../schema/settings.ts';
import { themeSchema } from '../../schema/theme.ts';
import {
  storedDishSchema,
  storedSectionSchema,
  storedTypeSchema,
  storedWinerySchema,
} from './load-menu.ts';
import * as columns from './record-columns.ts';

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

const withStamps = (own: FragmentSqlToken) => (records: FragmentSqlToken) =>
  sql.fragment`
  select ${own}, ${stampColumns}
  from ${records} r join settings s on s.tenant_id = r.tenant_id
`;

const dishSource = (records: FragmentSqlToken) => sql.fragment`
  select ${columns.dish},
    case when w.id is not null then jsonb_build_object('id', w.id, 'name', w.name, 'region',
      w.region, 'country', w.country, 'website', w.website, 'description_translations',
      w.description) end as winery,
    ${stampColumns}
  from ${records} r join settings s on s.tenant_id = r.tenant_id ${columns.dishTies}
`;

const settingsSource = (records: FragmentSqlToken) => sql.fragment`
  select ${columns.settings}, r.timezone, r.updated_at
  from ${records} r join tenants t on t.id = r.tenant_id
`;

const themeSource = (records: FragmentSqlToken) => sql.fragment`
  select ${columns.theme}, r.updated_at from ${records} r
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
  categories: withStamps(columns.section),
  items: dishSource,
  types: withStamps(columns.type),
  wineries: withStamps(columns.winery),
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

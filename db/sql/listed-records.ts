import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { certain } from '../runtime/certain.ts';
import { dish } from '../schema/dish.ts';
import { MENU_COLLECTIONS, records, referencesTo } from '../schema/registry.ts';
import { section } from '../schema/section.ts';
import { translationsSchema } from '../schema/values/locale.ts';
import { restorableSince } from './deletions.ts';
import { shownMoment, tableOf } from './record-columns.ts';

const listedSectionSchema = v.object({
  id: v.number(),
  external_id: v.nullable(v.string()),
  parent_id: v.nullable(v.number()),
  menu_type: section.fields.menu_type.value,
  name_translations: translationsSchema,
  is_active: v.boolean(),
  visible_from: v.nullable(v.string()),
  visible_until: v.nullable(v.string()),
  date_start: v.nullable(v.string()),
  date_end: v.nullable(v.string()),
  dishes: v.number(),
});
export type ListedSection = v.InferOutput<typeof listedSectionSchema>;

/** The restaurant's sections with their numbers of dishes, hidden ones too, siblings in their order. */
export function listSections(db: Db, tenantId: number): Promise<readonly ListedSection[]> {
  return db.any(sql.type(listedSectionSchema)`
    select r.id, r.external_id, r.parent_id, r.menu_type, r.name as name_translations, r.is_active,
      ${shownMoment('visible_from')}, ${shownMoment('visible_until')},
      r.date_start::text as date_start, r.date_end::text as date_end,
      coalesce(d.count, 0) as dishes
    from sections r
    left join (
      select category_id, count(*)::int as count from dishes
      where tenant_id = ${tenantId} and deleted_at is null group by category_id
    ) d on d.category_id = r.id
    where r.tenant_id = ${tenantId} and r.deleted_at is null
    order by r.display_order, r.id
  `);
}

/** Collections of records that dishes name. */
export type NamedCollection = 'types' | 'wineries' | 'modifier_groups';

const namedSchema = v.object({
  id: v.number(),
  name: v.union([v.string(), translationsSchema]),
  /** The section of a type; null for wineries. */
  category_id: v.nullable(v.number()),
  is_active: v.boolean(),
  /** How many dishes name it. */
  dishes: v.number(),
});
export type NamedRecord = v.InferOutput<typeof namedSchema>;

const NONE = sql.fragment`null::int as category_id, true as is_active`;
const OWN = sql.fragment`r.category_id, r.is_active`;

/** The records of a collection with their numbers of dishes: types in their order, others by name. */
export function listNamed(db: Db, collection: NamedCollection, tenantId: number) {
  const record = records[collection];
  const ofDishes = referencesTo(record).find(({ from }) => from.resource === dish.resource);
  const reference = certain(ofDishes, `dishes name no ${collection}`);
  const field = sql.identifier(['d', reference.field]);
  const isNamed = reference.isSingle
    ? sql.fragment`${field} = r.id`
    : sql.fragment`r.id = any (${field})`;
  const isType = collection === 'types';
  return db.any(sql.type(namedSchema)`
    select r.id, to_jsonb(r.name) as name, ${isType ? OWN : NONE},
      (
        select count(*)::int from dishes d
        where d.tenant_id = r.tenant_id and ${isNamed} and d.deleted_at is null
      ) as dishes
    from ${tableOf(record)} r
    where r.tenant_id = ${tenantId} and r.deleted_at is null
    order by ${isType ? sql.fragment`r.display_order` : sql.fragment`lower(to_jsonb(r.name)::text)`}, r.id
  `);
}

const plainDishSchema = v.object({
  id: v.number(),
  name: translationsSchema,
  section: translationsSchema,
});

/** The dishes that are no set menus, with their sections, by their names; no more than `limit`. */
export function listPlainDishes(db: Db, tenantId: number, limit: number) {
  return db.any(sql.type(plainDishSchema)`
    select d.id, d.name, s.name as section from dishes d
    join sections s on s.tenant_id = d.tenant_id and s.id = d.category_id
    where d.tenant_id = ${tenantId} and d.deleted_at is null and d.courses = '[]'
    order by lower(d.name::text), d.id limit ${limit}
  `);
}

const nameSchema = v.object({ id: v.number(), name: translationsSchema });

/**
 * The names of dishes, or what photos show, deleted ones included; one that was purged is missing.
 */
export function findNames(
  db: Db,
  resource: 'items' | 'photos',
  tenantId: number,
  ids: readonly number[],
) {
  const name = sql.identifier([resource === 'items' ? 'name' : 'alt']);
  return db.any(sql.type(nameSchema)`
    select id, ${name} as name from ${tableOf(records[resource])}
    where tenant_id = ${tenantId} and id = any (${sql.array(ids, 'int4')})
  `);
}

/** Collections whose records people put in order. */
export type Ordered = 'categories' | 'items' | 'types';

const siblingSchema = v.object({
  id: v.number(),
  name_translations: translationsSchema,
  display_order: v.number(),
});

/** A record and those beside it, hidden ones too, in their order; none when it is not there. */
export function listSiblings(db: Db, resource: Ordered, tenantId: number, id: number) {
  const table = tableOf(records[resource]);
  const parent = sql.identifier([resource === 'categories' ? 'parent_id' : 'category_id']);
  // Sections of wines come after all others.
  const alike =
    resource === 'categories' ? sql.fragment`and r.menu_type = own.menu_type` : sql.fragment``;
  return db.any(sql.type(siblingSchema)`
    select r.id, r.name as name_translations, r.display_order
    from ${table} own
    join ${table} r on r.tenant_id = own.tenant_id and r.deleted_at is null
      and r.${parent} is not distinct from own.${parent} ${alike}
    where own.tenant_id = ${tenantId} and own.id = ${id} and own.deleted_at is null
    order by r.display_order, r.id
  `);
}

const deletedSchema = v.object({
  resource: v.picklist(MENU_COLLECTIONS),
  id: v.number(),
  name: v.union([v.string(), translationsSchema]),
  deleted_at: v.date(),
});
export type ListedDeletion = v.InferOutput<typeof deletedSchema>;

/** Deleted records that can be restored, the last first, without those that a section took along. */
export function listDeleted(db: Db, tenantId: number, limit: number) {
  const parts = MENU_COLLECTIONS.map((collection) => {
    const record = records[collection];
    const parent = record.parent && sql.identifier(['r', record.parent]);
    const isTakenAlong = parent
      ? sql.fragment`
          and not exists (
            select from sections p
            where p.tenant_id = r.tenant_id and p.id = ${parent} and p.deletion = r.deletion
          )
        `
      : sql.fragment``;
    return sql.fragment`
      select ${collection}::text as resource, r.id,
        to_jsonb(r.${sql.identifier([record.isUploaded ? 'alt' : 'name'])}) as name, r.deleted_at
      from ${tableOf(record)} r
      where r.tenant_id = ${tenantId} and r.deleted_at >= ${restorableSince} ${isTakenAlong}
    `;
  });
  return db.any(sql.type(deletedSchema)`
    ${sql.join(parts, ' union all ')}
    order by deleted_at desc, id desc limit ${limit}
  `);
}

const openingTimeSchema = v.object({
  time_start: v.string(),
  /** From 1, Monday, to 7; null for all. */
  weekdays: v.nullable(v.array(v.number())),
});
export type OpeningTime = v.InferOutput<typeof openingTimeSchema>;

/** The times from which sections are served that are shown by the hour. */
export function listOpeningTimes(db: Db, tenantId: number): Promise<readonly OpeningTime[]> {
  return db.any(sql.type(openingTimeSchema)`
    select w.time_start, w.weekdays from sections s
    cross join lateral (
      select s.time_start, s.weekdays
      union all
      select h.time_start, h.weekdays
      from jsonb_to_recordset(s.hours) h (time_start text, weekdays integer[])
    ) w
    where s.tenant_id = ${tenantId} and s.deleted_at is null and s.is_active
      and s.time_visibility_enabled and w.time_start is not null
  `);
}

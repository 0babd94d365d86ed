import * as v from 'valibot';
import { type Db, type Fragment, sql } from '../postgres/sql.ts';
import { dish } from '../schema/dish.ts';
import { modifierGroup } from '../schema/modifier-group.ts';
import { translationsSchema } from '../schema/values/locale.ts';
import { adminSchemas, selectRecords } from './admin-records.ts';
import { manyRows } from './portions.ts';
import { shownMoment } from './record-columns.ts';

/** Which dishes are listed; all that is given must hold. */
export interface DishSearch {
  sectionId?: number;
  ids?: readonly number[];
  /** Part of a name in any language, whatever its case. */
  text?: string;
  state?: DishState;
  label?: string;
  limit: number;
}

export const DISH_STATES = ['hidden', 'sold-out', 'undeclared', 'untranslated'] as const;
export type DishState = (typeof DISH_STATES)[number];

/** Of a dish `r` of a restaurant with the settings `s`: whether it is in a state. */
const IS_IN_STATE = {
  hidden: sql.fragment`not r.is_active`,
  'sold-out': sql.fragment`r.is_sold_out`,
  undeclared: sql.fragment`not r.allergens_declared`,
  // It lacks its name in a language of the menu, or a description that it has in another one.
  untranslated: sql.fragment`exists (
    select from unnest(s.supported_locales) l
    where coalesce(r.name ->> l, '') = ''
      or (r.description <> '{}' and coalesce(r.description ->> l, '') = '')
  )`,
} satisfies Record<DishState, Fragment>;

/** For `like`, in which some signs have a meaning. */
export function literally(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** The conditions on a dish `r` of a restaurant with the settings `s`. */
function dishConditions(
  tenantId: number,
  { sectionId, ids, text, state, label }: Omit<DishSearch, 'limit'>,
): Fragment {
  const wanted = sql.and(
    sectionId !== undefined && sql.fragment`r.category_id = ${sectionId}`,
    ids !== undefined && sql.fragment`r.id = any (${sql.array(ids, 'int4')})`,
    text !== undefined &&
      sql.fragment`exists (
        select from jsonb_each_text(r.name) t where t.value ilike ${`%${literally(text)}%`}
      )`,
    state !== undefined && IS_IN_STATE[state],
    label !== undefined && sql.fragment`r.labels ? ${label}`,
  );
  return sql.fragment`r.tenant_id = ${tenantId} and r.deleted_at is null ${wanted}`;
}

/** The dishes of a search in the order of their sections. */
function dishesWhere(tenantId: number, search: DishSearch): Fragment {
  return sql.fragment`
    where ${dishConditions(tenantId, search)}
    order by r.category_id, r.display_order, r.id limit ${search.limit}
  `;
}

/** Dishes as admins see them, in the order of their section, hidden ones too. */
export function listDishes(db: Db, tenantId: number, search: DishSearch) {
  return db.any(sql.type(adminSchemas.items)`
    ${selectRecords('items')} ${dishesWhere(tenantId, search)}
  `);
}

const { fields } = dish;
const listedDishSchema = v.object({
  id: v.number(),
  external_id: fields.external_id.value,
  name_translations: translationsSchema,
  price: fields.price.value,
  price_on_request: v.boolean(),
  variants: fields.variants.value,
  is_active: v.boolean(),
  is_sold_out: v.boolean(),
  sold_out_until: fields.sold_out_until.value,
  allergens_declared: v.boolean(),
  visible_from: fields.visible_from.value,
  visible_until: fields.visible_until.value,
});
/** A dish as lists of the panel show it. */
export type ListedDish = v.InferOutput<typeof listedDishSchema>;

/** The same dishes with what a list shows of each. */
export function listShownDishes(db: Db, tenantId: number, search: DishSearch) {
  const query = sql.fragment`
    select r.id, r.external_id, r.name as name_translations, r.price, r.price_on_request, r.variants,
      r.is_active, r.is_sold_out, r.allergens_declared,
      ${shownMoment('sold_out_until')}, ${shownMoment('visible_from')},
      ${shownMoment('visible_until')}
    from dishes r join settings s on s.tenant_id = r.tenant_id
    ${dishesWhere(tenantId, search)}
  `;
  return manyRows(db, listedDishSchema, query);
}

/** How many dishes a search finds, without a limit. */
export function countDishes(db: Db, tenantId: number, search: Omit<DishSearch, 'limit'>) {
  return db.one(sql.value(v.number())`
    select count(*)::int as count from dishes r join settings s on s.tenant_id = r.tenant_id
    where ${dishConditions(tenantId, search)}
  `);
}

const pricedDishSchema = v.object({
  id: v.number(),
  name_translations: translationsSchema,
  price: dish.fields.price.value,
  price_on_request: v.boolean(),
  variants: dish.fields.variants.value,
  offers: dish.fields.offers.value,
});
/** The values of a dish that a change of many dishes needs. */
export type PricedDish = v.InferOutput<typeof pricedDishSchema>;

/** The names and prices of dishes. */
export function findPrices(db: Db, tenantId: number, search: DishSearch) {
  const query = sql.fragment`
    select r.id, r.name as name_translations, r.price, r.price_on_request, r.variants, r.offers
    from dishes r join settings s on s.tenant_id = r.tenant_id
    ${dishesWhere(tenantId, search)}
  `;
  return manyRows(db, pricedDishSchema, query);
}

const menuCountsSchema = v.object({
  sections: v.number(),
  dishes: v.number(),
  hidden: v.number(),
  sold_out: v.number(),
  undeclared: v.number(),
  untranslated: v.number(),
});
export type MenuCounts = v.InferOutput<typeof menuCountsSchema>;

/** The number of records on a menu, and of those that still need work. */
export function countMenu(db: Db, tenantId: number) {
  return db.one(sql.type(menuCountsSchema)`
    select
      (
        select count(*)::int from sections x where x.tenant_id = t.id and x.deleted_at is null
      ) as sections,
      d.*
    from tenants t join settings s on s.tenant_id = t.id
    cross join lateral (
      select count(*)::int as dishes,
        count(*) filter (where ${IS_IN_STATE.hidden})::int as hidden,
        count(*) filter (where ${IS_IN_STATE['sold-out']})::int as sold_out,
        count(*) filter (where ${IS_IN_STATE.undeclared})::int as undeclared,
        count(*) filter (where ${IS_IN_STATE.untranslated})::int as untranslated
      from dishes r where r.tenant_id = t.id and r.deleted_at is null
    ) d
    where t.id = ${tenantId}
  `);
}

const servedDishSchema = v.object({
  id: v.number(),
  name: translationsSchema,
  section_id: v.number(),
  section_name: translationsSchema,
  is_sold_out: v.boolean(),
  /** Null for a dish that is not sold out, and for one that is so until somebody changes it. */
  sold_out_until: v.nullable(v.date()),
  sold_out_note: translationsSchema,
  variants: dish.fields.variants.value,
  modifier_group_ids: dish.fields.modifier_group_ids.value,
});
/** A dish as somebody who serves sees it. */
export type ServedDish = v.InferOutput<typeof servedDishSchema>;

/** The dishes that guests see, or would see, in the order of the menu. */
export function listServedDishes(db: Db, tenantId: number, limit: number) {
  return db.any(sql.type(servedDishSchema)`
    select r.id, r.name, r.category_id as section_id, c.name as section_name, r.is_sold_out,
      nullif(r.sold_out_until, 'infinity') as sold_out_until, r.sold_out_note,
      r.variants, r.modifier_group_ids
    from dishes r
    join sections c on c.tenant_id = r.tenant_id and c.id = r.category_id
    where r.tenant_id = ${tenantId} and r.deleted_at is null and r.is_active
      and c.deleted_at is null and c.is_active
    order by c.menu_type = 'wine', c.display_order, c.id, r.display_order, r.id limit ${limit}
  `);
}

const servedGroupSchema = v.object({
  id: v.number(),
  name: translationsSchema,
  options: modifierGroup.fields.options.value,
});
/** A group of options as somebody who serves sees it. */
export type ServedGroup = v.InferOutput<typeof servedGroupSchema>;

/** The groups of options that guests see with dishes, in the order in which they were made. */
export function listServedGroups(db: Db, tenantId: number) {
  return db.any(sql.type(servedGroupSchema)`
    select g.id, g.name, g.options from modifier_groups g
    where g.tenant_id = ${tenantId} and g.deleted_at is null and exists (
      select from dishes r
      where r.tenant_id = ${tenantId} and r.deleted_at is null and r.is_active
        and g.id = any (r.modifier_group_ids)
    )
    order by g.id
  `);
}

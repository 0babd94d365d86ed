import { type Db, type Fragment, sql } from '../../postgres/sql.ts';
import { type AdminRecord, adminSchemas, selectRecords } from '../admin-records.ts';

/** Which dishes are listed; all that is given must hold. */
export interface DishSearch {
  sectionId?: number;
  ids?: readonly number[];
  /** Part of a name in any language, whatever its case. */
  text?: string;
  state?: DishState;
  limit: number;
}

export const DISH_STATES = ['hidden', 'sold-out', 'undeclared', 'untranslated'] as const;
export type DishState = (typeof DISH_STATES)[number];

/** Of a dish `r` of a restaurant with the settings `s`: whether it is in a state. */
export const IS_IN_STATE = {
  hidden: sql.fragment`not r.is_active`,
  'sold-out': sql.fragment`r.is_sold_out`,
  undeclared: sql.fragment`not r.allergens_declared`,
  // It lacks its name in a language of the menu, or a description that it has in another one.
  untranslated: sql.fragment`exists (
    select from unnest(s.supported_locales) l
    where coalesce(r.name ->> l, '') = ''
      or (r.description <> '{}' and coalesce(r.description ->> l, '') = '')
  )`,
} satisfies Record<DishState, unknown>;

/** For `like`, in which some signs have a meaning. */
function literally(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** The conditions on a dish `r` of a restaurant with the settings `s`. */
export function dishConditions(
  tenantId: number,
  { sectionId, ids, text, state }: Omit<DishSearch, 'limit'>,
): Fragment {
  const conditions = [
    sql.fragment`r.tenant_id = ${tenantId} and r.deleted_at is null`,
    ...(sectionId === undefined ? [] : [sql.fragment`r.category_id = ${sectionId}`]),
    ...(ids === undefined ? [] : [sql.fragment`r.id = any (${sql.array(ids, 'int4')})`]),
    ...(text === undefined
      ? []
      : [
          sql.fragment`exists (
            select from jsonb_each_text(r.name) t where t.value ilike ${`%${literally(text)}%`}
          )`,
        ]),
    ...(state === undefined ? [] : [IS_IN_STATE[state]]),
  ];
  return sql.join(conditions, ' and ');
}

/** The dishes of a search in the order of their sections. */
export function dishesWhere(tenantId: number, search: DishSearch): Fragment {
  return sql.fragment`
    where ${dishConditions(tenantId, search)}
    order by r.category_id, r.display_order, r.id limit ${search.limit}
  `;
}

/** Dishes as admins see them, in the order of their section, hidden ones too. */
export function listDishes(
  db: Db,
  tenantId: number,
  search: DishSearch,
): Promise<readonly AdminRecord[]> {
  return db.any(sql.type(adminSchemas.items)`
    ${selectRecords('items')} ${dishesWhere(tenantId, search)}
  `);
}

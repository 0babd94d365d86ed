import { type Db, sql } from '../../postgres/connection.ts';
import { type AdminRecord, selectRecords, viewers } from '../menu/admin-record.ts';

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

const CONDITIONS = {
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

/** Dishes as admins see them, in the order of their section, hidden ones too. */
export async function listDishes(
  db: Db,
  tenantId: number,
  { sectionId, ids, text, state, limit }: DishSearch,
): Promise<AdminRecord[]> {
  const { schema, view } = viewers.items;
  const conditions = [
    sectionId === undefined ? sql.fragment`true` : sql.fragment`r.category_id = ${sectionId}`,
    ids === undefined
      ? sql.fragment`true`
      : sql.fragment`r.id = any (${sql.array([...ids], 'int4')})`,
    text === undefined
      ? sql.fragment`true`
      : sql.fragment`exists (
          select from jsonb_each_text(r.name) t where t.value ilike ${`%${literally(text)}%`}
        )`,
    state === undefined ? sql.fragment`true` : CONDITIONS[state],
  ];
  const rows = await db.any(sql.type(schema)`
    ${selectRecords('items')}
    where r.tenant_id = ${tenantId} and r.deleted_at is null
      and ${sql.join(conditions, sql.fragment` and `)}
    order by r.category_id, r.display_order, r.id limit ${limit}
  `);
  return rows.map(view);
}

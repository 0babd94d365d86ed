import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { translationsSchema } from '../../schema/locale.ts';
import { records } from '../../schema/registry.ts';
import { tableOf } from '../record-columns.ts';

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

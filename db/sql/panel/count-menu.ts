import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { IS_IN_STATE } from './list-dishes.ts';

const menuCountsSchema = v.object({
  sections: v.number(),
  dishes: v.number(),
  hidden: v.number(),
  sold_out: v.number(),
  undeclared: v.number(),
  untranslated: v.number(),
});

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

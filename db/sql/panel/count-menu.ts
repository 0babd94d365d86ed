import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

const menuCountsSchema = v.object({
  sections: v.number(),
  dishes: v.number(),
  hidden: v.number(),
  sold_out: v.number(),
  undeclared: v.number(),
  untranslated: v.number(),
});
/** The number of records on a menu, and of those that still need work. */
export type MenuCounts = v.InferOutput<typeof menuCountsSchema>;

export function countMenu(db: Db, tenantId: number): Promise<MenuCounts> {
  return db.one(sql.type(menuCountsSchema)`
    select
      (
        select count(*)::int from sections x where x.tenant_id = t.id and x.deleted_at is null
      ) as sections,
      d.*
    from tenants t join settings s on s.tenant_id = t.id
    cross join lateral (
      select count(*)::int as dishes,
        count(*) filter (where not r.is_active)::int as hidden,
        count(*) filter (where r.is_sold_out)::int as sold_out,
        count(*) filter (where not r.allergens_declared)::int as undeclared,
        count(*) filter (where exists (
          select from unnest(s.supported_locales) l
          where coalesce(r.name ->> l, '') = ''
            or (r.description <> '{}' and coalesce(r.description ->> l, '') = '')
        ))::int as untranslated
      from dishes r where r.tenant_id = t.id and r.deleted_at is null
    ) d
    where t.id = ${tenantId}
  `);
}

import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { translationsSchema } from '../../schema/locale.ts';
import { section } from '../../schema/section.ts';

const listedSectionSchema = v.object({
  id: v.number(),
  parent_id: v.nullable(v.number()),
  menu_type: section.fields.menu_type.value,
  name_translations: translationsSchema,
  is_active: v.boolean(),
  dishes: v.number(),
});
export type ListedSection = v.InferOutput<typeof listedSectionSchema>;

/** The restaurant's sections with their numbers of dishes, hidden ones too, siblings in their order. */
export function listSections(db: Db, tenantId: number): Promise<readonly ListedSection[]> {
  return db.any(sql.type(listedSectionSchema)`
    select r.id, r.parent_id, r.menu_type, r.name as name_translations, r.is_active,
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

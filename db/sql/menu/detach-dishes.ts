import { type Db, sql } from '../../postgres/sql.ts';

/**
 * Takes a type from those dishes of other sections that have it and do not show it: they are
 * deleted, or were moved while the type was.
 */
export async function detachDishes(
  db: Db,
  tenantId: number,
  typeId: number,
  sectionId: number,
): Promise<void> {
  await db.run(sql.nothing`
    update dishes set type_id = null, updated_at = now()
    where tenant_id = ${tenantId} and type_id = ${typeId} and category_id <> ${sectionId}
  `);
}

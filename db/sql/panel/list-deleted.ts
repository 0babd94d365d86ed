import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { translationsSchema } from '../../schema/locale.ts';
import { MENU_COLLECTIONS, records } from '../../schema/registry.ts';
import { restorableSince } from '../deletions.ts';
import { tableOf } from '../record-columns.ts';

const deletedSchema = v.object({
  resource: v.picklist(MENU_COLLECTIONS),
  id: v.number(),
  name: v.union([v.string(), translationsSchema]),
  deleted_at: v.date(),
});
export type DeletedRecord = v.InferOutput<typeof deletedSchema>;

/** Deleted records that can be restored, the last first, without those that a section took along. */
export function listDeleted(
  db: Db,
  tenantId: number,
  limit: number,
): Promise<readonly DeletedRecord[]> {
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
      select ${collection}::text as resource, r.id, to_jsonb(r.name) as name, r.deleted_at
      from ${tableOf(record)} r
      where r.tenant_id = ${tenantId} and r.deleted_at >= ${restorableSince} ${isTakenAlong}
    `;
  });
  return db.any(sql.type(deletedSchema)`
    ${sql.join(parts, ' union all ')}
    order by deleted_at desc, id desc limit ${limit}
  `);
}

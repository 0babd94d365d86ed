import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

const belongingsSchema = v.object({
  name: v.string(),
  sections: v.number(),
  dishes: v.number(),
  wineries: v.number(),
  users: v.number(),
  tokens: v.number(),
});
/** The rows that would be deleted with a tenant. */
export type Belongings = v.InferOutput<typeof belongingsSchema>;

/** The name of a tenant and how much it has, records included that are deleted and restorable. */
export function countBelongings(db: Db, tenantId: number): Promise<Belongings> {
  const count = (table: string) => sql.fragment`(
    select count(*)::int from ${sql.identifier([table])} where tenant_id = ${tenantId}
  ) as ${sql.identifier([table])}`;
  return db.one(sql.type(belongingsSchema)`
    select name, ${count('sections')}, ${count('dishes')}, ${count('wineries')}, ${count('users')},
      ${count('tokens')}
    from settings where tenant_id = ${tenantId}
  `);
}

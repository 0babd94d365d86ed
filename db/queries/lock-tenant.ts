import * as v from 'valibot';
import { type Db, sql } from '../connection.ts';

const lockedSchema = v.object({
  slug: v.string(),
  version: v.number(),
  /**
   * The transaction that gave the tenant its version. A version alone does not name a state: one
   * that was rolled back is given again.
   */
  stamp: v.string(),
});
export type LockedTenant = v.InferOutput<typeof lockedSchema>;

/** Locks a tenant's row until the transaction ends: nobody else changes its menu. Null: no such. */
export function lockTenant(db: Db, tenantId: number): Promise<LockedTenant | null> {
  return db.maybeOne(sql.type(lockedSchema)`
    select slug, version, xmin::text as stamp from tenants where id = ${tenantId} for update
  `);
}

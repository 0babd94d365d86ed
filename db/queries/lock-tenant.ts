import * as v from 'valibot';
import { type Db, sql } from '../connection.ts';

const lockedSchema = v.object({ slug: v.string(), version: v.number() });
export type LockedTenant = v.InferOutput<typeof lockedSchema>;

/** Locks a tenant's row until the transaction ends: nobody else changes its menu. Null: no such. */
export function lockTenant(db: Db, tenantId: number): Promise<LockedTenant | null> {
  return db.maybeOne(sql.type(lockedSchema)`
    select slug, version from tenants where id = ${tenantId} for update
  `);
}

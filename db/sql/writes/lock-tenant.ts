import * as v from 'valibot';
import { type Db, sql } from '../../postgres/connection.ts';

const lockedSchema = v.object({
  slug: v.string(),
  version: v.number(),
  /**
   * The transaction that gave the tenant its version. A version alone does not name a state: one
   * that was rolled back is given again.
   */
  stamp: v.string(),
  /** The stamp that a version gets from the present transaction. */
  own_stamp: v.string(),
});
export type LockedTenant = v.InferOutput<typeof lockedSchema>;

const whenLocked = { wait: sql.fragment``, skip: sql.fragment`skip locked` };

/**
 * Locks a tenant's row until the transaction ends, so that only this one changes its menu. Rows that refer to
 * the tenant, such as further writes, can be inserted all the same. Null: no such tenant, or
 * somebody else has locked it and it was not to be waited for.
 */
export function lockTenant(
  db: Db,
  tenantId: number,
  ifLocked: keyof typeof whenLocked,
): Promise<LockedTenant | null> {
  return db.maybeOne(sql.type(lockedSchema)`
    select slug, version, xmin::text as stamp, pg_current_xact_id()::xid::text as own_stamp
    from tenants where id = ${tenantId} for no key update ${whenLocked[ifLocked]}
  `);
}

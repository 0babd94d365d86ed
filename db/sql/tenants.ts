import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';

const lockedSchema = v.object({
  id: v.number(),
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
 * Locks tenants' rows until the transaction ends, so that only this one changes their menus. Rows that
 * refer to a tenant, such as further writes, can be inserted all the same. A tenant that does not exist
 * is missing, and one that another transaction has locked is missing when it is not to be waited for.
 */
export function lockTenants(
  db: Db,
  tenantIds: readonly number[],
  ifLocked: keyof typeof whenLocked,
): Promise<readonly LockedTenant[]> {
  return db.any(sql.type(lockedSchema)`
    select id, slug, version, xmin::text as stamp, pg_current_xact_id()::xid::text as own_stamp
    from tenants where id = any (${sql.array(tenantIds, 'int4')})
    for no key update ${whenLocked[ifLocked]}
  `);
}

/** Locks one tenant; null when `lockTenants` would leave it out. */
export async function lockTenant(
  db: Db,
  tenantId: number,
  ifLocked: keyof typeof whenLocked,
): Promise<LockedTenant | null> {
  return (await lockTenants(db, [tenantId], ifLocked))[0] ?? null;
}

import type { Db } from '../../postgres/connection.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { findTenantId } from '../../sql/tenants/find-tenant-id.ts';

/** The id of the tenant that a command names. */
export async function requireTenant(db: Db, slug: string): Promise<number> {
  const id = await findTenantId(db, slug);
  if (id === null) throw new OperatorError(`There is no tenant ${slug}.`);
  return id;
}

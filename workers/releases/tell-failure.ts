import type { Db } from '../../db/postgres/sql.ts';
import type { Release } from '../../db/schema/release.ts';
import type { LockedTenant } from '../../db/sql/tenants.ts';
import { tellReceivers } from '../webhooks/tell-receivers.ts';

/** Tells the receivers of the restaurant that a release has failed at its time. */
export function tellFailure(
  tx: Db,
  { id: tenantId, slug, locked_at: at }: LockedTenant,
  { id, name, starts_at, problems }: Release,
): Promise<void> {
  const data = { restaurant: slug, release: { id, name, starts_at }, problems };
  return tellReceivers(tx, tenantId, { event: 'release.failed', at, about: id, data });
}

import type { Db } from '../connection.ts';
import { announceVersion } from '../queries/announce-version.ts';
import { loadMenu } from '../queries/load-menu.ts';
import { saveSnapshots } from '../queries/save-snapshots.ts';
import { buildPacks } from './build.ts';

/**
 * Rebuilds a tenant's snapshots from its tables and announces them. It belongs in the transaction
 * that bumped the tenant's version: then a version and its snapshots appear together or not at all,
 * and no tenant is ever without snapshots.
 */
export async function rebuildSnapshots(db: Db, tenantId: number): Promise<number> {
  const menu = await loadMenu(db, tenantId);
  await saveSnapshots(db, tenantId, menu.version, await buildPacks(menu, new Date()));
  await announceVersion(db, {
    tenant_id: tenantId,
    slug: menu.settings.slug,
    version: menu.version,
  });
  return menu.version;
}

import type { Db } from '../connection.ts';
import { announceVersion } from '../queries/announce-version.ts';
import { loadMenu, type StoredMenu } from '../queries/load-menu.ts';
import { saveSnapshots } from '../queries/save-snapshots.ts';
import { buildPacks } from './build.ts';

/**
 * Builds the snapshots of a menu, saves them and announces them. It belongs in the transaction that
 * bumped the tenant's version: then a version and its snapshots appear together or not at all, and
 * no tenant is ever without snapshots.
 *
 * @param menu as the tables hold it, the present version included
 */
export async function publishMenu(db: Db, tenantId: number, menu: StoredMenu): Promise<void> {
  await saveSnapshots(db, tenantId, menu.version, await buildPacks(menu, new Date()));
  await announceVersion(db, {
    tenant_id: tenantId,
    slug: menu.settings.slug,
    version: menu.version,
  });
}

/** Rebuilds a tenant's snapshots from its tables; see `publishMenu`. */
export async function rebuildSnapshots(db: Db, tenantId: number): Promise<void> {
  await publishMenu(db, tenantId, await loadMenu(db, tenantId));
}

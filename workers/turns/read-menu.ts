import type { KnownMenus } from '../../db/menu/working-menu.ts';
import { type Db, pipelined } from '../../db/postgres/sql.ts';
import { storedAs } from '../../db/snapshot/build.ts';
import { loadMenu } from '../../db/sql/menus.ts';
import { findBuiltAt } from '../../db/sql/snapshots.ts';
import { findStamp } from '../../db/sql/tenants.ts';

/** The menu of a restaurant, and what is stored of its snapshots. */
export async function readKnown(db: Db, tenantId: number) {
  const [menu, builtAt] = await pipelined(loadMenu(db, tenantId), findBuiltAt(db, tenantId));
  return { menu, built: builtAt ? storedAs(menu, builtAt) : undefined };
}

/**
 * Reads the menu of a restaurant into the memory of the worker, while the turn of another one is made.
 * Its own turn takes it from there if it is still in that version.
 */
export async function readAhead(db: Db, menus: KnownMenus, tenantId: number): Promise<void> {
  const stamp = await findStamp(db, tenantId);
  if (stamp === null || menus.get(tenantId)?.stamp === stamp) return;
  const { menu, built } = await readKnown(db, tenantId);
  // Each statement sees what is committed by then.
  const isSame = (await findStamp(db, tenantId)) === stamp;
  if (built && isSame) menus.set(tenantId, { stamp, menu, built });
}

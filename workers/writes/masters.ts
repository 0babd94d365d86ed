import { LRUCache } from 'lru-cache';
import type { Db } from '../../db/postgres/sql.ts';
import { loadMenu, type StoredMenu } from '../../db/sql/menus.ts';
import { findStamp } from '../../db/sql/tenants.ts';

/** Menus of masters, which many branches take one after the other, with their stamps. */
const masters = new LRUCache<number, { stamp: string; menu: StoredMenu }>({ max: 4 });

/** The menu of a master, at least as new as when it is asked for. */
export async function loadMaster(db: Db, masterId: number): Promise<StoredMenu> {
  const stamp = (await findStamp(db, masterId)) ?? '';
  const known = masters.get(masterId);
  if (known?.stamp === stamp) return known.menu;
  const menu = await loadMenu(db, masterId);
  masters.set(masterId, { stamp, menu });
  return menu;
}

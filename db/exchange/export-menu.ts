import type { Db } from '../postgres/sql.ts';
import { inSlices } from '../runtime/in-slices.ts';
import type { ExportTarget } from '../schema/exchange-report.ts';
import { photo } from '../schema/photo.ts';
import type { Row } from '../schema/values/row.ts';
import { menuDocument } from '../snapshot/menu-document.ts';
import { loadMenu, recordsOf } from '../sql/menus.ts';
import { exportAs } from './exports.ts';
import type { Exported, OutOptions } from './report.ts';

/** A menu for another service, and its version here. */
export interface ExportedMenu extends Exported {
  version: number;
}

/**
 * A restaurant's menu in the format of a service. It gives the event loop to others on the way.
 *
 * @param db of one moment
 */
export async function exportTo(
  db: Db,
  tenantId: number,
  target: ExportTarget,
  options: Omit<OutOptions, 'photoPaths'>,
): Promise<ExportedMenu> {
  const menu = await loadMenu(db, tenantId);
  const photoPaths = new Map(recordsOf(menu, photo).map((row) => [row.id, String(row.url)]));
  const document = await inSlices(menuDocument(menu));
  // The slug is no field that a body may write, so that documents have none.
  document.settings = { ...(document.settings as Row), slug: menu.settings.slug };
  const steps = exportAs(target, document, { ...options, photoPaths });
  return { version: menu.version, ...(await inSlices(steps)) };
}

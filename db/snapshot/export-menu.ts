import type { Db } from '../postgres/sql.ts';
import type { Row } from '../schema/record.ts';
import { loadMenu } from '../sql/menus.ts';
import { findStalePairs } from '../sql/stale-texts.ts';
import { menuDocument } from './menu-document.ts';
import { staleTexts } from './menu-texts.ts';

/**
 * A restaurant's whole menu as the document that an import takes, with the translations whose sources
 * have changed since, where there are any.
 *
 * @param db of one moment
 */
export async function exportMenu(
  db: Db,
  tenantId: number,
): Promise<{ version: number; document: Row }> {
  const menu = await loadMenu(db, tenantId);
  const stale = staleTexts(menu, await findStalePairs(db, tenantId));
  const document = { ...menuDocument(menu), ...(stale.length > 0 && { stale_texts: stale }) };
  return { version: menu.version, document };
}

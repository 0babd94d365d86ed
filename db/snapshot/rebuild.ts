import type { Db, Statement } from '../connection.ts';
import type { VersionNotice } from '../notices.ts';
import { announceVersion } from '../queries/announce-version.ts';
import { loadMenu, type StoredMenu } from '../queries/load-menu.ts';
import { saveEncodings } from '../queries/save-encodings.ts';
import { saveSnapshotsStatement } from '../queries/save-snapshots.ts';
import { type BuiltMenu, buildMenu } from './build.ts';
import { encodeMenu } from './encodings.ts';
import { encodeTemplate } from './template.ts';

/** The snapshots of a menu, and the statement that stores them. */
export interface Rebuild {
  built: BuiltMenu;
  statement: Statement;
}

/**
 * Builds the snapshots of a menu. The statement saves what of them has changed, gives the tenant the
 * menu's version and announces it. It belongs in the transaction that changed the menu: then a
 * version and its snapshots appear together or not at all, and no tenant is ever without snapshots.
 * The compressed answers are the caller's to add.
 *
 * @param menu as the tables hold it; its version is the one that the tenant gets
 * @param before what is stored, if the caller knows it
 */
export function rebuildMenu(menu: StoredMenu, before?: BuiltMenu): Rebuild {
  const built = buildMenu(menu, new Date(), before);
  const changed = [...built.sections].filter(([id, one]) => before?.sections.get(id) !== one);
  const isAnyGone =
    before === undefined || [...before.sections.keys()].some((id) => !built.sections.has(id));
  const { version, settings } = menu;
  const statement = saveSnapshotsStatement({
    notice: { tenant_id: settings.id, slug: settings.slug, version, encoded: false },
    head: JSON.stringify(built.head),
    sections: changed.map(([id, { template }]) => ({ id, template: encodeTemplate(template) })),
    sectionIds: isAnyGone ? built.head.order : null,
  });
  return { built, statement };
}

/**
 * Rebuilds a tenant's snapshots from its tables, compressed answers included, announces them and
 * returns their version; see `rebuildMenu`.
 */
export async function rebuildSnapshots(db: Db, tenantId: number): Promise<number> {
  const menu = await loadMenu(db, tenantId);
  const { built, statement } = rebuildMenu(menu);
  await db.run(statement);
  const { version } = menu;
  const notice: VersionNotice = {
    tenant_id: tenantId,
    slug: menu.settings.slug,
    version,
    encoded: true,
  };
  const templates = new Map([...built.sections].map(([id, { template }]) => [id, template]));
  await saveEncodings(db, tenantId, version, await encodeMenu(built.head, templates));
  await announceVersion(db, notice);
  return version;
}

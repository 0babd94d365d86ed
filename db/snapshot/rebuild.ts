import type { Db, Statement } from '../connection.ts';
import type { VersionNotice } from '../notices.ts';
import { announceVersion } from '../queries/announce-version.ts';
import { loadMenu, type StoredMenu } from '../queries/load-menu.ts';
import { saveEncodings } from '../queries/save-encodings.ts';
import { saveSnapshotsStatement } from '../queries/save-snapshots.ts';
import type { Locale } from '../records/locale.ts';
import { assembleSnapshot } from './assemble.ts';
import { type BuiltMenu, buildMenu } from './build.ts';
import { encodeBodies } from './encodings.ts';
import { encodePart } from './parts.ts';

/** Every locale and section that there are parts of, as one text. */
function shapeOf(built: BuiltMenu): string {
  return JSON.stringify([...built].map(([locale, { sections }]) => [locale, ...sections.keys()]));
}

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
  const parts = [...built].flatMap(([locale, { sections }]) =>
    [...sections]
      .filter(([id, section]) => before?.get(locale)?.sections.get(id) !== section)
      .map(([section_id, { part }]) => ({ locale, section_id, part: encodePart(part) })),
  );
  const isSameShape = before !== undefined && shapeOf(before) === shapeOf(built);
  const { version, settings } = menu;
  const statement = saveSnapshotsStatement({
    notice: { tenant_id: settings.id, slug: settings.slug, version, encoded: false },
    heads: [...built].map(([locale, { head }]) => ({ locale, head: JSON.stringify(head) })),
    parts,
    sectionIds: isSameShape ? null : ([...built.values()][0]?.head.order ?? []),
  });
  return { built, statement };
}

/** Compresses the answers of what was built, one locale after the other. */
export async function encodeMenu(built: BuiltMenu): Promise<Map<Locale, Buffer>> {
  const encodings = new Map<Locale, Buffer>();
  for (const [locale, { head, sections }] of built) {
    const parts = new Map([...sections].map(([id, { part }]) => [id, part]));
    encodings.set(locale, await encodeBodies(assembleSnapshot(head, parts)));
  }
  return encodings;
}

/**
 * Rebuilds a tenant's snapshots from its tables, compressed answers included, announces them and
 * returns their version; see `saveMenu`.
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
  await saveEncodings(db, tenantId, version, await encodeMenu(built));
  await announceVersion(db, notice);
  return version;
}

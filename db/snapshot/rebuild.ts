import { inSlices } from '../runtime/in-slices.ts';
import type { StoredMenu } from '../sql/menus.ts';
import type { SnapshotChange } from '../sql/snapshots.ts';
import { buildOnStored, type FormerMenu, type NextMenu } from './build.ts';
import { encodeTemplate } from './template.ts';

/** The snapshots of a menu, and what of them is to be stored. */
export interface Rebuild {
  built: NextMenu;
  change: SnapshotChange;
}

/** The sections that are not stored yet, in the form in which they are, one a step. */
function* encodeInSteps(
  { sections }: NextMenu,
  before: FormerMenu | undefined,
): Generator<void, SnapshotChange['sections']> {
  const encoded: SnapshotChange['sections'] = [];
  for (const [id, section] of sections) {
    if (before?.sections.get(id) === section || !('template' in section)) continue;
    encoded.push({ id, template: encodeTemplate(section.template) });
    yield;
  }
  return encoded;
}

/**
 * Builds the snapshots of a menu. `saveSnapshots` saves what of them has changed, gives the
 * tenant the menu's version and announces it. It belongs in the transaction that changed the menu: then
 * a version and its snapshots appear together or not at all, and no tenant is ever without snapshots.
 *
 * @param menu as the tables hold it; its version is the one that the tenant gets
 * @param at the present moment, by Postgres' clock
 * @param before what is stored, if the caller knows it
 */
export async function rebuildMenu(
  menu: StoredMenu,
  at: Date,
  before?: FormerMenu,
): Promise<Rebuild> {
  const built = await inSlices(buildOnStored(menu, at, before));
  const sections = await inSlices(encodeInSteps(built, before));
  const isAnyGone =
    before === undefined || [...before.sections.keys()].some((id) => !built.sections.has(id));
  const { version, settings } = menu;
  const { settings: _settings, theme: _theme, ...own } = built.head;
  const change: SnapshotChange = {
    notice: {
      ...{ tenant_id: settings.id, slug: settings.slug, version },
      generated_at: built.head.generatedAt,
    },
    // The longest part seldom changes: its JSON is kept.
    head: `${built.restaurant.json.slice(0, -1)},${JSON.stringify(own).slice(1)}`,
    sections,
    sectionIds: isAnyGone ? built.head.order : null,
  };
  return { built, change };
}

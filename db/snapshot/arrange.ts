import { groupBy } from '../runtime/group-by.ts';
import type { StoredDish } from '../schema/dish.ts';
import type { StoredSection } from '../schema/section.ts';
import type { StoredType } from '../schema/type.ts';
import { type Visibility, visibilityAt } from '../schema/visibility.ts';
import type { StoredMenu } from '../sql/menus.ts';

/** A visible section with what belongs to it, everything in display order. */
export interface SectionNode {
  section: StoredSection;
  types: StoredType[];
  dishes: StoredDish[];
  children: SectionNode[];
}

/**
 * Nests the records of a menu that guests see at a moment: top-level sections with their
 * sub-sections, types and dishes. A section below a hidden one does not appear
 * (SPEC, "Rules for /menu", 1).
 */
export function arrangeMenu(menu: StoredMenu, at: Date): SectionNode[] {
  const isActive = (record: { is_active: boolean }) => record.is_active;
  const isSeen = (record: { is_active: boolean } & Visibility) =>
    record.is_active && visibilityAt(record, at) === 'now';
  const sections = groupBy(menu.sections.filter(isSeen), (section) => section.parent_id);
  const types = groupBy(menu.types.filter(isActive), (type) => type.category_id);
  const dishes = groupBy(menu.dishes.filter(isSeen), (dish) => dish.category_id);
  const nest = (parentId: number | null): SectionNode[] =>
    (sections.get(parentId) ?? []).map((section) => ({
      section,
      types: types.get(section.id) ?? [],
      dishes: dishes.get(section.id) ?? [],
      children: nest(section.id),
    }));
  return nest(null);
}

/**
 * The order of `/menu` and `/items`: each section before its sub-sections, these before the next
 * section, and all wine sections last (SPEC, "Rules for /menu", 2).
 */
export function flattenSections(tree: readonly SectionNode[]): SectionNode[] {
  const flat = tree.flatMap(function walk(node): SectionNode[] {
    return [node, ...node.children.flatMap(walk)];
  });
  const isWine = (node: SectionNode) => node.section.menu_type === 'wine';
  return [...flat.filter((node) => !isWine(node)), ...flat.filter(isWine)];
}

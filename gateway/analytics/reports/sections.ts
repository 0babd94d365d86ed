import type { StoredSection } from '../../../db/schema/section.ts';
import { compareCounts, sumCounts } from '../../../db/sql/counts.ts';
import type { Report } from './report.ts';
import { rankViews } from './views.ts';

/**
 * The sections that guests opened, the most viewed first, and those on the menu that no guest opened;
 * with each, how often guests opened its dishes.
 */
export const sections: Report<'sections'> = async ({ db, tenant, period, limit, loadMenu }) => {
  const [menu, counts, itemCounts] = await Promise.all([
    loadMenu(),
    compareCounts(db, tenant.id, 'section', period),
    sumCounts(db, tenant.id, 'item', period),
  ]);
  const itemViews = new Map<number, number>();
  for (const { key, events } of itemCounts) {
    const section = menu.dishes.get(Number(key))?.category_id;
    if (section !== undefined) itemViews.set(section, (itemViews.get(section) ?? 0) + events);
  }
  const nameSection = (section: StoredSection) => ({
    id: section.id,
    name: menu.name(section),
    parent_id: section.parent_id,
    menu_type: section.menu_type,
    is_active: section.is_active,
    item_views: itemViews.get(section.id) ?? 0,
  });
  const ranked = rankViews(counts.filter(({ key }) => menu.sections.has(Number(key))));
  const viewed = new Set(ranked.map(({ key }) => Number(key)));
  const never = menu.visibleSections.filter(({ id }) => !viewed.has(id));
  return {
    total_views: ranked.reduce((sum, { views }) => sum + views.views, 0),
    total_sections: ranked.length,
    sections: ranked.slice(0, limit).map(({ key, views }) => ({
      ...nameSection(menu.sections.get(Number(key)) as StoredSection),
      ...views,
    })),
    total_never_viewed: never.length,
    never_viewed: never.slice(0, limit).map(nameSection),
  };
};

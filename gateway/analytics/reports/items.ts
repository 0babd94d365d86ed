import type { StoredDish } from '../../../db/schema/dish.ts';
import { compareCounts } from '../../../db/sql/counts.ts';
import type { MenuFacts } from './menu-facts.ts';
import type { Report } from './report.ts';
import { rankViews } from './views.ts';

function nameDish(dish: StoredDish, menu: MenuFacts) {
  const section = menu.sections.get(dish.category_id);
  return {
    id: dish.id,
    name: menu.name(dish),
    category_id: dish.category_id,
    category_name: section ? menu.name(section) : '',
    is_active: dish.is_active,
  };
}

/** The dishes that guests opened, the most viewed first, and those that no guest opened. */
export const items: Report<'items'> = async ({ db, tenant, period, limit, loadMenu }) => {
  const [menu, counts] = await Promise.all([
    loadMenu(),
    compareCounts(db, tenant.id, 'item', period),
  ]);
  const ranked = rankViews(counts.filter(({ key }) => menu.dishes.has(Number(key))));
  const viewed = new Set(ranked.map(({ key }) => Number(key)));
  const never = menu.openableDishes.filter(({ id }) => !viewed.has(id));
  return {
    total_views: ranked.reduce((sum, { views }) => sum + views.views, 0),
    total_items: ranked.length,
    items: ranked.slice(0, limit).map(({ key, views }) => ({
      ...nameDish(menu.dishes.get(Number(key)) as StoredDish, menu),
      ...views,
    })),
    total_never_viewed: never.length,
    never_viewed: never.slice(0, limit).map((dish) => nameDish(dish, menu)),
  };
};

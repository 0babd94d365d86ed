import { compareCounts } from '../../../db/queries/analytics/compare-counts.ts';
import { type AllergenKey, allergenDictionary } from '../../../db/records/allergen.ts';
import { loadMenuFacts, type MenuFacts } from './menu-facts.ts';
import type { Report } from './report.ts';
import { rankViews } from './views.ts';

/** How many of the visible dishes a filter leaves. */
export function remainingDishes(menu: MenuFacts, allergen: AllergenKey): number {
  return menu.visibleDishes.filter(({ allergens }) => !allergens.includes(allergen)).length;
}

/** Which allergens guests filtered out, the most used filter first, and what it left them. */
export const allergens: Report = async ({ db, tenant, period, limit }) => {
  const [menu, counts] = await Promise.all([
    loadMenuFacts(db, tenant.id),
    compareCounts(db, tenant.id, 'allergen', period),
  ]);
  const dictionary = allergenDictionary(menu.defaultLocale);
  const entries = new Map(
    dictionary.map(({ key, name }) => [
      key as string,
      { key, name, remaining_dishes: remainingDishes(menu, key) },
    ]),
  );
  const ranked = rankViews(counts);
  const used = new Set(ranked.map(({ key }) => key));
  return {
    total_uses: ranked.reduce((sum, { views }) => sum + views.views, 0),
    visible_dishes: menu.visibleDishes.length,
    allergens: ranked.slice(0, limit).map(({ key, views }) => {
      const { views: uses, previous_views: previous_uses, ...rest } = views;
      return { ...entries.get(key), uses, previous_uses, ...rest };
    }),
    never_used: dictionary.filter(({ key }) => !used.has(key)).slice(0, limit),
  };
};

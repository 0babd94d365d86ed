import {
  type AllergenKey,
  allergens as allergenDictionary,
  type Entry,
} from '../../../db/schema/dictionary.ts';
import type { Facts } from '../../../db/snapshot/facts.ts';
import { compareCounts } from '../../../db/sql/counts.ts';
import { verdict } from '../../search/avoid.js';
import type { MenuFacts } from './menu-facts.ts';
import type { Report } from './report.ts';
import { rankViews } from './views.ts';

/** How many of the visible dishes a filter leaves: what `/items` with `exclude_allergens` shows. */
export function remainingDishes(menu: MenuFacts, allergen: AllergenKey): number {
  const avoided = new Set([allergen]);
  const isLeft = (facts: Facts) => ['fine', 'extra'].includes(verdict(facts, avoided));
  return menu.visibleFacts.filter(isLeft).length;
}

/** Which allergens guests filtered out, the most used filter first, and what it left them. */
export const allergensReport: Report<'allergens'> = async ({
  db,
  tenant,
  period,
  limit,
  loadMenu,
}) => {
  const [menu, counts] = await Promise.all([
    loadMenu(),
    compareCounts(db, tenant.id, 'allergen', period),
  ]);
  const dictionary = allergenDictionary.in(menu.defaultLocale);
  const entries = new Map<string, Entry<AllergenKey>>(
    dictionary.map((entry) => [entry.key, entry]),
  );
  const ranked = rankViews(counts);
  const used = new Set(ranked.map(({ key }) => key));
  return {
    total_uses: ranked.reduce((sum, { views }) => sum + views.views, 0),
    visible_dishes: menu.visibleDishes.length,
    allergens: ranked.slice(0, limit).map(({ key, views }) => {
      const { views: uses, previous_views: previous_uses, ...rest } = views;
      const entry = entries.get(key) as Entry<AllergenKey>;
      const remaining_dishes = remainingDishes(menu, entry.key);
      return { ...entry, remaining_dishes, uses, previous_uses, ...rest };
    }),
    never_used: dictionary.filter(({ key }) => !used.has(key)).slice(0, limit),
  };
};

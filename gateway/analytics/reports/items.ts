import {
  type AllergenKey,
  allergens as allergenDictionary,
  type Entry,
} from '../../../db/schema/dictionary.ts';
import type { StoredDish } from '../../../db/schema/dish.ts';
import type { Facts } from '../../../db/snapshot/facts.ts';
import { type Compared, compareCounts, findEmptySearches } from '../../../db/sql/counts.ts';
import { verdict } from '../../search/avoid.js';
import { rankViews } from './overview.ts';
import { type MenuFacts, type Report, shareOf } from './report.ts';

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

/**
 * The records that guests opened, the most viewed first, and those on the menu that no guest opened.
 *
 * @param known all records of the kind by their ids
 * @param visible those on the menu
 */
export function viewsOf<R extends { id: number }, N extends object>(
  counts: readonly Compared[],
  known: ReadonlyMap<number, R>,
  visible: readonly R[],
  limit: number,
  nameOne: (one: R) => N,
) {
  const ranked = rankViews(counts.filter(({ key }) => known.has(Number(key))));
  const viewed = new Set(ranked.map(({ key }) => Number(key)));
  const never = visible.filter(({ id }) => !viewed.has(id));
  return {
    total_views: ranked.reduce((sum, { views }) => sum + views.views, 0),
    total: ranked.length,
    shown: ranked.slice(0, limit).map(({ key, views }) => ({
      ...nameOne(known.get(Number(key)) as R),
      ...views,
    })),
    total_never_viewed: never.length,
    never_viewed: never.slice(0, limit).map(nameOne),
  };
}

/** The dishes that guests opened, the most viewed first, and those that no guest opened. */
export const items: Report<'items'> = async ({ db, tenant, period, limit, loadMenu }) => {
  const [menu, counts] = await Promise.all([
    loadMenu(),
    compareCounts(db, tenant.id, 'item', period),
  ]);
  const name = (dish: StoredDish) => nameDish(dish, menu);
  const views = viewsOf(counts, menu.dishes, menu.visibleDishes, limit, name);
  const { total_views, total: total_items, shown, ...never } = views;
  return { total_views, total_items, items: shown, ...never };
};

/** Searches that found nothing, the most frequent first. */
export const searches: Report<'searches'> = async ({ db, tenant, period, limit }) => {
  const found = await findEmptySearches(db, tenant.id, period, limit);
  const { total, texts } = found[0] ?? { total: 0, texts: 0 };
  return {
    total_searches: total,
    total_queries: texts,
    queries: found
      .filter(({ query }) => query !== '')
      .slice(0, limit)
      .map(({ query, searches }) => ({ query, searches, share: shareOf(searches, total) })),
    other_searches: found.find(({ query }) => query === '')?.searches ?? 0,
  };
};

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

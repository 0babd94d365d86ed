import { allergens as allergenDictionary } from '../../../../db/schema/dictionary.ts';
import type { StoredDish } from '../../../../db/schema/dish.ts';
import { ALL_LOCALES, type Locale } from '../../../../db/schema/values/locale.ts';
import { remainingDishes } from '../items.ts';
import type { Figures } from '../report-schemas.ts';
import type { Evidence } from './finding.ts';

const MAX_EXAMPLES = 5;
/** A filter that leaves less than a fifth of the dishes, or fewer than five, leaves too little. */
const NARROW_SHARE = 0.2;
const NARROW_DISHES = 5;

/** Dishes on the menu that no guest opened. */
export function findNeverViewed({ menu, items }: Evidence): Figures[] {
  const viewed = new Set(items.filter(({ events }) => events > 0).map(({ key }) => Number(key)));
  const never = menu.visibleDishes.filter(({ id }) => !viewed.has(id));
  // Without any opened dish, the displays are in question and not these dishes.
  if (never.length === 0 || viewed.size === 0) return [];
  const examples = never
    .slice(0, MAX_EXAMPLES)
    .map((dish) => ({ id: dish.id, name: menu.name(dish) }));
  const visible = menu.visibleDishes.length;
  return [{ kind: 'never_viewed', count: never.length, visible, examples }];
}

/** Whether a reader of `locale` gets some of a dish's texts in another language. */
function lacks(dish: StoredDish, locale: Locale): boolean {
  const described = Object.values(dish.description_translations).some(Boolean);
  return !dish.name_translations[locale] || (described && !dish.description_translations[locale]);
}

/**
 * Languages of the restaurant whose readers opened dishes that are not translated for them; the most
 * read first.
 */
export function findMissingTranslations({ menu, readers }: Evidence): Figures[] {
  return ALL_LOCALES.map((locale, position) => {
    const dishes = readers.flatMap(({ item_id, views }) => {
      const dish = menu.dishes.get(item_id);
      const read = views[position] ?? 0;
      if (!dish || read === 0 || !lacks(dish, locale)) return [];
      return [{ id: dish.id, name: menu.name(dish), views: read }];
    });
    return {
      kind: 'missing_translations' as const,
      locale,
      items: dishes.length,
      views: dishes.reduce((sum, { views }) => sum + views, 0),
      examples: dishes.sort((a, b) => b.views - a.views || a.id - b.id).slice(0, MAX_EXAMPLES),
    };
  })
    .filter(({ items, locale }) => items > 0 && menu.supportedLocales.includes(locale))
    .sort((a, b) => b.views - a.views);
}

/** Filters that guests used and that leave the menu nearly empty; the most used first. */
export function findNarrowAllergens({ menu, allergens }: Evidence): Figures[] {
  const visible_dishes = menu.visibleDishes.length;
  const uses = new Map(allergens.map(({ key, events }) => [key, events]));
  return allergenDictionary
    .in(menu.defaultLocale)
    .filter(({ key }) => uses.has(key))
    .map(({ key, name }) => ({
      kind: 'narrow_allergen' as const,
      allergen: key,
      name,
      uses: uses.get(key) ?? 0,
      remaining_dishes: remainingDishes(menu, key),
      visible_dishes,
    }))
    .filter(
      ({ remaining_dishes: left }) =>
        left < visible_dishes && (left < NARROW_DISHES || left < NARROW_SHARE * visible_dishes),
    )
    .sort((a, b) => b.uses - a.uses);
}

import { ALL_LOCALES } from '../../../db/schema/values/locale.ts';
import {
  countMenu,
  type DishSearch,
  type DishState,
  type ListedDish,
  listShownDishes,
  type MenuCounts,
} from '../../../db/sql/dishes.ts';
import type { ListedSection } from '../../../db/sql/listed-records.ts';
import type { StoredMenu } from '../../../db/sql/menus.ts';
import type { Desk } from '../desk.ts';
import { planAhead } from '../writes/planned-values.ts';

// The lists of a browser that prepares a release: the menu as the release will make it.

type Dish = StoredMenu['dishes'][number];

/** The sections of a planned menu, siblings in their order. */
export function plannedSections({ sections, dishes }: StoredMenu): ListedSection[] {
  const counts = new Map<number, number>();
  for (const { category_id: id } of dishes) counts.set(id, (counts.get(id) ?? 0) + 1);
  return sections.map((section) => ({ ...section, dishes: counts.get(section.id) ?? 0 }));
}

const STATES: Record<DishState, (dish: Dish, menu: StoredMenu) => boolean> = {
  hidden: ({ is_active }) => !is_active,
  'sold-out': ({ is_sold_out }) => is_sold_out,
  undeclared: ({ allergens_declared }) => !allergens_declared,
  untranslated: ({ name_translations: names, description_translations: texts }, { settings }) =>
    settings.supported_locales.some(
      (one) => !names[one] || (Object.keys(texts).length > 0 && !texts[one]),
    ),
};

/** How many sections and dishes the menu has, as the chosen release makes it where there is one. */
export async function countShownMenu(desk: Desk): Promise<MenuCounts> {
  if (!desk.chosen) return countMenu(desk.db, desk.tenantId);
  const { menu } = await planAhead(desk, desk.chosen.release);
  const count = (state: DishState) =>
    menu.dishes.filter((dish) => STATES[state](dish, menu)).length;
  return {
    sections: menu.sections.length,
    dishes: menu.dishes.length,
    ...{ hidden: count('hidden'), sold_out: count('sold-out') },
    ...{ undeclared: count('undeclared'), untranslated: count('untranslated') },
  };
}

/** The dishes of a search, as the chosen release makes them where there is one. */
export async function searchDishes(
  desk: Desk,
  menu: StoredMenu | null,
  search: DishSearch,
): Promise<readonly ListedDish[]> {
  if (!menu) return listShownDishes(desk.db, desk.tenantId, search);
  const { sectionId, text, state, limit } = search;
  const sought = text?.toLowerCase();
  const found = menu.dishes.filter((dish) => {
    const { name_translations: names } = dish;
    const isCalled =
      sought === undefined || ALL_LOCALES.some((one) => names[one]?.toLowerCase().includes(sought));
    const isIn = sectionId === undefined || dish.category_id === sectionId;
    return isIn && isCalled && (state === undefined || STATES[state](dish, menu));
  });
  return found.slice(0, limit);
}

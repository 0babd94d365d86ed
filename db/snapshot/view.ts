import type { Dish } from '../schema/dish.ts';
import { inOrder, type Translations } from '../schema/locale.ts';
import type { Section } from '../schema/section.ts';
import type { Type } from '../schema/type.ts';
import type { Winery } from '../schema/winery.ts';
import type { StoredDish, StoredSection, StoredType, StoredWinery } from '../sql/menu/load-menu.ts';

/** Which of a text's translations is read; it is asked in the order in which they are shown. */
export type Reader = (texts: Translations) => string;

export function viewWinery(stored: StoredWinery, read: Reader): Winery {
  return {
    id: stored.id,
    name: stored.name,
    region: stored.region,
    country: stored.country,
    website: stored.website,
    description: read(stored.description_translations),
    description_translations: inOrder(stored.description_translations),
  };
}

export function viewType(stored: StoredType, read: Reader): Type {
  return {
    id: stored.id,
    category_id: stored.category_id,
    name: read(stored.name_translations),
    name_translations: inOrder(stored.name_translations),
    display_order: stored.display_order,
    is_active: stored.is_active,
  };
}

export function viewDish(stored: StoredDish, winery: StoredWinery | undefined, read: Reader): Dish {
  return {
    id: stored.id,
    category_id: stored.category_id,
    type_id: stored.type_id,
    winery_id: stored.winery_id,
    name: read(stored.name_translations),
    name_translations: inOrder(stored.name_translations),
    description: read(stored.description_translations),
    description_translations: inOrder(stored.description_translations),
    price: stored.price,
    allergens: stored.allergens,
    is_active: stored.is_active,
    is_recommended: stored.is_recommended,
    display_order: stored.display_order,
    winery: winery ? viewWinery(winery, read) : null,
  };
}

/** The section's own fields; `items`, `types` and `children` are joined to them by the builder. */
export function viewSection(stored: StoredSection, read: Reader): Omit<Section, 'items' | 'types'> {
  return {
    id: stored.id,
    parent_id: stored.parent_id,
    menu_type: stored.menu_type,
    name: read(stored.name_translations),
    name_translations: inOrder(stored.name_translations),
    notes: stored.notes,
    display_order: stored.display_order,
    is_active: stored.is_active,
    show_subcategories: stored.show_subcategories,
    time_visibility_enabled: stored.time_visibility_enabled,
    time_start: stored.time_start,
    time_end: stored.time_end,
  };
}

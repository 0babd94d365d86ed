import type { Db } from '../../postgres/connection.ts';
import { dish as dishRecord, type StoredDish } from '../../schema/dish.ts';
import type { Fields, StoredOf } from '../../schema/field.ts';
import { defaultsOf, localizeInput, type RecordType, toStored } from '../../schema/record.ts';
import { records, SINGLETONS } from '../../schema/registry.ts';
import { section as sectionRecord } from '../../schema/section.ts';
import { type as typeRecord } from '../../schema/type.ts';
import { winery as wineryRecord } from '../../schema/winery.ts';
import { rebuildSnapshots } from '../../snapshot/rebuild.ts';
import { insertMenu, type NewMenu } from '../../sql/menu/insert-menu.ts';
import { type MenuTable, reserveIds } from '../../sql/menu/reserve-ids.ts';
import { updateRecord } from '../../sql/menu/update-record.ts';
import { createTenant } from '../../sql/tenants/create-tenant.ts';
import {
  type DemoDish,
  type DemoRestaurant,
  type DemoSection,
  everySection,
} from './restaurant.ts';

/** Hands out reserved ids one after the other. */
async function idSource(db: Db, table: MenuTable, count: number): Promise<() => number> {
  const ids = [...(await reserveIds(db, table, count))].reverse();
  return () => ids.pop() as number;
}

type Place = Pick<StoredDish, 'category_id' | 'type_id' | 'winery_id' | 'display_order'>;

/** A stored record with the declared defaults. */
function blank<F extends Fields>(record: RecordType<F>): StoredOf<F> {
  const erased = record as unknown as RecordType;
  return toStored(erased, defaultsOf(erased)) as StoredOf<F>;
}

function storeDish(dish: DemoDish, id: number, place: Place): StoredDish {
  return {
    ...blank(dishRecord),
    id,
    ...place,
    name_translations: dish.name,
    description_translations: dish.description,
    price: dish.price,
    allergens: dish.allergens,
    is_active: dish.is_active ?? true,
    is_recommended: dish.is_recommended ?? false,
  };
}

async function arrange(db: Db, restaurant: DemoRestaurant): Promise<NewMenu> {
  const all = everySection(restaurant.sections);
  const count = (sizes: number[]) => sizes.reduce((sum, size) => sum + size, 0);
  const sectionId = await idSource(db, 'sections', all.length);
  const typeId = await idSource(db, 'types', count(all.map(({ types }) => types.length)));
  const dishId = await idSource(db, 'dishes', count(all.map(({ dishes }) => dishes.length)));
  const wineryId = await idSource(db, 'wineries', restaurant.wineries.length);

  const wineries = restaurant.wineries.map(({ description, ...winery }) => ({
    ...blank(wineryRecord),
    id: wineryId(),
    ...winery,
    description_translations: description,
  }));
  const wineryIds = new Map(wineries.map(({ id, name }) => [name, id]));
  const menu: NewMenu = { sections: [], types: [], wineries, dishes: [] };

  const { default_locale } = restaurant.settings;
  const localize = (text: string) => (text === '' ? {} : { [default_locale]: text });
  const addSection = (section: DemoSection, display_order: number, parent_id: number | null) => {
    const id = sectionId();
    menu.sections.push({
      ...blank(sectionRecord),
      id,
      parent_id,
      menu_type: section.menu_type,
      name_translations: section.name,
      notes_translations: localize(section.notes),
      display_order,
      is_active: section.is_active ?? true,
      show_subcategories: section.show_subcategories ?? false,
      time_visibility_enabled: section.time_visibility !== undefined,
      time_start: section.time_visibility?.start ?? null,
      time_end: section.time_visibility?.end ?? null,
    });
    const typeIds = new Map<string, number>();
    section.types.forEach((type, index) => {
      const type_id = typeId();
      typeIds.set(type.name.it ?? '', type_id);
      menu.types.push({
        ...blank(typeRecord),
        id: type_id,
        category_id: id,
        name_translations: type.name,
        display_order: index,
        is_active: type.is_active ?? true,
      });
    });
    section.dishes.forEach((dish, index) => {
      const type_id = dish.type === undefined ? null : (typeIds.get(dish.type) ?? null);
      const winery_id = dish.winery === undefined ? null : (wineryIds.get(dish.winery) ?? null);
      const place = { category_id: id, type_id, winery_id, display_order: index };
      menu.dishes.push(storeDish(dish, dishId(), place));
    });
    section.children.forEach((child, index) => {
      addSection(child, index, id);
    });
  };
  restaurant.sections.forEach((section, index) => {
    addSection(section, index, null);
  });
  return menu;
}

/**
 * Creates a tenant with its whole menu and its snapshots, and returns its id, or null when its slug
 * is taken. It belongs in a transaction.
 */
export async function plantRestaurant(db: Db, restaurant: DemoRestaurant): Promise<number | null> {
  const tenantId = await createTenant(db, {
    slug: restaurant.slug,
    name: restaurant.settings.name,
    defaultLocale: restaurant.settings.default_locale,
    supportedLocales: restaurant.settings.supported_locales,
    timezone: restaurant.timezone,
  });
  if (tenantId === null) return null;
  const { default_locale } = restaurant.settings;
  for (const resource of SINGLETONS) {
    const input = localizeInput(records[resource], restaurant[resource], default_locale);
    await updateRecord(db, resource, tenantId, null, input);
  }
  await insertMenu(db, tenantId, await arrange(db, restaurant));
  await rebuildSnapshots(db, tenantId);
  return tenantId;
}

import type { Db } from '../../../db/postgres/sql.ts';
import type { StoredDish } from '../../../db/schema/dish.ts';
import type { Embed } from '../../../db/schema/field.ts';
import type { StoredSection } from '../../../db/schema/section.ts';
import { type Locale, localize, type Translations } from '../../../db/schema/values/locale.ts';
import { arrangeMenu, flattenSections } from '../../../db/snapshot/assemble.ts';
import { type Facts, factsOf } from '../../../db/snapshot/facts.ts';
import { loadMenu } from '../../../db/sql/menus.ts';

/** Facts about the menu beside the figures; deleted records are not part of it. */
export interface MenuFacts {
  defaultLocale: Locale;
  supportedLocales: readonly Locale[];
  dishes: ReadonlyMap<number, StoredDish>;
  sections: ReadonlyMap<number, StoredSection>;
  /** The dishes that guests can see, in the order of the menu. */
  visibleDishes: readonly StoredDish[];
  /** The allergens of each of them with its choices. */
  visibleFacts: readonly Facts[];
  visibleSections: readonly StoredSection[];
  /** A name in the locale that was asked for. */
  name(record: { name_translations: Translations }): string;
}

/** @param locale of the names; the restaurant's default by default */
export async function loadMenuFacts(db: Db, tenantId: number, locale?: Locale): Promise<MenuFacts> {
  const menu = await loadMenu(db, tenantId);
  const { default_locale, supported_locales, fallback_locale } = menu.settings;
  const reading = {
    locale: locale ?? default_locale,
    fallback: fallback_locale,
    usual: default_locale,
  };
  const visible = flattenSections(arrangeMenu(menu, new Date()));
  const visibleDishes = visible.flatMap(({ dishes }) => dishes);
  const groups = new Map(menu.modifier_groups.map((group) => [group.id, group]));
  const byId = new Map(visibleDishes.map((dish) => [dish.id, dish]));
  const embed: Embed = (resource, id) =>
    (resource === 'items' ? byId.get(id as number) : groups.get(id as number)) ?? null;
  return {
    defaultLocale: default_locale,
    supportedLocales: supported_locales,
    dishes: new Map(menu.dishes.map((dish) => [dish.id, dish])),
    sections: new Map(menu.sections.map((section) => [section.id, section])),
    visibleDishes,
    visibleFacts: visibleDishes.map((dish) => factsOf(dish, embed)),
    visibleSections: visible.map(({ section }) => section),
    name: ({ name_translations }) => localize(name_translations, reading),
  };
}

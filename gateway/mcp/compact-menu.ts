import { type Locale, localize, readingIn } from '../../db/schema/values/locale.ts';
import { arrangeMenu, type SectionNode } from '../../db/snapshot/assemble.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';

/** A section of the menu, or a dish below it. */
type Entry = Record<string, unknown>;

/** The menu that guests see at a moment, as a flat list: each section before its dishes. */
export function compactMenu(menu: StoredMenu, locale: Locale, at: Date): Entry[] {
  const reading = readingIn(locale, menu.settings.fallback_locale);
  const entries: Entry[] = [];
  const add = ({ section, dishes, children }: SectionNode) => {
    entries.push({ section: localize(section.name_translations, reading), id: section.id });
    for (const dish of dishes)
      entries.push({
        ...{ id: dish.id, name: localize(dish.name_translations, reading), price: dish.price },
        ...(dish.variants.length > 0 && {
          sizes: dish.variants.map(({ label_translations, price }) => [
            localize(label_translations, reading),
            price,
          ]),
        }),
        ...(dish.is_sold_out && { is_sold_out: true }),
        allergens: dish.allergens_declared ? dish.allergens : null,
      });
    for (const child of children) add(child);
  };
  for (const node of arrangeMenu(menu, at)) add(node);
  return entries;
}

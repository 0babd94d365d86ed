import { randomUUID } from 'node:crypto';
import type { SentOperation } from '../../db/menu/plan.ts';
import type { Locale, Translations } from '../../db/schema/values/locale.ts';
import type { Collection } from '../../db/schema/values/resource.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';

/** A name as two of them are compared: form C, one blank between words, any capitals. */
export function sameName(name: string): string {
  return name.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
}

/** A record that a row names: one of the menu by its id, or one that is to be made. */
export type Named = { id: number } | { made: string };

/** Finds the records that rows name, and makes those that are missing. */
export interface OwnersMenu {
  /** The language that names must have. */
  fallback: Locale;
  section(name: string, row: number): Named;
  type(name: string, section: Named, row: number): Named;
  winery(name: string, row: number): Named;
  /** The next dish of the menu with that name in that section, which no row has named before. */
  dish(
    name: string,
    section: Named | null,
    vintage: string,
  ): StoredMenu['dishes'][number] | undefined;
  /** The dish of the menu that a row means by its id, else by its external id. */
  keyed(id: unknown, externalId: unknown): StoredMenu['dishes'][number] | undefined;
  /** The operations that make what is missing, in their order. */
  made: readonly SentOperation[];
}

const keyOf = (named: Named | null) => (named === null ? '' : JSON.stringify(named));
const namesOf = (texts: Translations) => new Set(Object.values(texts).map(sameName));

/** @param locale of the texts of new records */
export function createOwnersMenu(menu: StoredMenu, locale: Locale): OwnersMenu {
  const own = randomUUID();
  const made: SentOperation[] = [];
  const known = new Map<string, Named>();
  for (const { id, name_translations } of menu.sections) {
    for (const name of namesOf(name_translations)) known.set(`section ${name}`, { id });
  }
  for (const { id, category_id, name_translations } of menu.types) {
    const section = keyOf({ id: category_id });
    for (const name of namesOf(name_translations)) known.set(`type ${section} ${name}`, { id });
  }
  for (const { id, name } of menu.wineries) known.set(`winery ${sameName(name)}`, { id });
  const dishes = new Map<string, StoredMenu['dishes'][number][]>();
  const dishKeys = (name: string, section: Named | null, vintage: unknown) =>
    `${keyOf(section)} ${vintage ?? ''} ${name}`;
  for (const dish of menu.dishes) {
    for (const name of namesOf(dish.name_translations)) {
      // A table without sections finds dishes of all of them, one without vintages those of every year.
      for (const section of [{ id: dish.category_id }, null]) {
        for (const vintage of new Set([dish.vintage, null])) {
          const key = dishKeys(name, section, vintage);
          const list = dishes.get(key) ?? [];
          list.push(dish);
          dishes.set(key, list);
        }
      }
    }
  }
  const used = new Set<number>();
  const byId = new Map(menu.dishes.map((dish) => [String(dish.id), dish]));
  const byKey = new Map(menu.dishes.map((dish) => [dish.external_id, dish]));

  const find = (key: string, collection: Collection, row: number, data: object): Named => {
    const found = known.get(key);
    if (found) return found;
    const name = `${own}:${collection}:${made.length}`;
    const operation = { resource: collection, action: 'create', data };
    made.push({ operation, path: `${collection}.${made.length}`, row, name });
    known.set(key, { made: name });
    return { made: name };
  };
  const fallback = menu.settings.fallback_locale;
  const texts = (name: string) => ({ [fallback]: name, [locale]: name });
  return {
    fallback,
    made,
    section: (name, row) =>
      find(`section ${sameName(name)}`, 'categories', row, { name: texts(name) }),
    type: (name, section, row) =>
      find(`type ${keyOf(section)} ${sameName(name)}`, 'types', row, {
        ...referTo('category', section),
        name: texts(name),
      }),
    winery: (name, row) => find(`winery ${sameName(name)}`, 'wineries', row, { name }),
    dish: (name, section, vintage) => {
      const list = dishes.get(dishKeys(sameName(name), section, vintage || null)) ?? [];
      // Each dish leaves the list once, so that many rows with one name cost no more than others.
      for (let found = list.shift(); found; found = list.shift()) {
        if (used.has(found.id)) continue;
        used.add(found.id);
        return found;
      }
      return undefined;
    },
    keyed: (id, externalId) =>
      byId.get(String(id)) ?? (typeof externalId === 'string' ? byKey.get(externalId) : undefined),
  };
}

/** The field of a body that refers to a record. @param field such as `category` */
export function referTo(field: string, named: Named): Record<string, unknown> {
  return 'id' in named ? { [`${field}_id`]: named.id } : { [`${field}_external_id`]: named.made };
}

import type { AllergenKey } from '../schema/dictionary.ts';
import { timesOf } from '../schema/modifier-group.ts';
import type { Translations } from '../schema/values/locale.ts';
import type { OutMenu, SentDish } from './out-menu.ts';
import type { Reported } from './report.ts';

// Services know groups of options alone: sizes and the courses of a set menu become groups, too.

/** The words at the end of a key by which an import knows what a group was. */
export const SIZES = '.sizes';
export const COURSE = /\.course-\d+$/;

interface FlatOption {
  key: string;
  name: Translations;
  price: number;
  allergens: readonly AllergenKey[] | null;
  isSoldOut: boolean;
  abv_percent?: number | null | undefined;
}

export interface FlatGroup {
  key: string;
  name: Translations;
  min: number;
  /** Null for any number. */
  max: number | null;
  options: FlatOption[];
  /** The record and the field that it is of. */
  of: Reported;
  field: string;
}

/** The name of a group of sizes. */
const SIZE: Translations = { it: 'Formato', en: 'Size', de: 'Größe', fr: 'Taille', es: 'Tamaño' };

const option = { allergens: null, isSoldOut: false };

/** The price of a size above the cheapest, without the traces of binary fractions. */
const above = (price: number, least: number) => Number((price - least).toFixed(4));

/** The sizes of a dish as a group; an option costs what its size costs above the cheapest. */
function sizeGroup(menu: OutMenu, dish: SentDish): FlatGroup[] {
  const { variants } = dish.row;
  if (variants.length === 0) return [];
  if (variants.some(({ volume_ml }) => volume_ml)) menu.losses.lossy(dish, 'variants', 'noPlace');
  const least = leastPrice(dish);
  const options = variants.map((size, at) => ({
    ...{ ...option, name: size.label, price: above(size.price, least) },
    key: menu.partKey(dish, 'variants', size, `${dish.key}.size-${at + 1}`),
    abv_percent: size.abv_percent,
  }));
  const named = { of: dish, field: 'variants' };
  return [{ ...named, key: `${dish.key}${SIZES}`, name: SIZE, min: 1, max: 1, options }];
}

/** The price of a dish, or of its cheapest size. */
export function leastPrice({ row }: SentDish): number {
  return row.variants.length > 0 ? Math.min(...row.variants.map(({ price }) => price)) : row.price;
}

/** The courses of a set menu as groups; their dishes become texts. */
function courseGroups({ losses, dishNames }: OutMenu, dish: SentDish): FlatGroup[] {
  if (dish.row.courses.length > 0) losses.lossy(dish, 'courses', 'setMenuFlattened');
  return dish.row.courses.map(({ label, choose, options }, at) => {
    const key = `${dish.key}.course-${at + 1}`;
    return {
      ...{ key, name: label, min: choose, max: choose, of: dish, field: 'courses' },
      options: options.map(({ item_id, label: own, surcharge }, place) => ({
        ...option,
        key: `${key}.opt-${place + 1}`,
        name: dishNames.get(item_id) ?? own,
        price: surcharge,
      })),
    };
  });
}

/** The groups of options that dishes share. */
function sharedGroups({ groups, partKey, losses }: OutMenu): FlatGroup[] {
  return groups.map((group) => {
    const { key, row } = group;
    // Services have an option sold out, without a moment at which it comes back.
    if (row.options.some((option) => option.sold_out_until))
      losses.lossy(group, 'options', 'soldOut');
    if (row.options.some((option) => timesOf(option) > 1))
      losses.lossy(group, 'options', 'noPlace');
    return {
      ...{ key, name: row.name, min: row.min, max: row.max, of: group, field: 'name' },
      options: row.options.map((one, at) => ({
        ...{ name: one.label, price: one.price, allergens: one.allergens },
        key: partKey(group, 'options', one, `${key}.opt-${at + 1}`),
        isSoldOut: one.is_sold_out,
      })),
    };
  });
}

/** The groups of a menu: those that dishes share, and after them those of each dish. */
export function createFlatGroups(menu: OutMenu) {
  const all = sharedGroups(menu);
  const byKey = new Map(all.map((group) => [group.key, group]));
  const keep = (own: FlatGroup[]) => {
    all.push(...own);
    return own;
  };
  return {
    all,
    shared: ({ groups }: SentDish) => groups.flatMap(({ key }) => byKey.get(key) ?? []),
    courses: (dish: SentDish) => keep(courseGroups(menu, dish)),
    /** Those of its sizes and courses. */
    own: (dish: SentDish) => keep([...sizeGroup(menu, dish), ...courseGroups(menu, dish)]),
  };
}

import { ALLERGEN_OF } from '../schema/dictionary.ts';
import type { StoredDish } from '../schema/dish.ts';
import type { Collection } from '../schema/values/resource.ts';
import { isSumOfDishes } from '../snapshot/facts.ts';
import type { MenuRow, StoredMenu } from '../sql/menus.ts';
import type { Demand } from './countries/country-law.ts';

/** A field that a rule needs and that a record lacks. */
interface Lack {
  resource: Collection | 'settings';
  record: MenuRow;
  field: string;
}

/** A menu as checks read it: its dishes that guests see, or will see. */
export interface CheckedMenu {
  settings: StoredMenu['settings'];
  dishes: readonly StoredDish[];
  /** Sections of wines and other drinks. */
  wineSections: ReadonlySet<number>;
}

const lacks = (dishes: readonly StoredDish[], field: string): Lack[] =>
  dishes.map((record) => ({ resource: 'items', record, field }));

const DRINK_UNITS: ReadonlySet<string> = new Set([
  'glass',
  'carafe',
  'bottle',
  'half_litre',
  'litre',
]);
/** Their price is that of a volume. */
const VOLUME_UNITS: ReadonlySet<string> = new Set(['half_litre', 'litre']);

/** Whether a dish is known to be a drink: by its section, its unit, or its alcohol or volume. */
function isDrink(dish: StoredDish, { wineSections }: CheckedMenu): boolean {
  const { price_unit, category_id, variants, abv_percent, volume_ml } = dish;
  return (
    wineSections.has(category_id) ||
    (price_unit !== null && DRINK_UNITS.has(price_unit)) ||
    [{ abv_percent, volume_ml }, ...variants].some(
      (one) => (one.abv_percent ?? one.volume_ml ?? null) !== null,
    )
  );
}

const VEGETARIAN: ReadonlySet<string> = new Set(['vegetarian', 'vegan']);
const MEAT: ReadonlySet<string> = new Set(['beef', 'pork', 'sheep', 'poultry', 'meat']);

/** Whether a dish may have meat or fish and does not say so. */
function mayHide(dish: StoredDish, found: 'meat' | 'fish', menu: CheckedMenu): boolean {
  if (isSumOfDishes(dish.courses)) return false;
  const names = (kinds: ReadonlySet<string>) => dish.origins.some(({ kind }) => kinds.has(kind));
  if (found === 'fish') {
    return dish.allergens.includes('pesce') && !names(new Set(['fish']));
  }
  // A name does not tell meat: a dish counts until it is vegetarian or states an origin.
  const isVegetarian = dish.labels.some((label) => VEGETARIAN.has(label));
  return dish.origins.length === 0 && !isVegetarian && !isDrink(dish, menu) && !names(MEAT);
}

function checkOrigins(
  { kinds, parts, found }: Extract<Demand, { check: 'origins' }>,
  menu: CheckedMenu,
): Lack[] {
  const isTold = (origin: StoredDish['origins'][number]) =>
    parts.some((list) => list.every((part) => origin[part]));
  const isWrong = (dish: StoredDish) =>
    mayHide(dish, found, menu) ||
    dish.origins.some((one) => kinds.includes(one.kind) && !isTold(one));
  return lacks(menu.dishes.filter(isWrong), 'origins');
}

/** The strongest of a drink and its sizes, in percent. */
function strength({ abv_percent, variants }: StoredDish): number {
  return Math.max(
    ...[abv_percent, ...variants.map((one) => one.abv_percent)].map((one) => one ?? 0),
  );
}

function checkVolume(menu: CheckedMenu): Lack[] {
  const isWrong = (dish: StoredDish) => {
    const { price_unit, variants, volume_ml } = dish;
    if (!isDrink(dish, menu) || (price_unit !== null && VOLUME_UNITS.has(price_unit))) return false;
    return variants.length > 0 ? variants.some((one) => !one.volume_ml) : volume_ml === null;
  };
  return menu.dishes.filter(isWrong).map((record) => {
    return {
      resource: 'items',
      record,
      field: record.variants.length > 0 ? 'variants' : 'volume_ml',
    };
  });
}

const ofSettings = ({ settings }: CheckedMenu, field: string, isLacking: boolean): Lack[] =>
  isLacking ? [{ resource: 'settings', record: settings as unknown as MenuRow, field }] : [];

/** The fields that a menu lacks by a rule, in the order of the menu. */
export function lackingFor(rule: Demand, menu: CheckedMenu): Lack[] {
  const { dishes, settings } = menu;
  switch (rule.check) {
    case 'allergens': {
      const isOpen = ({ allergens_declared, courses }: StoredDish) =>
        !allergens_declared && !isSumOfDishes(courses);
      return lacks(dishes.filter(isOpen), 'allergens');
    }
    case 'allergen_kinds': {
      const isOpen = ({ allergens, allergen_detail }: StoredDish) =>
        allergens.some(
          (key) =>
            rule.of.includes(key) && !allergen_detail.some((kind) => ALLERGEN_OF.get(kind) === key),
        );
      return lacks(dishes.filter(isOpen), 'allergen_detail');
    }
    case 'origins':
      return checkOrigins(rule, menu);
    case 'kcal': {
      const { abv_above = Number.POSITIVE_INFINITY } = rule;
      const isOpen = (dish: StoredDish) =>
        dish.kcal === null && !isSumOfDishes(dish.courses) && strength(dish) <= abv_above;
      return lacks(dishes.filter(isOpen), 'kcal');
    }
    case 'volume':
      return checkVolume(menu);
    case 'price':
      return lacks(
        dishes.filter(({ price, price_on_request }) => price_on_request || price === 0),
        'price',
      );
    case 'tax':
      return ofSettings(menu, 'prices_exclude_tax', settings.prices_exclude_tax);
    case 'service':
      return ofSettings(menu, 'service_charge_percent', (settings.service_charge_percent ?? 0) > 0);
    case 'cover_charge': {
      const texts = Object.values(settings.cover_charge_text_translations);
      const hasAmount = settings.cover_charge !== null || texts.every((text) => /\d/.test(text));
      return ofSettings(menu, 'cover_charge', !hasAmount);
    }
    default:
      return rule satisfies never;
  }
}

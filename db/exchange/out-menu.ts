import { keysOf } from '../runtime/keys.ts';
import { ALLERGEN_OF, type AllergenKey, type AllergenKind } from '../schema/dictionary.ts';
import type { Locale, Translations } from '../schema/values/locale.ts';
import { type Row, rowsIn } from '../schema/values/row.ts';
import type { Losses, OutOptions, Reported } from './report.ts';

// A menu as exports for other services take it: what guests see, in its order, with sections that
// do not nest.

interface Size {
  label: Translations;
  price: number;
  external_id?: string;
  volume_ml?: number | null;
  abv_percent?: number | null;
  is_sold_out?: boolean;
}

export interface Choice {
  label: Translations;
  price: number;
  external_id?: string;
  allergens: AllergenKey[] | null;
  is_sold_out: boolean;
  sold_out_until?: string | null;
  max?: number;
}

export interface Group extends Reported {
  key: string;
  row: Row & { name: Translations; min: number; max: number | null; options: Choice[] };
}

interface CourseOption {
  item_id: number | null;
  label: Translations;
  surcharge: number;
}

export interface DishRow extends Row {
  name: Translations;
  description: Translations;
  price: number;
  price_on_request: boolean;
  variants: Size[];
  offers: Row[];
  courses: { label: Translations; choose: number; options: CourseOption[] }[];
  allergens: AllergenKey[] | null;
  traces: AllergenKey[];
  allergen_detail?: AllergenKind[];
  additives: string[];
  labels: string[];
  kcal: number | null;
  serves?: number | null;
  ingredients?: Translations;
  portion?: Translations;
  abv_percent?: number | null;
  sold_out_until: string | null;
}

export interface SentDish extends Reported {
  key: string;
  row: DishRow;
  section: SentSection;
  groups: Group[];
  /** The address of its picture; null for none. */
  image: string | null;
}

export interface SentSection extends Reported {
  key: string;
  row: Row;
  /** From the top to itself. */
  path: readonly SentSection[];
  dishes: SentDish[];
}

/** The format of a service: how it is written, and the abilities that decide what is carried. */
export interface OutFormat {
  /** Makes the document of a menu. A step is one dish. */
  write(menu: OutMenu): Generator<void, Row>;
  /** Whether it takes dishes without a price. */
  takesNoPrice?: boolean;
  /** Whether it knows prices on request. */
  takesOnRequest?: boolean;
  /** Whether it knows sold-out dishes. */
  knowsSoldOut?: boolean;
  /** Whether its sections nest. */
  nests?: boolean;
  /** Whether it takes sections without dishes. */
  takesEmpty?: boolean;
  /** Whether its documents have no place for keys. */
  hasNoKeys?: boolean;
  /** Signs that its ids may not have. */
  notInIds?: RegExp;
  /** Fields that it carries, by collection. */
  carries: {
    items: readonly string[];
    categories: readonly string[];
    groups: readonly string[];
    settings: readonly string[];
  };
}

export interface OutMenu {
  settings: Row;
  currency: string;
  /** The language of services that have one. */
  locale: Locale;
  locales: readonly Locale[];
  sections: SentSection[];
  groups: Group[];
  options: OutOptions;
  losses: Losses;
  format: OutFormat;
  /** The names of dishes by their ids, for options of courses. */
  dishNames: ReadonlyMap<unknown, Translations>;
  /** A text in the one language of the service; reports the others. */
  one(record: Reported, field: string, texts: Translations | undefined, max?: number): string;
  /** The key of an object of a list, such as a size: its own, or one made of its place. */
  partKey(record: Reported, field: string, part: { external_id?: string }, made: string): string;
  /** An amount in the smallest unit of a currency of so many decimals. */
  units(amount: number, decimals?: number): number;
}

const settingsRecord: Reported = { resource: 'settings', id: null, name: '' };

/** The settings as a report names them. */
export const namedSettings = (row: Row): Reported => ({
  ...settingsRecord,
  name: String(row.name),
});

/** The name of a section with those in which it stands, in each of its languages. */
export function joinedNames({ path }: SentSection): Translations {
  const names = path.map(({ row }) => row.name as Translations);
  const own = names.at(-1) ?? {};
  return Object.fromEntries(keysOf(own).map((code) => [code, joinNames(names, code)]));
}

/** Names from the top down as one, in a language where they have it. */
export function joinNames(names: readonly Translations[], code: Locale): string {
  return names.map((one) => one[code] ?? Object.values(one)[0]).join(' – ');
}

/** An amount in hundredths, for services that know no other parts; more decimals are named. */
export function hundredthsOf(menu: OutMenu, record: Reported, amount: number): number {
  const price = menu.units(amount, 2);
  if (price / 100 !== amount) menu.losses.lossy(record, 'price', 'noPlace');
  return price;
}

/** The rate of VAT of a dish in percent, as far as it was given. */
export function vatOf({ options }: OutMenu, dish: SentDish): number | null {
  return isDrink(dish) ? options.vatDrinks : options.vatFood;
}

/** Names a rate of VAT that was not given, for services that want both. */
export function nameMissingVat({ options, losses, settings }: OutMenu): void {
  if (options.vatFood === null || options.vatDrinks === null) {
    losses.lossy(namedSettings(settings), 'vat', 'vatMissing');
    // It is said with the rate.
    if (settings.prices_exclude_tax) {
      losses.lossy(namedSettings(settings), 'prices_exclude_tax', 'vatMissing');
    }
  }
}

/** Whether a dish is a wine or another drink with alcohol, as far as it says. */
export function saysAlcohol({ abv_percent, ...row }: Row): boolean {
  if (typeof abv_percent === 'number') return abv_percent > 0;
  return Boolean(row.vintage || row.non_vintage || row.grapes || row.denomination || row.winery_id);
}

/** Names what sizes say beside their names and prices, for services without a place for it. */
export function nameSizes({ losses, format }: OutMenu, dish: SentDish): void {
  const says = ({ volume_ml, abv_percent, external_id }: Size) =>
    typeof volume_ml === 'number' ||
    typeof abv_percent === 'number' ||
    (format.hasNoKeys === true && external_id !== undefined);
  if (dish.row.variants.some(says)) losses.lossy(dish, 'variants', 'noPlace');
}

/** The kinds of the allergens that a dish contains; kinds of traces are named. */
export function containedKinds({ losses }: OutMenu, dish: SentDish): AllergenKind[] {
  const { allergens, allergen_detail: kinds = [] } = dish.row;
  const contained = kinds.filter((kind) => {
    const key = ALLERGEN_OF.get(kind);
    return key !== undefined && allergens?.includes(key);
  });
  if (contained.length < kinds.length) losses.lossy(dish, 'allergen_detail', 'noPlace');
  return contained;
}

/** The section whose hours hold for a section: itself, or one in which it stands; null for none. */
export function timedSection({ losses }: OutMenu, section: SentSection): SentSection | null {
  const timed = section.path.filter(
    ({ row }) => row.time_visibility_enabled === true && rowsIn(row.hours).length > 0,
  );
  const found = timed.at(-1) ?? null;
  // Guests see it when all of them are served.
  if (timed.some((one) => one !== section)) losses.lossy(section, 'hours', 'sectionJoined');
  return found;
}

const DRINK_UNITS = ['glass', 'carafe', 'bottle', 'half_litre', 'litre'];

/** Whether a dish is a drink, as far as it says. */
function isDrink({ row, section }: SentDish): boolean {
  return (
    section.row.menu_type === 'wine' ||
    saysAlcohol(row) ||
    typeof row.volume_ml === 'number' ||
    row.variants.some(({ volume_ml }) => typeof volume_ml === 'number') ||
    DRINK_UNITS.includes(String(row.price_unit))
  );
}

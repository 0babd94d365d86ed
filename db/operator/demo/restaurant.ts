import { readFileSync } from 'node:fs';
import { differenceInSteps } from '../../history/difference.ts';
import { applyChange } from '../../menu/change.ts';
import { importOperations } from '../../menu/import-operations.ts';
import { publishVersion } from '../../menu/new-version.ts';
import { planOperations } from '../../menu/plan.ts';
import type { Db } from '../../postgres/sql.ts';
import { inOneGo } from '../../runtime/in-slices.ts';
import type { AllergenKey } from '../../schema/dictionary.ts';
import { MENU_COLLECTIONS } from '../../schema/registry.ts';
import type { Settings } from '../../schema/settings.ts';
import type { Theme } from '../../schema/theme.ts';
import { sayErrors } from '../../schema/validation/messages.ts';
import type { Locale, Translations } from '../../schema/values/locale.ts';
import type { Row } from '../../schema/values/row.ts';
import { UPKEEP } from '../../schema/version.ts';
import { loadMenu, type StoredMenu } from '../../sql/menus.ts';
import { createTenant } from '../../sql/tenants.ts';

type SettingsText = 'cover_charge_text' | 'allergen_info' | 'recommended_label';
/** Fields that a document may leave out. */
type SettingsRest =
  | 'opening_hours'
  | 'closures'
  | 'special_hours'
  | 'map_url'
  | 'social_urls'
  | 'cuisine';

/**
 * A whole menu as one document. Records name each other by `external_id`, and stand in display order.
 * A field that is missing has its declared default, and a plain text is in the default language.
 */
export interface DemoDocument {
  format: 'lavagna-menu/1';
  settings: Omit<
    Settings,
    'id' | 'slug' | 'currency' | `${string}_translations` | SettingsText | SettingsRest
  > &
    Record<SettingsText, string | Translations> & {
      timezone: string;
      currency?: string;
      fallback_locale?: Locale;
      opening_hours?: Settings['opening_hours'];
      closures?: { date_start: string; date_end?: string; text?: Translations }[];
      special_hours?: {
        date: string;
        time_start: string;
        time_end: string;
        text?: Translations;
      }[];
      map_url?: string;
      social_urls?: string[];
      cuisine?: Translations;
    };
  theme: Omit<Theme, 'id' | 'footer_text' | 'dark_mode' | `${string}_translations`> & {
    dark_mode?: boolean;
    footer_text: string | Translations;
  };
  categories: SectionEntry[];
  types: TypeEntry[];
  wineries: WineryEntry[];
  items: DishEntry[];
}

export interface DemoRestaurant extends DemoDocument {
  slug: string;
}

export interface SectionEntry {
  external_id: string;
  parent_external_id?: string;
  menu_type: 'standard' | 'wine';
  name: Translations;
  notes?: string | Translations;
  is_active?: boolean;
  show_subcategories?: boolean;
  time_visibility_enabled?: boolean;
  time_start?: string;
  time_end?: string;
}

export interface TypeEntry {
  external_id: string;
  category_external_id: string;
  name: Translations;
  is_active?: boolean;
}

export interface WineryEntry {
  external_id: string;
  name: string;
  region: string;
  country: string;
  website: string | null;
  description: Translations;
}

export interface DishEntry {
  external_id: string;
  category_external_id: string;
  type_external_id?: string;
  winery_external_id?: string;
  name: Translations;
  description?: Translations;
  price: number;
  /** Null: not declared. */
  allergens: AllergenKey[] | null;
  is_active?: boolean;
  is_recommended?: boolean;
}

function readMenu(slug: string): DemoRestaurant {
  const text = readFileSync(new URL(`./menus/${slug}.json`, import.meta.url), 'utf8');
  const document: DemoDocument = JSON.parse(text);
  return { slug, ...document };
}

/** A Roman trattoria in five languages; its wines stand second, and yet come last on the menu. */
export const trattoria = readMenu('trattoria');
/** A South Tyrolean pizzeria whose first language is German. */
export const pizzeria = readMenu('pizzeria');

/**
 * Five more kinds of house: a pizzeria with sizes, a wine bar, a fish restaurant that sells by weight,
 * an ice-cream parlour, and a German inn with additives.
 */
export const houses: readonly DemoRestaurant[] = [
  'forno',
  'calice',
  'scoglio',
  'gelateria',
  'gasthaus',
].map(readMenu);

/** A café with groups of options, a trattoria with two set menus, and a wine bar with happy hours. */
export const samples: readonly DemoRestaurant[] = ['tazzina', 'fornello', 'tappo'].map(readMenu);

/** Houses in Kuwait, Poland, Kyoto and on Crete, none of them with Italian texts. */
export const abroad: readonly DemoRestaurant[] = ['bayt', 'karczma', 'yamabuki', 'avli'].map(
  readMenu,
);

/**
 * Houses in Switzerland and in a chain of California. With the fish restaurant in Italy and the inn in
 * Germany they name their countries, and lack some of what the laws there ask of a menu.
 */
export const underLaws: readonly DemoRestaurant[] = ['roessli', 'poppy'].map(readMenu);

/** Imports a document into an empty menu, and returns the menu. */
async function importDocument(
  db: Db,
  tenantId: number,
  empty: StoredMenu,
  { slug, ...document }: DemoRestaurant,
): Promise<StoredMenu> {
  const entries: Row = document;
  const lists = Object.fromEntries(MENU_COLLECTIONS.map((name) => [name, entries[name] ?? []]));
  const { settings, theme } = document;
  const operations = inOneGo(importOperations({ settings, theme, lists, ignored: [] }));
  const rules = { namesOnce: true, earliest: null };
  const { results, errors, menu } = await applyChange(db, tenantId, empty, (draft) =>
    planOperations(draft, operations, rules),
  );
  if (menu) return menu;
  const wrong = [...results, { path: '', errors }].filter((one) => Object.keys(one.errors).length);
  const said = wrong.map((one) => [one.path, sayErrors(one.errors, one.path)]);
  throw new Error(`${slug} breaks rules: ${JSON.stringify(said)}`);
}

/**
 * Creates a tenant with its whole menu and its snapshots, and returns its id, or null when its slug
 * is taken. It belongs in a transaction.
 */
export async function plantRestaurant(db: Db, restaurant: DemoRestaurant): Promise<number | null> {
  const { slug, settings } = restaurant;
  const tenantId = await createTenant(db, {
    slug,
    name: settings.name,
    defaultLocale: settings.default_locale,
    supportedLocales: settings.supported_locales,
    timezone: settings.timezone,
  });
  if (tenantId === null) return null;
  const empty = await loadMenu(db, tenantId);
  const menu = await importDocument(db, tenantId, empty, restaurant);
  const changes = inOneGo(differenceInSteps(empty, menu));
  await publishVersion(db, tenantId, [{ ...UPKEEP, changes }], true);
  return tenantId;
}

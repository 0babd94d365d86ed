import { plantRestaurant } from '../../db/operator/demo/plant-restaurant.ts';
import type { DemoDish, DemoRestaurant, DemoSection } from '../../db/operator/demo/restaurant.ts';
import { trattoria } from '../../db/operator/demo/trattoria/index.ts';
import { createDatabase, type Database } from '../../db/postgres/connection.ts';
import { constants } from '../../db/runtime/constants.ts';

/** A pool for a test's own reads and writes. */
export function openDatabase(url: string): Promise<Database> {
  return createDatabase(url, {
    maxConnections: 4,
    statementTimeout: 30_000,
    connectionTimeout: 5_000,
  });
}

/** Plants a restaurant and returns its id. */
export async function plant(db: Database, restaurant: DemoRestaurant): Promise<number> {
  const id = await db.transaction((tx) => plantRestaurant(tx, restaurant));
  if (id === null) throw new Error(`${restaurant.slug} is there already`);
  return id;
}

/** The trattoria in colours that nobody who is well would choose. */
export const oddTheme: DemoRestaurant['theme'] = {
  ...trattoria.theme,
  primary_color: '#FFFF33',
  accent_color: '#FF00AA',
  background_color: '#8A8A8A',
  text_color: '#909090',
};

/** A restaurant with the given sections and, but for its slug, the trattoria's settings. */
export function restaurantOf(
  slug: string,
  sections: DemoSection[],
  settings: Partial<DemoRestaurant['settings']> = {},
): DemoRestaurant {
  return {
    ...trattoria,
    slug,
    sections,
    settings: { ...trattoria.settings, name: slug, ...settings },
  };
}

export function sectionOf(name: string, parts: Partial<DemoSection> = {}): DemoSection {
  return {
    name: { it: name },
    menu_type: 'standard',
    notes: '',
    types: [],
    dishes: [],
    children: [],
    ...parts,
  };
}

/** Sections one in the other, as deep as the API takes them, each with a type and its dishes. */
export function nestedSections(depth = 1): DemoSection {
  return sectionOf(`Livello ${depth}`, {
    show_subcategories: true,
    types: [{ name: { it: 'Crudi' } }],
    dishes: [dishOf('Alici', { allergens: ['pesce'] }), dishOf('Tartara', { type: 'Crudi' })],
    children: depth < constants.maxSectionDepth ? [nestedSections(depth + 1)] : [],
  });
}

export function dishOf(name: string, parts: Partial<DemoDish> = {}): DemoDish {
  return { name: { it: name }, description: {}, price: 1, allergens: [], ...parts };
}

import { createHash } from 'node:crypto';
import {
  type DemoRestaurant,
  type DishEntry,
  plantRestaurant,
  type SectionEntry,
  type TypeEntry,
  trattoria,
  type WineryEntry,
} from '../../db/operator/demo/restaurant.ts';
import { createDatabase, type Database } from '../../db/postgres/connection.ts';
import { constants } from '../../db/runtime/constants.ts';

/** A pool for a test's own reads and writes. */
export function openDatabase(url: string): Promise<Database> {
  return createDatabase(url, {
    maxConnections: 4,
    statementTimeout: 60_000,
    connectionTimeout: 60_000,
  });
}

/** Plants a restaurant and returns its id. */
export async function plant(db: Database, restaurant: DemoRestaurant): Promise<number> {
  const id = await db.transaction((tx) => plantRestaurant(tx, restaurant));
  if (id === null) throw new Error(`${restaurant.slug} is there already`);
  return id;
}

/** The trattoria in colours that no owner would choose. */
export const oddTheme: DemoRestaurant['theme'] = {
  ...trattoria.theme,
  primary_color: '#FFFF33',
  accent_color: '#FF00AA',
  background_color: '#8A8A8A',
  text_color: '#909090',
};

/** A dish of a section; it names its type and its winery as they are called. */
interface DishParts extends Omit<DishEntry, 'external_id' | 'category_external_id'> {
  /** The Italian name of a type of the same section. */
  type?: string;
  winery?: string;
}

/** A section with all that is in it. */
interface SectionParts extends Omit<SectionEntry, 'external_id' | 'parent_external_id'> {
  /** When it is shown. */
  time_visibility?: { start: string; end: string };
  types: Pick<TypeEntry, 'name' | 'is_active'>[];
  dishes: DishParts[];
  children: SectionParts[];
}

/** Short, and visible ASCII, whatever the name. */
function externalId(within: string, name = ''): string {
  return `${within}/${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
}

/** One of the trattoria's, or one that `wineryOf` makes. */
function wineryId(name: string): string {
  const known = trattoria.wineries.find((winery) => winery.name === name);
  return known?.external_id ?? externalId('', name);
}

type Lists = Pick<DemoRestaurant, 'categories' | 'types' | 'items'>;

function addSection(lists: Lists, section: SectionParts, id: string, parent?: string): void {
  const { types, dishes, children, time_visibility: hours, ...own } = section;
  const category_external_id = id;
  lists.categories.push({
    ...own,
    external_id: id,
    ...(parent !== undefined && { parent_external_id: parent }),
    ...(hours && { time_visibility_enabled: true, time_start: hours.start, time_end: hours.end }),
  });
  for (const one of types) {
    lists.types.push({ ...one, external_id: externalId(id, one.name.it), category_external_id });
  }
  for (const [index, { type, winery, ...dish }] of dishes.entries()) {
    lists.items.push({
      ...dish,
      external_id: `${id}/${index}`,
      category_external_id,
      ...(type !== undefined && { type_external_id: externalId(id, type) }),
      ...(winery !== undefined && { winery_external_id: wineryId(winery) }),
    });
  }
  for (const [index, child] of children.entries()) addSection(lists, child, `${id}.${index}`, id);
}

/** A restaurant with the given sections and, but for its slug, the trattoria's settings. */
export function restaurantOf(
  slug: string,
  sections: SectionParts[],
  settings: Partial<DemoRestaurant['settings']> = {},
): DemoRestaurant {
  const lists: Lists = { categories: [], types: [], items: [] };
  for (const [index, section] of sections.entries()) addSection(lists, section, String(index));
  return {
    ...trattoria,
    ...lists,
    slug,
    settings: { ...trattoria.settings, name: slug, ...settings },
  };
}

/** @param parts or its dishes alone */
export function sectionOf(
  name: string,
  parts: Partial<SectionParts> | DishParts[] = {},
): SectionParts {
  return {
    name: { it: name },
    menu_type: 'standard',
    notes: '',
    types: [],
    dishes: [],
    children: [],
    ...(Array.isArray(parts) ? { dishes: parts } : parts),
  };
}

/** Sections one in the other, as deep as the API takes them, each with a type and its dishes. */
export function nestedSections(depth = 1): SectionParts {
  return sectionOf(`Livello ${depth}`, {
    show_subcategories: true,
    types: [{ name: { it: 'Crudi' } }],
    dishes: [dishOf('Alici', { allergens: ['pesce'] }), dishOf('Tartara', { type: 'Crudi' })],
    children: depth < constants.maxSectionDepth ? [nestedSections(depth + 1)] : [],
  });
}

export function dishOf(name: string, parts: Partial<DishParts> = {}): DishParts {
  return { name: { it: name }, description: {}, price: 1, allergens: [], ...parts };
}

/** A winery that dishes name as it is called. */
export function wineryOf(name: string, parts: Partial<WineryEntry> = {}): WineryEntry {
  const place = { region: '', country: '', website: null, description: {} };
  return { external_id: wineryId(name), name, ...place, ...parts };
}

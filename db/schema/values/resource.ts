import * as v from 'valibot';

/** Records that a restaurant has many of, by their names in bodies and documents. */
export const COLLECTIONS = [
  'categories',
  'items',
  'types',
  'wineries',
  'modifier_groups',
  'photos',
] as const;
export type Collection = (typeof COLLECTIONS)[number];

/** Records that every restaurant has one of. */
export const SINGLETONS = ['settings', 'theme'] as const;
type Singleton = (typeof SINGLETONS)[number];

export type Resource = Collection | Singleton;

export const resourceSchema = v.picklist([...COLLECTIONS, ...SINGLETONS]);

export function isResource(name: unknown): name is Resource {
  return v.is(resourceSchema, name);
}

const names: ReadonlySet<string> = new Set(COLLECTIONS);

export function isCollection(resource: Resource): resource is Collection {
  return names.has(resource);
}

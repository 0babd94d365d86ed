import * as v from 'valibot';
import { keysOf } from '../runtime/keys.ts';
import { dish } from './dish.ts';
import type { Field, ReferenceOptions } from './field.ts';
import { modifierGroup } from './modifier-group.ts';
import { photo } from './photo.ts';
import type { RecordType } from './record.ts';
import { section, type } from './section.ts';
import { settings } from './settings.ts';
import { theme } from './theme.ts';
import { winery } from './winery.ts';

/** Records that a restaurant has many of, by their name in the admin API's paths. */
const collections = {
  categories: section,
  items: dish,
  types: type,
  wineries: winery,
  modifier_groups: modifierGroup,
  photos: photo,
};
/** Records that every restaurant has one of. */
const singletons = { settings, theme };

export type Collection = keyof typeof collections;
type Singleton = keyof typeof singletons;
export type Resource = Collection | Singleton;

export const COLLECTIONS = keysOf(collections);
export const SINGLETONS = keysOf(singletons);

/** Every record of a restaurant. */
export const records = { ...collections, ...singletons } as unknown as Record<Resource, RecordType>;

/** Collections that are a part of the menu. */
export const MENU_COLLECTIONS = COLLECTIONS.filter((collection) => records[collection].isOnMenu);

export const resourceSchema = v.picklist([...COLLECTIONS, ...SINGLETONS]);

export function isCollection(resource: Resource): resource is Collection {
  return resource in collections;
}

/** Its name in the paths of the admin API. */
export function pathOf(resource: string): string {
  return resource.replaceAll('_', '-');
}

export const actionSchema = v.picklist(['create', 'change', 'delete', 'restore']);
/** The ways to write a record. */
export type Action = v.InferOutput<typeof actionSchema>;

/** A field that names another record, and the records in question. */
export interface Reference {
  /** The record that has the field. */
  from: RecordType;
  field: string;
  to: RecordType;
  isNullable: boolean;
  /** It names one record, in a column of its own. */
  isSingle: boolean;
  options: ReferenceOptions;
}

function referencesOf(from: RecordType): Reference[] {
  return Object.entries<Field>(from.fields).flatMap(
    ([field, { target, options, isRequired, kind }]) => {
      if (target === undefined) return [];
      const to = records[target as Resource];
      const isSingle = kind === 'reference';
      const more = { isNullable: !isRequired, isSingle, options: options as ReferenceOptions };
      return [{ from, field, to, ...more }];
    },
  );
}

const byRecord = new Map(
  Object.values(records).map((record) => [record, referencesOf(record)] as const),
);

/** The fields of a record that name others. */
export function referencesFrom(record: RecordType): readonly Reference[] {
  return byRecord.get(record) ?? [];
}

/** The fields of any record that name one of these. */
export function referencesTo(record: RecordType): readonly Reference[] {
  return [...byRecord.values()].flat().filter(({ to }) => to === record);
}

/** Collections in an order in which a record stands before those that it names. */
export function purgeOrder(): Collection[] {
  const rest = new Set<Collection>(COLLECTIONS);
  const order: Collection[] = [];
  const isNamed = (collection: Collection) =>
    referencesTo(records[collection]).some(
      ({ from, to }) => from !== to && rest.has(from.resource as Collection),
    );
  while (rest.size > 0) {
    const next = [...rest].filter((collection) => !isNamed(collection));
    if (next.length === 0) throw new Error('records name each other in a circle');
    for (const collection of next) rest.delete(collection);
    order.push(...next);
  }
  return order;
}

/** The parameters of `/items` that fields of dishes give: each field with what it selects. */
export const dishFilters = Object.entries<Field>(dish.fields).flatMap(([name, field]) =>
  field.options.filter === undefined ? [] : [{ name, field, selects: field.options.filter }],
);

/** The fields of dishes that filters look at; `exclude_allergens` needs three of them. */
export const filteredFields: readonly string[] = [
  ...dishFilters.map(({ name }) => name),
  'allergens',
  'traces',
  'allergens_declared',
];

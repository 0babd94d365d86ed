import * as v from 'valibot';
import { dish } from './dish.ts';
import type { Field, ReferenceOptions } from './field.ts';
import { modifierGroup } from './modifier-group.ts';
import { photo } from './photo.ts';
import type { RecordType } from './record.ts';
import { section, type } from './section.ts';
import { settings } from './settings.ts';
import { theme } from './theme.ts';
import { externalName } from './values/record-id.ts';
import { COLLECTIONS, type Collection, type Resource } from './values/resource.ts';
import { winery } from './winery.ts';

type Named<R extends Resource> = RecordType & { resource: R };

/** Every record of a restaurant. */
export const records = {
  categories: section,
  items: dish,
  types: type,
  wineries: winery,
  modifier_groups: modifierGroup,
  photos: photo,
  settings,
  theme,
} as unknown as { readonly [R in Resource]: Named<R> };

export const MENU_COLLECTIONS = COLLECTIONS.filter((collection) => records[collection].isOnMenu);

/** Its name in the paths of the admin API. */
export function pathOf(resource: string): string {
  return resource.replaceAll('_', '-');
}

export const actionSchema = v.picklist([
  ...(['create', 'change', 'merge', 'delete', 'restore'] as const),
  // Fields of a branch's record that go back to the master.
  'follow',
]);
/** The ways to write a record. */
export type Action = v.InferOutput<typeof actionSchema>;

/** A field that names another record, and the records in question. */
export interface Reference {
  from: RecordType;
  field: string;
  /** The field in which a body may give external ids instead; the same for those within a list. */
  external: string;
  to: Named<Collection>;
  isNullable: boolean;
  /** It names one record, in a column of its own. */
  isSingle: boolean;
  options: ReferenceOptions;
}

function referencesOf(from: RecordType): Reference[] {
  return Object.entries<Field>(from.fields).flatMap(
    ([field, { target, options, isRequired, kind }]) => {
      if (target === undefined) return [];
      const to = records[target];
      const isSingle = kind === 'reference';
      const more = { isNullable: !isRequired, isSingle, options: options as ReferenceOptions };
      return [{ from, field, external: externalName(field), to, ...more }];
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
  const rest = new Set<Resource>(COLLECTIONS);
  const order: Collection[] = [];
  const isNamed = (collection: Collection) =>
    referencesTo(records[collection]).some(
      ({ from, to }) => from !== to && rest.has(from.resource),
    );
  while (rest.size > 0) {
    const next = COLLECTIONS.filter((one) => rest.has(one) && !isNamed(one));
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

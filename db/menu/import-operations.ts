import { randomUUID } from 'node:crypto';
import { parentsFirst } from '../runtime/parents-first.ts';
import { DOCUMENT_ORDER } from '../schema/bulk.ts';
import { records, referencesFrom } from '../schema/registry.ts';
import type { StaleText } from '../schema/translation.ts';
import type { Input } from '../schema/validation/check-input.ts';
import { externalName } from '../schema/values/record-id.ts';
import type { Collection } from '../schema/values/resource.ts';
import { isObject } from '../schema/values/row.ts';
import type { SentOperation } from './plan.ts';

/** A whole menu as one document, each of its records unchecked. */
export interface MenuDocument {
  settings?: Input | undefined;
  theme?: Input | undefined;
  lists: Partial<Record<Collection, readonly unknown[]>>;
  /** Fields of the document itself that have no meaning here. */
  ignored: readonly string[];
  /** Translations whose sources have changed since. */
  staleTexts?: readonly StaleText[] | undefined;
  /** The rows in which the dishes of a table stand, as a spreadsheet counts. */
  rows?: readonly number[];
}

/** Sections behind those in which they stand, whatever their order in the document. */
function sectionsInOrder(entries: readonly [index: number, section: unknown][]) {
  const byId = new Map<unknown, [number, unknown]>();
  const byKey = new Map<unknown, [number, unknown]>();
  for (const entry of entries) {
    const [, section] = entry;
    if (!isObject(section)) continue;
    byId.set(section.id ?? section, entry);
    byKey.set(section.external_id ?? section, entry);
  }
  const parentOf = ([, section]: [number, unknown]) => {
    if (!isObject(section)) return undefined;
    return byKey.get(section.parent_external_id) ?? byId.get(section.parent_id);
  };
  return parentsFirst(entries, parentOf);
}

/** Dishes before the set menus that name them. */
function setMenusLast(entries: readonly [index: number, dish: unknown][]) {
  const isMenu = ([, dish]: readonly [number, unknown]) =>
    isObject(dish) && Array.isArray(dish.courses) && dish.courses.length > 0;
  return [...entries.filter((entry) => !isMenu(entry)), ...entries.filter(isMenu)];
}

/**
 * Courses whose options name dishes by external ids, or by their names in the document.
 *
 * @param nameOf the name of a dish of the document by its id there; null for another dish
 */
function namedOptions(courses: unknown, nameOf: (id: unknown) => string | null): unknown {
  if (!Array.isArray(courses)) return courses;
  const named = (option: unknown) => {
    if (!isObject(option)) return option;
    const { item_id, ...rest } = option;
    if (typeof rest.item_external_id === 'string') return rest;
    const name = nameOf(item_id);
    return name === null ? option : { ...rest, item_external_id: name };
  };
  return courses.map((course: unknown) =>
    isObject(course) && Array.isArray(course.options)
      ? { ...course, options: course.options.map(named) }
      : course,
  );
}

/** A photo that settings name by an id of the document is named by its digest, too, or is another's. */
function singletonOperations(singletons: readonly { resource: string; data: Input }[]) {
  return singletons.map(({ resource, data }): SentOperation => {
    const left = { ...data };
    for (const { field } of referencesFrom(records[resource as 'settings'])) {
      if (typeof left[externalName(field)] === 'string') delete left[field];
    }
    return { operation: { resource, action: 'upsert', data: left }, path: resource };
  });
}

/** Whether a document has a record with an id. */
function isIn(ids: ReadonlySet<unknown> | undefined, id: unknown): id is number {
  return typeof id === 'number' && ids?.has(id) === true;
}

/** The operations that give a menu the records of a document. A step is one record. */
export function* importOperations({
  settings,
  theme,
  lists,
  rows,
}: MenuDocument): Generator<void, SentOperation[]> {
  const operations: SentOperation[] = [];
  // A record's name in this document, by its id there: it may get another one here.
  const own = randomUUID();
  const nameIn = (collection: Collection, id: number) => `${own}:${collection}:${id}`;
  const idsOf = (collection: Collection) =>
    new Set((lists[collection] ?? []).map((one) => (isObject(one) ? one.id : undefined)));
  const ids = Object.fromEntries(DOCUMENT_ORDER.map((name) => [name, idsOf(name)]));

  const singletons: { resource: string; data: Input }[] = [];
  for (const [resource, data] of Object.entries({ settings, theme })) {
    if (!data) continue;
    const { id: _id, slug: _slug, ...fields } = data;
    singletons.push({ resource, data: fields });
  }
  for (const collection of DOCUMENT_ORDER) {
    const entries = [...(lists[collection] ?? []).entries()];
    const ordered =
      collection === 'categories'
        ? sectionsInOrder(entries)
        : collection === 'items'
          ? setMenusLast(entries)
          : entries;
    for (const [index, record] of ordered) {
      yield;
      const path = `${collection}.${index}`;
      if (!isObject(record)) {
        operations.push({ operation: record, path });
        continue;
      }
      const { id, external_id, ...fields } = record;
      // Null takes the key away from a record that is found by its id.
      const data = external_id === null ? { external_id, ...fields } : fields;
      for (const { field, external: name, to } of referencesFrom(records[collection])) {
        const target = to.resource;
        const known = ids[target];
        if (name === field) {
          if (data[field] === undefined) continue;
          data[field] = namedOptions(data[field], (one) =>
            isIn(known, one) ? nameIn(target, one) : null,
          );
        } else if (Array.isArray(data[name])) delete data[field];
        else if (Array.isArray(data[field])) {
          const list: unknown[] = data[field];
          if (list.length === 0 || !list.every((one) => isIn(known, one))) continue;
          data[name] = list.map((one) => nameIn(target, one as number));
          delete data[field];
        } else if (typeof data[name] === 'string') delete data[field];
        else if (isIn(known, data[field])) {
          data[name] = nameIn(target, data[field]);
          delete data[field];
        }
      }
      operations.push({
        operation: { resource: collection, action: 'upsert', id, external_id, data },
        path,
        row: collection === 'items' ? rows?.[index] : undefined,
        name: typeof id === 'number' ? nameIn(collection, id) : undefined,
      });
    }
  }
  return [...singletonOperations(singletons), ...operations];
}

import type { Db } from '../postgres/sql.ts';
import { inSlices } from '../runtime/in-slices.ts';
import { LazyList } from '../runtime/lazy-list.ts';
import { memoize } from '../runtime/memoize.ts';
import { DOCUMENT_FORMAT, DOCUMENT_ORDER } from '../schema/bulk.ts';
import { type RecordType, toDocument } from '../schema/record.ts';
import { records, referencesFrom } from '../schema/registry.ts';
import { externalName } from '../schema/values/record-id.ts';
import { type Resource, SINGLETONS } from '../schema/values/resource.ts';
import { type Row, rowsIn } from '../schema/values/row.ts';
import {
  checkedRows,
  type MenuRow,
  openMenu,
  receiveMenu,
  recordsOf,
  type StoredMenu,
  uncheckedRows,
} from '../sql/menus.ts';
import { findStalePairs } from '../sql/stale-texts.ts';
import { staleTexts } from './menu-texts.ts';

/** The records of one kind as documents have them, with their ids, in the order of `loadMenu`. */
export type DocumentRows = Iterable<MenuRow>;

/** The records of a kind as documents have them. */
export function* documentRows(rows: Iterable<MenuRow>, record: RecordType): Generator<MenuRow> {
  for (const row of rows) {
    // Its digest is no field that a body may write, and documents name photos by it.
    const { external_id } = row;
    yield { id: row.id, ...(record.isUploaded && { external_id }), ...toDocument(record, row) };
  }
}

const isText = (value: unknown) => typeof value === 'string';

/** Courses whose options name dishes by their external ids, too. */
function keyedCourses(courses: unknown, keyOf: (id: unknown) => unknown): unknown {
  const keyed = (option: Row) => {
    const key = keyOf(option.item_id);
    return typeof key === 'string' ? { ...option, item_external_id: key } : option;
  };
  return rowsIn(courses).map((course) => ({
    ...course,
    options: rowsIn(course.options).map(keyed),
  }));
}

/**
 * A whole menu as one document, which an import takes again (DESIGN, decision 15). The records of its
 * lists are made as they are read. A step is a record.
 *
 * @param keyed the same rows, as far as their ids and external ids
 */
export function* documentInSteps(
  rowsOf: (resource: Resource) => DocumentRows,
  keyed: (resource: Resource) => DocumentRows = rowsOf,
): Generator<void, Row> {
  const document: Row = { format: DOCUMENT_FORMAT };
  const keys = new Map<string, ReadonlyMap<unknown, unknown>>();
  for (const collection of DOCUMENT_ORDER) {
    const own = new Map<unknown, unknown>();
    for (const { id, external_id } of keyed(collection)) {
      own.set(id, external_id);
      yield;
    }
    keys.set(collection, own);
  }
  // Made once for each kind: a function that each record makes takes longer than its work.
  const references = memoize((resource: Resource) =>
    referencesFrom(records[resource]).map(({ field, to }) => {
      const own = keys.get(to.resource);
      return { field, external: externalName(field), keyOf: (id: unknown) => own?.get(id) };
    }),
  );
  /** A row that names others by their external ids, too. */
  const named = (resource: Resource, row: Row): Row => {
    const fields: Row = { ...row };
    for (const { field, external, keyOf } of references(resource)) {
      if (external === field) {
        if (field in fields) fields[field] = keyedCourses(fields[field], keyOf);
        continue;
      }
      const value = fields[field];
      const key = Array.isArray(value) ? value.map(keyOf) : keyOf(value);
      const isKeyed = Array.isArray(key) ? key.length > 0 && key.every(isText) : isText(key);
      if (isKeyed) fields[external] = key;
    }
    return fields;
  };
  for (const resource of SINGLETONS) {
    const [{ id: _id, ...fields } = { id: 0 }] = [...rowsOf(resource)];
    document[resource] = named(resource, fields);
  }
  for (const collection of DOCUMENT_ORDER) {
    document[collection] = new LazyList(function* () {
      for (const row of rowsOf(collection)) yield named(collection, row);
    });
  }
  return document;
}

/** A document with all of its records in memory, a record a step. */
export function* filledInSteps(document: Row): Generator<void, Row> {
  const filled = { ...document };
  for (const [name, value] of Object.entries(document)) {
    if (!(value instanceof LazyList)) continue;
    const list: unknown[] = [];
    for (const one of value) {
      list.push(one);
      yield;
    }
    filled[name] = list;
  }
  return filled;
}

type RowsOfKind = (record: RecordType) => Iterable<MenuRow>;

/** The same of records as they are stored. @param keysOf as far as their ids and external ids */
function storedDocument(rowsOf: RowsOfKind, keysOf = rowsOf): Generator<void, Row> {
  return documentInSteps(
    (resource) => documentRows(rowsOf(records[resource]), records[resource]),
    (resource) => keysOf(records[resource]),
  );
}

/** A stored menu as a document, a record a step. */
export function* menuDocument(menu: StoredMenu): Generator<void, Row> {
  return yield* filledInSteps(yield* storedDocument((record) => recordsOf(menu, record)));
}

/**
 * A restaurant's whole menu as the document that an import takes, with the translations whose sources
 * have changed since, where there are any. The records of its lists are made as they are read: all of
 * them in memory would cost a collection of it.
 *
 * @param db of one moment
 */
export async function exportMenu(
  db: Db,
  tenantId: number,
): Promise<{ version: number; document: Row }> {
  const menu = await receiveMenu(db, tenantId);
  const { version, portions } = menu;
  const pairs = await findStalePairs(db, tenantId);
  const stale = pairs.size > 0 ? await inSlices(staleTexts(await openMenu(menu), pairs)) : [];
  const written = await inSlices(
    storedDocument(
      (record) => checkedRows(portions, record),
      (record) => uncheckedRows(portions, record),
    ),
  );
  const document = { ...written, ...(stale.length > 0 && { stale_texts: stale }) };
  return { version, document };
}

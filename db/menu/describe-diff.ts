import { constants } from '../runtime/constants.ts';
import {
  type Called,
  countOutcomes,
  type DiffRecord,
  type ImportDiff,
  type OperationResult,
} from '../schema/bulk.ts';
import type { RecordType } from '../schema/record.ts';
import { purgeOrder, records, referencesFrom } from '../schema/registry.ts';
import type { Input } from '../schema/validation/check-input.ts';
import { ALL_LOCALES } from '../schema/values/locale.ts';
import {
  type Collection,
  isCollection,
  type Resource,
  SINGLETONS,
} from '../schema/values/resource.ts';
import { isObject, rowsIn } from '../schema/values/row.ts';
import type { MenuRow, StoredMenu } from '../sql/menus.ts';
import type { Draft } from './draft.ts';
import type { SentOperation } from './plan.ts';
import { listOf, recordOf, referringTo } from './working-menu.ts';

/** The name that something unchecked gives a record. */
function nameIn(name: unknown): Called {
  const most = 200;
  if (typeof name === 'string') return name.slice(0, most);
  if (!isObject(name)) return null;
  const texts = ALL_LOCALES.flatMap((locale) => {
    const text = name[locale];
    return typeof text === 'string' ? [[locale, text.slice(0, most)] as const] : [];
  });
  return texts.length > 0 ? Object.fromEntries(texts) : null;
}

function nameOf(row: MenuRow | undefined): Called {
  return nameIn(row?.name_translations ?? row?.name);
}

/** The document's name for a record that could not be made. */
function sentName(operation: unknown): Called {
  return isObject(operation) && isObject(operation.data) ? nameIn(operation.data.name) : null;
}

/** The names in place of the ids of a value. */
function namesOf(menu: StoredMenu, to: RecordType, value: unknown): unknown {
  const name = (id: unknown) => nameOf(recordOf(menu, to, id));
  if (!Array.isArray(value)) return name(value);
  return value.map((one) => (typeof one === 'number' ? name(one) : namedCourse(one, name)));
}

/** A course of a set menu with the names of its dishes. */
function namedCourse(course: Input, name: (id: unknown) => Called): Input {
  const options = rowsIn(course.options);
  const named = options.map(({ item_id, label, ...rest }) => ({
    ...rest,
    label: typeof item_id === 'number' ? name(item_id) : label,
  }));
  return { ...course, options: named };
}

interface Menus {
  before: StoredMenu;
  after: StoredMenu;
}

/** The changes with names in place of references to other records. */
function readable({ before, after }: Menus, resource: Resource, changes: DiffRecord['changes']) {
  const shown = { ...changes };
  for (const { field, to } of referencesFrom(records[resource])) {
    const [old, now] = changes[field] ?? [];
    if (!(field in changes)) continue;
    shown[field] = [namesOf(before, to, old), namesOf(after, to, now)];
  }
  return shown;
}

function describe(menus: Menus, operations: readonly SentOperation[], result: OperationResult) {
  const { index, path, resource, id, changes, errors } = result;
  const outcome = result.outcome as DiffRecord['outcome'];
  const place = { resource, outcome, path, row: result.row ?? null, errors };
  if (!resource || !isCollection(resource)) {
    return { ...place, name: null, within: null, changes };
  }
  const record = records[resource];
  const menu = outcome === 'deleted' ? menus.before : menus.after;
  const row = recordOf(menu, record, id) ?? recordOf(menus.before, record, id);
  const parent = referencesFrom(record).find(({ field }) => field === record.parent);
  return {
    ...place,
    name: nameOf(row) ?? sentName(operations[index]?.operation),
    within: parent && row ? nameOf(recordOf(menu, parent.to, row[parent.field])) : null,
    changes: readable(menus, resource, changes),
  };
}

/** The first records, as long as they are few and short enough. */
function take(
  results: readonly OperationResult[],
  most: number,
  of: (one: OperationResult) => DiffRecord,
) {
  const taken: DiffRecord[] = [];
  let bytes = 0;
  for (const result of results.slice(0, most)) {
    const record = of(result);
    bytes += JSON.stringify(record).length;
    if (bytes > constants.maxDiffBytes) break;
    taken.push(record);
  }
  return taken;
}

function inMenuOrder(menu: StoredMenu, results: readonly OperationResult[]): OperationResult[] {
  if (results.length === 0) return [];
  const order = menuOrder(menu);
  const placeOf = ({ resource, id }: OperationResult) =>
    order.get(`${resource}/${resource && isCollection(resource) ? id : ''}`) ?? order.size;
  return [...results].sort((left, right) => placeOf(left) - placeOf(right));
}

/**
 * The changes of a menu by an import, for a person to read.
 *
 * @param results new records by their provisional ids
 * @param unchanged the records that stay as they are beside those with a result
 */
export function describeDiff(
  { before, menu: after }: Draft,
  results: readonly OperationResult[],
  operations: readonly SentOperation[],
  unchanged = 0,
): ImportDiff {
  const { maxDiffRecords, maxDiffNames } = constants;
  const of = (result: OperationResult) => describe({ before, after }, operations, result);
  const having = (...outcomes: OperationResult['outcome'][]) =>
    results.filter(({ outcome }) => outcomes.includes(outcome));
  return {
    counts: countOutcomes(results, unchanged),
    changed: take(inMenuOrder(after, having('created', 'updated', 'restored')), maxDiffRecords, of),
    deleted: take(inMenuOrder(before, having('deleted')), maxDiffNames, of),
    failed: take(having('failed'), maxDiffNames, of),
  };
}

/** New records have provisional ids, which count down from -1: they come last, the first one first. */
function compare(left: MenuRow, right: MenuRow): number {
  const age = ({ id }: MenuRow) => (id < 0 ? Number.MAX_SAFE_INTEGER / 2 - id : id);
  return (left.display_order ?? 0) - (right.display_order ?? 0) || age(left) - age(right);
}

/**
 * The places of all records in the order in which a menu is read, by `<resource>/<id>`: each section
 * with its types and dishes before the sections in it, and wine sections last.
 */
function menuOrder(menu: StoredMenu): ReadonlyMap<string, number> {
  const order = new Map<string, number>();
  const add = (resource: string, id: number | '') => {
    const name = `${resource}/${id}`;
    if (!order.has(name)) order.set(name, order.size);
  };
  for (const resource of SINGLETONS) add(resource, '');
  const within = (resource: Collection, field: string, section: number | null) =>
    referringTo(listOf(menu, records[resource]), field, section).sort(compare);
  const walk = (parentId: number | null): MenuRow[] =>
    within('categories', 'parent_id', parentId).flatMap((one) => [one, ...walk(one.id)]);
  const all = walk(null);
  const isWine = ({ menu_type }: MenuRow) => menu_type === 'wine';
  for (const section of [...all.filter((one) => !isWine(one)), ...all.filter(isWine)]) {
    add('categories', section.id);
    for (const resource of ['types', 'items'] as const) {
      for (const { id } of within(resource, 'category_id', section.id)) add(resource, id);
    }
  }
  for (const resource of purgeOrder()) {
    for (const { id } of listOf(menu, records[resource])) add(resource, id);
  }
  return order;
}

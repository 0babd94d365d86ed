import { randomUUID } from 'node:crypto';
import type { Draft } from '../../db/menu/draft.ts';
import { listOf, recordOf, referringTo } from '../../db/menu/working-menu.ts';
import type { OperationResult } from '../../db/schema/bulk.ts';
import { purgeOrder, records, referencesTo } from '../../db/schema/registry.ts';
import { type Broken, broken } from '../../db/schema/validation/rule.ts';
import { type Collection, isCollection } from '../../db/schema/values/resource.ts';
import { listIn } from '../../db/schema/values/row.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';

/** A record that a document has, in a section that it does not have. */
function withoutSection(draft: Draft, result: OperationResult): OperationResult {
  const { resource, id, outcome } = result;
  if (outcome === 'failed' || !resource || !isCollection(resource)) return result;
  const record = records[resource];
  const { parent = '' } = record;
  if (recordOf(draft.menu, record, id)) return result;
  return { ...result, outcome: 'failed', errors: { [parent]: [broken('invalid')] } };
}

/** Whether a record is the owner's own, or holds one that is: it has no key of another program. */
function isOwners(draft: Draft, resource: Collection, id: number): boolean {
  const record = records[resource];
  if ((recordOf(draft.menu, record, id)?.external_id ?? null) === null) return true;
  return referencesTo(record).some(
    ({ from, field, options }) =>
      options.onDelete === 'cascade' &&
      referringTo(listOf(draft.menu, from), field, id).some((one) =>
        isOwners(draft, from.resource as Collection, one.id),
      ),
  );
}

/**
 * Deletes the records that the lists of a document do not have; a section takes along those in it. A
 * step is one of them.
 *
 * @param results of the document's own records
 * @param reach `keyed` for records with an external id alone
 * @returns them and a result for each deleted record
 */
export function* deleteMissing(
  draft: Draft,
  before: StoredMenu,
  lists: readonly string[],
  results: readonly OperationResult[],
  reach: 'keyed' | 'all' = 'all',
): Generator<void, OperationResult[]> {
  if (lists.length === 0) return [...results];
  const keptIds = new Set(results.map(({ resource, id }) => `${resource}/${id}`));
  for (const collection of purgeOrder().toReversed()) {
    if (!lists.includes(collection)) continue;
    for (const { id } of [...listOf(draft.menu, records[collection])]) {
      const isKept =
        keptIds.has(`${collection}/${id}`) ||
        (reach === 'keyed' && isOwners(draft, collection, id));
      if (!isKept) draft.remove(collection, id, randomUUID());
      yield;
    }
  }
  const deleted = draft
    .changes()
    .deleted.filter((one) => !keptIds.has(`${one.resource}/${one.id}`));
  return [
    ...results.map((result) => withoutSection(draft, result)),
    ...deleted.map(({ resource, id }, at): OperationResult => {
      const key = recordOf(before, records[resource], id)?.external_id;
      const external_id = typeof key === 'string' ? key : null;
      const named = { index: results.length + at, path: '', resource, id, external_id };
      return { ...named, outcome: 'deleted', errors: {}, changes: {} };
    }),
  ];
}

/** More than this share of a menu is deleted on demand alone. */
const LARGE_SHARE = 5;

/** Asks before an import deletes more than a fifth of a menu, or because a list is empty. */
export function largeDeletion(
  before: StoredMenu,
  lists: readonly string[],
  results: readonly OperationResult[],
): Broken[] {
  const deleted = results.filter(({ outcome }) => outcome === 'deleted');
  // Records that go with others may be of kinds that no list has.
  const kinds = new Set([...lists, ...deleted.flatMap(({ resource }) => resource ?? [])]);
  const total = [...kinds].reduce(
    (sum, kind) => sum + listOf(before, records[kind as Collection]).length,
    0,
  );
  const n = deleted.length;
  const given = new Set(
    results.flatMap(({ resource, outcome }) => (outcome === 'deleted' ? [] : [resource])),
  );
  const isEmptied = deleted.some(({ resource }) => !given.has(resource));
  return n > 0 && (isEmptied || n * LARGE_SHARE > total)
    ? [broken('deletesMany', { n, total })]
    : [];
}

/** Asks before an import says of several dishes that they contain none of the allergens any more. */
export function clearedAllergens(results: readonly OperationResult[]): Broken[] {
  const cleared = results.filter(({ resource, changes }) => {
    const [before, after] = changes.allergens ?? [];
    const isCleared = Array.isArray(after) && after.length === 0;
    return resource === 'items' && listIn(before).length > 0 && isCleared;
  });
  const names = cleared.slice(0, 5).map(({ id, external_id }) => external_id ?? String(id));
  return cleared.length > 1
    ? [broken('allergensCleared', { n: cleared.length, names: names.join(', ') })]
    : [];
}

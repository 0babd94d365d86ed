import { randomUUID } from 'node:crypto';
import type { OperationResult } from '../../../db/schema/bulk.ts';
import { isCollection, purgeOrder, records } from '../../../db/schema/registry.ts';
import { broken } from '../../../db/schema/validation/rule.ts';
import type { StoredMenu } from '../../../db/sql/menus.ts';
import { listOf, recordOf } from '../working-menu.ts';
import type { Draft } from './draft.ts';

/** A record that a document has, in a section that it does not have. */
function withoutSection(draft: Draft, result: OperationResult): OperationResult {
  const { resource, id, outcome } = result;
  if (outcome === 'failed' || !resource || !isCollection(resource)) return result;
  const record = records[resource];
  const { parent = '' } = record;
  if (recordOf(draft.menu, record, id)) return result;
  return { ...result, outcome: 'failed', errors: { [parent]: [broken('invalid')] } };
}

/**
 * Deletes the records that the lists of a document do not have; a section takes along those in it. A
 * step is one of them.
 *
 * @param results of the document's own records
 * @returns them and a result for each deleted record
 */
export function* deleteMissing(
  draft: Draft,
  before: StoredMenu,
  lists: readonly string[],
  results: readonly OperationResult[],
): Generator<void, OperationResult[]> {
  const keptIds = new Set(results.map(({ resource, id }) => `${resource}/${id}`));
  for (const collection of purgeOrder().toReversed()) {
    if (!lists.includes(collection)) continue;
    for (const { id } of [...listOf(draft.menu, records[collection])]) {
      if (!keptIds.has(`${collection}/${id}`)) draft.remove(collection, id, randomUUID());
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
      return {
        index: results.length + at,
        path: '',
        resource,
        outcome: 'deleted',
        id,
        external_id: typeof key === 'string' ? key : null,
        errors: {},
        changes: {},
      };
    }),
  ];
}

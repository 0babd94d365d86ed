import { randomUUID } from 'node:crypto';
import type { Db } from '../../../db/postgres/connection.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { inSlices } from '../../../db/runtime/in-slices.ts';
import { menuTag, type OperationResult } from '../../../db/schema/bulk.ts';
import {
  isCollection,
  purgeOrder,
  type Resource,
  records,
  referencesFrom,
} from '../../../db/schema/registry.ts';
import { timestamp } from '../../../db/schema/timestamp.ts';
import type { FieldErrors } from '../../../db/schema/validation/messages.ts';
import { ruleTexts } from '../../../db/schema/validation/messages.ts';
import { isExpected, type Write } from '../../../db/schema/write.ts';
import type { StoredMenu } from '../../../db/sql/menu/load-menu.ts';
import { knowsTimeZone } from '../../../db/sql/tenants/knows-time-zone.ts';
import { allowIdleTransaction } from '../../../db/sql/writes/allow-idle-transaction.ts';
import { findDocument } from '../../../db/sql/writes/find-document.ts';
import { growsBeyondBound } from '../menu-size.ts';
import { type Applied, invalid } from '../outcome.ts';
import { menuFull } from '../rules.ts';
import { listOf, recordOf } from '../working-menu.ts';
import { describeDiff } from './describe-diff.ts';
import { createDraft, type Draft, type DraftChanges } from './draft.ts';
import { planOperations } from './plan.ts';
import { type Request, readBulk, readImport } from './read-document.ts';
import { storeDraft } from './store.ts';

/** A record that a document has, in a section that it does not have. */
function withoutSection(draft: Draft, result: OperationResult): OperationResult {
  const { resource, id, outcome } = result;
  if (outcome === 'failed' || !resource || !isCollection(resource)) return result;
  const record = records[resource];
  const { parent = '' } = record;
  if (recordOf(draft.menu, record, id)) return result;
  return { ...result, outcome: 'failed', errors: { [parent]: [ruleTexts.invalid(parent)] } };
}

/**
 * Deletes the records that the lists of a document do not have; a section takes along those in it.
 *
 * @param results of the document's own records
 * @returns them and a result for each deleted record
 */
function deleteMissing(
  draft: Draft,
  before: StoredMenu,
  lists: readonly string[],
  results: readonly OperationResult[],
): OperationResult[] {
  const keptIds = new Set(results.map(({ resource, id }) => `${resource}/${id}`));
  for (const collection of purgeOrder().toReversed()) {
    if (!lists.includes(collection)) continue;
    for (const { id } of [...listOf(draft.menu, records[collection])]) {
      if (!keptIds.has(`${collection}/${id}`)) draft.remove(collection, id, randomUUID());
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

function isEmpty({ created, patched, deleted }: DraftChanges): boolean {
  const count = [...created.values(), ...patched.values()].reduce((sum, { size }) => sum + size, 0);
  return count + deleted.length === 0;
}

/** The results with the ids that new records got; without one in a dry run. */
function withRealIds(
  results: readonly OperationResult[],
  ids: ReadonlyMap<number, number>,
): OperationResult[] {
  const real = (id: unknown) =>
    typeof id === 'number' && id < 0 ? (ids.get(id) ?? null) : (id as number | null);
  return results.map((result) => {
    const changes = { ...result.changes };
    for (const { field } of result.resource ? referencesFrom(records[result.resource]) : []) {
      const change = changes[field];
      if (change) changes[field] = change.map(real);
    }
    return { ...result, id: real(result.id), changes };
  });
}

/** What is wrong with the menu as a whole, after all operations. */
async function checkWhole(
  db: Db,
  tenantId: number,
  before: StoredMenu,
  { menu, changes }: Draft,
): Promise<FieldErrors> {
  const timezone = changes()
    .patched.get('settings' as Resource)
    ?.get(0)?.timezone;
  const isKnown = typeof timezone !== 'string' || (await knowsTimeZone(db, tenantId, timezone));
  return {
    ...((await inSlices(growsBeyondBound(before, menu), constants.writeSlice)) && menuFull()),
    ...(!isKnown && { 'settings.timezone': [ruleTexts.invalid('timezone')] }),
  };
}

async function run(db: Db, tenantId: number, menu: StoredMenu, request: Request): Promise<Applied> {
  const { operations, naming, skipsFailed, isDryRun, completeLists } = request;
  const draft = createDraft(menu);
  const plan = await inSlices(planOperations(draft, operations, naming), constants.writeSlice);
  const results =
    completeLists.length === 0
      ? plan.results
      : deleteMissing(draft, menu, completeLists, plan.results);
  const errors = await checkWhole(db, tenantId, menu, draft);
  if (Object.keys(errors).length > 0) return invalid(errors, null);
  const hasFailed = results.some(({ outcome }) => outcome === 'failed');
  const isApplied = !isDryRun && (skipsFailed || !hasFailed);
  const changes = draft.changes();
  const diff = request.isForPeople && describeDiff(menu, draft.menu, results, request);
  const ids = isApplied ? await storeDraft(db, tenantId, changes) : new Map<number, number>();
  return {
    outcome: {
      kind: 'bulk',
      applied: isApplied,
      dry_run: isDryRun,
      ...(diff ? { diff, results: [] } : { results: withRealIds(results, ids) }),
      ignored: [...request.ignored, ...plan.ignored],
      at: timestamp(new Date()),
    },
    recordId: null,
    change: { kind: isApplied && !isEmpty(changes) ? 'many' : 'none' },
  };
}

/**
 * Does a request with many operations, or a whole menu, in the transaction of its tenant's queue.
 *
 * @param version the menu's, with every earlier write
 */
export async function applyDocument(
  db: Db,
  write: Write,
  menu: StoredMenu,
  version: number,
): Promise<Applied> {
  const { tenant_id, action, input } = write;
  if (!isExpected(write, menuTag(version))) {
    return { outcome: { kind: 'outdated_menu' }, recordId: null, change: { kind: 'none' } };
  }
  await allowIdleTransaction(db, constants.documentExpirySeconds);
  const document = await findDocument(db, tenant_id, write.id);
  const read = await (action === 'import' ? readImport(document, input) : readBulk(document));
  if ('errors' in read) return invalid(read.errors, null);
  return run(db, tenant_id, menu, read.request);
}

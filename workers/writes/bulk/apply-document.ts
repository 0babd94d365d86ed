import type { Db } from '../../../db/postgres/sql.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { inSlices } from '../../../db/runtime/in-slices.ts';
import { menuTag, type OperationResult } from '../../../db/schema/bulk.ts';
import { type Resource, records, referencesFrom } from '../../../db/schema/registry.ts';
import { timestamp } from '../../../db/schema/timestamp.ts';
import { broken, type FieldErrors } from '../../../db/schema/validation/rule.ts';
import { isExpected, type Write } from '../../../db/schema/write.ts';
import type { StoredMenu } from '../../../db/sql/menus.ts';
import { knowsTimeZone } from '../../../db/sql/tenants.ts';
import { allowIdleTransaction } from '../../../db/sql/transactions.ts';
import { findDocument } from '../../../db/sql/writes.ts';
import { growsBeyondBound } from '../menu-size.ts';
import { type Applied, invalid, outdatedMenu } from '../outcome.ts';
import { menuFull } from '../rules.ts';
import { deleteMissing } from './delete-missing.ts';
import { describeDiff } from './describe-diff.ts';
import { createDraft, type Draft, type DraftChanges } from './draft.ts';
import { planOperations } from './plan.ts';
import { type Request, readBulk, readImport } from './read-document.ts';
import { storeDraft } from './store.ts';
import { takeBackImport } from './take-back-import.ts';

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

/** The errors of the menu as a whole, after all operations. */
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
    ...(!isKnown && { 'settings.timezone': [broken('invalid')] }),
  };
}

async function run(db: Db, write: Write, menu: StoredMenu, request: Request): Promise<Applied> {
  const { tenant_id: tenantId, id } = write;
  const { operations, namesOnce, skipsFailed, isDryRun, completeLists } = request;
  const draft = createDraft(menu);
  const plan = await inSlices(planOperations(draft, operations, namesOnce), constants.writeSlice);
  const results =
    completeLists.length === 0
      ? plan.results
      : await inSlices(
          deleteMissing(draft, menu, completeLists, plan.results),
          constants.writeSlice,
        );
  const errors = await checkWhole(db, tenantId, menu, draft);
  if (Object.keys(errors).length > 0) return invalid(errors, null);
  const hasFailed = results.some(({ outcome }) => outcome === 'failed');
  const isApplied = !isDryRun && (skipsFailed || !hasFailed);
  const changes = draft.changes();
  const diff = request.isForPeople && describeDiff(menu, draft.menu, results, request);
  const keptFor = request.isForPeople && !isEmpty(changes) ? id : null;
  const ids = isApplied
    ? await storeDraft(db, tenantId, changes, keptFor)
    : new Map<number, number>();
  return {
    outcome: {
      kind: 'bulk',
      applied: isApplied,
      dry_run: isDryRun,
      ...(diff ? { diff, results: [] } : { results: withRealIds(results, ids) }),
      ...(request.table && { table: request.table }),
      ignored: [...request.ignored, ...plan.ignored],
      at: timestamp(new Date()),
    },
    recordId: null,
    change: { kind: isApplied && !isEmpty(changes) ? 'many' : 'none' },
  };
}

/**
 * Does a request with many operations or a whole menu, or takes one back, in the transaction of its
 * tenant's queue.
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
  if (action === 'undo') return takeBackImport(db, write, menu);
  if (!isExpected(write, menuTag(version))) return outdatedMenu();
  await allowIdleTransaction(db, constants.documentExpirySeconds);
  const document = await findDocument(db, tenant_id, write.id);
  const read = await (action === 'import' ? readImport(document, input) : readBulk(document));
  if ('errors' in read) return invalid(read.errors, null);
  return run(db, write, menu, read.request);
}

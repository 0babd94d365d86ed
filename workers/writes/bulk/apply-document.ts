import type { Db } from '../../../db/postgres/sql.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { inSlices } from '../../../db/runtime/in-slices.ts';
import { menuTag } from '../../../db/schema/bulk.ts';
import { timestamp } from '../../../db/schema/timestamp.ts';
import { pairOf } from '../../../db/schema/translation.ts';
import { isExpected, sentAt, type Write } from '../../../db/schema/write.ts';
import type { StoredMenu } from '../../../db/sql/menus.ts';
import { markStale } from '../../../db/sql/stale-texts.ts';
import { findTableColumns, keepTableColumns } from '../../../db/sql/table-columns.ts';
import { allowIdleTransaction } from '../../../db/sql/transactions.ts';
import { findDocument } from '../../../db/sql/writes.ts';
import { applyRelease } from '../../releases/apply-release.ts';
import { applyWayBack } from '../history/apply-way-back.ts';
import { type Applied, invalid, outdatedMenu } from '../outcome.ts';
import { noPast } from '../rules.ts';
import { checkWhole } from './check-whole.ts';
import { deleteMissing } from './delete-missing.ts';
import { describeDiff } from './describe-diff.ts';
import { createDraft, isEmpty } from './draft.ts';
import { withoutMissingPhotos } from './missing-photos.ts';
import { planOperations } from './plan.ts';
import { type DocumentRequest, readBulk, readImport } from './read-document.ts';
import { resultsWithIds, storeDraft } from './store.ts';

async function run(
  db: Db,
  write: Write,
  menu: StoredMenu,
  request: DocumentRequest,
): Promise<Applied> {
  const { tenant_id: tenantId } = write;
  const { operations, namesOnce, skipsFailed, isDryRun, completeLists } = request;
  const draft = createDraft(menu);
  // A menu that is exported and imported has moments that are over.
  const earliest = write.action === 'bulk' ? noPast(sentAt(write)) : null;
  const planning = planOperations(draft, operations, { namesOnce, earliest });
  const plan = await inSlices(planning, constants.writeSlice);
  const results =
    completeLists.length === 0
      ? plan.results
      : await inSlices(
          deleteMissing(draft, menu, completeLists, plan.results),
          constants.writeSlice,
        );
  const errors = await checkWhole(db, tenantId, draft);
  if (Object.keys(errors).length > 0) return invalid(errors, null);
  const hasFailed = results.some(({ outcome }) => outcome === 'failed');
  const isApplied = !isDryRun && (skipsFailed || !hasFailed);
  const diff = request.isForPeople && describeDiff(menu, draft.menu, results, request);
  const isStored = isApplied && !isEmpty(draft.changes());
  const stored = isStored ? await storeDraft(db, tenantId, draft) : null;
  if (isApplied && request.staleTexts) {
    const pairs = request.staleTexts.map(({ locale, source, text }) =>
      pairOf(locale, source, text),
    );
    await markStale(db, tenantId, pairs);
  }
  if (isApplied && request.keptColumns) {
    const { headers, targets } = request.keptColumns;
    await keepTableColumns(db, tenantId, headers, targets);
  }
  return {
    outcome: {
      kind: 'bulk',
      applied: isApplied,
      dry_run: isDryRun,
      ...(diff
        ? { diff, results: [] }
        : { results: resultsWithIds(results, stored?.ids ?? new Map()) }),
      ...(request.table && { table: request.table }),
      ignored: [...request.ignored, ...plan.ignored],
      at: timestamp(new Date()),
    },
    recordId: null,
    menu: stored?.menu ?? null,
  };
}

/**
 * Does a request with many operations or a whole menu, or takes a version back, in the transaction of
 * its tenant's queue.
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
  if (action === 'release') return applyRelease(db, write, { ...menu, version });
  if (action === 'undo' || action === 'restore') return applyWayBack(db, write, menu, version);
  if (!isExpected(write, menuTag(version))) return outdatedMenu();
  await allowIdleTransaction(db, constants.documentExpirySeconds);
  const document = await findDocument(db, tenant_id, write.id);
  const read = await (action === 'import'
    ? readImport(document, input, menu, (headers) => findTableColumns(db, tenant_id, headers))
    : readBulk(document));
  if ('errors' in read) return invalid(read.errors, null, 'table' in read ? read.table : undefined);
  if (action === 'import') {
    const { operations, ignored } = withoutMissingPhotos(menu, read.request.operations);
    Object.assign(read.request, { operations, ignored: [...read.request.ignored, ...ignored] });
  }
  return run(db, write, menu, read.request);
}

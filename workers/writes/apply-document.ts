import { randomUUID } from 'node:crypto';
import { applyChange } from '../../db/menu/change.ts';
import type { Draft } from '../../db/menu/draft.ts';
import { type Applied, bulkDone, invalidDocument, refused } from '../../db/menu/outcome.ts';
import { planOperations } from '../../db/menu/plan.ts';
import { noPast } from '../../db/menu/rules.ts';
import { listOf, referringTo } from '../../db/menu/working-menu.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { type Constants, constants } from '../../db/runtime/constants.ts';
import { TooSlowError } from '../../db/runtime/in-slices.ts';
import { menuTag, type OperationResult } from '../../db/schema/bulk.ts';
import { records, referencesTo } from '../../db/schema/registry.ts';
import { pairOf } from '../../db/schema/translation.ts';
import type { Input } from '../../db/schema/validation/check-input.ts';
import { broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import type { Collection } from '../../db/schema/values/resource.ts';
import { isExpected, sentAt, type Write } from '../../db/schema/write.ts';
import { findKeptTable, keepTable } from '../../db/sql/kept-tables.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { markStale } from '../../db/sql/stale-texts.ts';
import { allowIdleTransaction } from '../../db/sql/transactions.ts';
import { findDocument } from '../../db/sql/writes.ts';
import { applyWayBack } from '../../db/way-back/apply-way-back.ts';
import { applyRelease } from '../releases/apply-release.ts';
import { placeErrors } from '../tables/row-errors.ts';
import { applyPublication } from './apply-publication.ts';
import { clearedAllergens, deleteMissing, largeDeletion } from './delete-missing.ts';
import { findReturning } from './find-returning.ts';
import { nameValues } from './name-values.ts';
import { type DocumentRequest, leavesOut, readBulk, readImport } from './read-document.ts';

export type DocumentBounds = Pick<Constants, 'maxPlanTime'>;

/** The parts of an import that its sender has to confirm, by the parameter that does so. */
function unconfirmed(
  menu: StoredMenu,
  { delete_missing, confirm_allergens }: Input,
  lists: readonly string[],
  results: readonly OperationResult[],
): FieldErrors {
  const deletion = delete_missing === 'all' ? [] : largeDeletion(menu, lists, results);
  const cleared = confirm_allergens === true ? [] : clearedAllergens(results);
  return {
    ...(deletion.length > 0 && { delete_missing: deletion }),
    ...(cleared.length > 0 && { confirm_allergens: cleared }),
  };
}

async function run(
  db: Db,
  write: Write,
  menu: StoredMenu,
  request: DocumentRequest,
  { maxPlanTime }: DocumentBounds,
): Promise<Applied> {
  const { tenant_id: tenantId, input } = write;
  const { operations, namesOnce, completeLists, staleTexts, kept, fields } = request;
  // A menu that is exported and imported has moments that are over.
  const earliest = write.action === 'bulk' ? noPast(sentAt(write)) : null;
  const pricesOnly = input.prices_only === true;
  let isPartial = false;
  let toConfirm: FieldErrors = {};
  const returning = await findReturning(db, tenantId, menu, operations);
  const changed = await applyChange(
    db,
    tenantId,
    menu,
    function* (draft) {
      const plan = yield* planOperations(draft, operations, {
        ...{ namesOnce, earliest, returning },
        ...{ fields, pricesOnly },
      });
      const used = withoutUnused(draft, plan.results, request.madeCount);
      const inCells = placeErrors(used, request.sources);
      const locale = menu.settings.default_locale;
      const placed = write.action === 'import' ? nameValues(inCells, operations, locale) : inCells;
      // A refused record may be one that stands in the menu.
      isPartial = request.skipsFailed && placed.some(({ outcome }) => outcome === 'failed');
      const lists = isPartial ? [] : completeLists;
      const reach = input.delete_missing === 'all' ? 'all' : 'keyed';
      const results = yield* deleteMissing(draft, menu, lists, placed, reach);
      toConfirm = write.action === 'import' ? unconfirmed(menu, input, lists, results) : {};
      return { ...plan, results, errors: request.isDryRun ? {} : toConfirm };
    },
    { ...request, maxPlanTime },
  );
  if (changed.isApplied && staleTexts) {
    const pairs = staleTexts.map(({ locale, source, text }) => pairOf(locale, source, text));
    await markStale(db, tenantId, pairs);
  }
  if (changed.isApplied && kept) await keepTable(db, tenantId, kept);
  const keepsMissing = request.table?.keeps_missing || leavesOut(request.report);
  const isHeld = Boolean(input.delete_missing) && (isPartial || keepsMissing);
  const table = request.table && { ...request.table, ...(isHeld && { keeps_missing: true }) };
  const held = isHeld ? ['delete_missing'] : [];
  const ignored = [...request.ignored, ...held, ...changed.ignored];
  const { report } = request;
  return bulkDone(changed, request, {
    ...{ ...(table && { table }), ...(report && { report }), ignored },
    ...(Object.keys(toConfirm).length > 0 && { to_confirm: toConfirm }),
  });
}

/** Reads what was sent. The bytes are gone when it returns: the work on them takes far more memory. */
async function readDocument(db: Db, write: Write, menu: StoredMenu) {
  const { tenant_id: tenantId, id, action, input } = write;
  const document = await findDocument(db, tenantId, id);
  if (action !== 'import') return readBulk(document);
  const findKept = (headers: readonly string[]) => findKeptTable(db, tenantId, headers);
  return readImport(document, input, menu, findKept, sentAt(write));
}

/**
 * Does a request with many operations or a whole menu, or takes a version back, in the transaction of
 * its tenant's queue.
 */
export async function applyDocument(
  db: Db,
  write: Write,
  menu: StoredMenu,
  bounds: DocumentBounds,
): Promise<Applied> {
  const { action, input } = write;
  await allowIdleTransaction(db, constants.documentExpirySeconds);
  if (action === 'release') return applyRelease(db, write, menu);
  if (action === 'publish') return applyPublication(db, write, menu, bounds.maxPlanTime);
  if (action === 'undo' || action === 'restore') return applyWayBack(db, write, menu);
  if (!isExpected(write, menuTag(menu.version))) return refused({ kind: 'outdated_menu' });
  const read = await readDocument(db, write, menu);
  if ('errors' in read) return invalidDocument(read.errors, input.dry_run === true, read.table);
  return run(db, write, menu, read.request, bounds).catch((error) => {
    if (!(error instanceof TooSlowError)) throw error;
    const slow = { body: [broken('documentSlow')] };
    return invalidDocument(slow, read.request.isDryRun, read.request.table);
  });
}

/** Whether some record of the draft names the record of a result. */
function isNamed(draft: Draft, { resource, id }: OperationResult): boolean {
  return referencesTo(records[resource as Collection]).some(
    ({ from, field }) => referringTo(listOf(draft.menu, from), field, id).length > 0,
  );
}

/**
 * Takes away the sections and wineries that a table made for dishes which were all refused.
 *
 * @param count of the operations at the beginning that make such records
 * @returns the other results
 */
function withoutUnused(draft: Draft, results: readonly OperationResult[], count: number) {
  if (count === 0 || results.every(({ outcome }) => outcome !== 'failed')) return results;
  // A type is made after its section, and keeps it.
  const unused = results
    .slice(0, count)
    .toReversed()
    .filter((result) => {
      const { resource, id, outcome } = result;
      const isUnused = outcome === 'created' && resource && id && !isNamed(draft, result);
      if (isUnused) draft.remove(resource, id, randomUUID());
      return isUnused;
    });
  const gone = new Set(unused);
  return results.filter((result) => !gone.has(result));
}

import type { Db } from '../../../db/postgres/connection.ts';
import { menuTag, type OperationResult } from '../../../db/schema/bulk.ts';
import {
  type Collection,
  purgeOrder,
  type Resource,
  records,
} from '../../../db/schema/registry.ts';
import { timestamp } from '../../../db/schema/timestamp.ts';
import type { FieldErrors } from '../../../db/schema/validation/messages.ts';
import { ruleTexts } from '../../../db/schema/validation/messages.ts';
import type { Write } from '../../../db/schema/write.ts';
import type { StoredMenu } from '../../../db/sql/menu/load-menu.ts';
import { knowsTimeZone } from '../../../db/sql/tenants/knows-time-zone.ts';
import { growsBeyondBound } from '../menu-size.ts';
import { type Applied, invalid } from '../outcome.ts';
import { menuFull } from '../rules.ts';
import { listOf } from '../working-menu.ts';
import { createDraft, type Draft, type DraftChanges } from './draft.ts';
import { planOperations } from './plan.ts';
import { type Request, readBulk, readImport } from './read-document.ts';
import { storeDraft } from './store.ts';

/** Operations that delete the records which a document does not have. */
function missingRecords(
  { menu }: Draft,
  lists: readonly string[],
  kept: readonly OperationResult[],
) {
  const keptIds = new Set(kept.map(({ resource, id }) => `${resource}/${id}`));
  return purgeOrder()
    .filter((collection) => lists.includes(collection))
    .flatMap((collection) =>
      listOf(menu, records[collection])
        .filter(({ id }) => !keptIds.has(`${collection}/${id}`))
        .map(({ id }) => ({ resource: collection as Collection, action: 'delete', id })),
    );
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
  return results.map((result) => {
    const { id } = result;
    return id !== null && id < 0 ? { ...result, id: ids.get(id) ?? null } : result;
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
    ...(growsBeyondBound(before, menu) && menuFull()),
    ...(!isKnown && { 'settings.timezone': [ruleTexts.invalid('timezone')] }),
  };
}

async function run(db: Db, tenantId: number, menu: StoredMenu, request: Request): Promise<Applied> {
  const { operations, naming, skipsFailed, isDryRun, completeLists } = request;
  const draft = createDraft(menu);
  const plan = await planOperations(draft, operations, naming);
  const missing = missingRecords(draft, completeLists, plan.results);
  const deletions = await planOperations(draft, missing, { pathOf: () => '' });
  const results = [
    ...plan.results,
    ...deletions.results
      // A section may have taken it along, which is a deletion all the same.
      .map((result) => ({ ...result, outcome: 'deleted' as const, errors: {} }))
      .map((result, at) => ({
        ...result,
        id: missing[at]?.id ?? null,
        index: operations.length + at,
      })),
  ];
  const errors = await checkWhole(db, tenantId, menu, draft);
  if (Object.keys(errors).length > 0) return invalid(errors, null);
  const hasFailed = results.some(({ outcome }) => outcome === 'failed');
  const isApplied = !isDryRun && (skipsFailed || !hasFailed);
  const changes = draft.changes();
  const ids = isApplied ? await storeDraft(db, tenantId, changes) : new Map<number, number>();
  return {
    outcome: {
      kind: 'bulk',
      applied: isApplied,
      dry_run: isDryRun,
      results: withRealIds(results, ids),
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
  const { tenant_id, action, input, if_match } = write;
  if (if_match !== null && !matchesVersion(if_match, version)) {
    return { outcome: { kind: 'outdated_menu' }, recordId: null, change: { kind: 'none' } };
  }
  const document = write.document ?? Buffer.alloc(0);
  const read = action === 'import' ? readImport(document, input) : readBulk(document);
  if ('errors' in read) return invalid(read.errors, null);
  return run(db, tenant_id, menu, read.request);
}

function matchesVersion(ifMatch: string, version: number): boolean {
  const tags = new Set<string>(ifMatch.match(/(?:W\/)?"[^"]*"/g));
  return ifMatch.trim() === '*' || tags.has(menuTag(version));
}

import { applyChange } from '../../db/menu/change.ts';
import type { Draft } from '../../db/menu/draft.ts';
import { hasRoomFor } from '../../db/menu/menu-size.ts';
import { type Applied, done, invalid, missing, outdated } from '../../db/menu/outcome.ts';
import { planOperations, type SentOperation } from '../../db/menu/plan.ts';
import { currentOf } from '../../db/menu/prepare-input.ts';
import { menuFull, noPast } from '../../db/menu/rules.ts';
import { recordByKey, recordOf } from '../../db/menu/working-menu.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { groupBy } from '../../db/runtime/group-by.ts';
import { records } from '../../db/schema/registry.ts';
import { broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import { isCollection, type Resource } from '../../db/schema/values/resource.ts';
import { isExpected, type RecordWrite, sentAt } from '../../db/schema/write.ts';
import { findIdByKey, findRecord } from '../../db/sql/admin-records.ts';
import {
  findDeletion,
  findHiddenReferences,
  type HiddenReference,
} from '../../db/sql/deletions.ts';
import type { StoredMenu } from '../../db/sql/menus.ts';
import { giveBack } from './give-back.ts';

async function requireRecord(db: Db, resource: Resource, tenantId: number, id: number | null) {
  const record = await findRecord(db, resource, tenantId, id);
  if (!record) throw new Error(`${resource} ${id} is gone in the middle of its own write`);
  return record;
}

/** The answer to a restore that is not to be done; null when it is. */
async function refuseRestore(db: Db, write: RecordWrite, menu: StoredMenu) {
  const { tenant_id, resource, record_id } = write;
  const record = await findRecord(db, resource, tenant_id, record_id);
  if (!record) return missing(record_id);
  if (!isExpected(write, record.etag)) return outdated(record);
  if (record.deletion === null) return done('unchanged', record, null);
  const { parent: field = '' } = records[resource];
  const parentId = record.data[field] ?? null;
  if (parentId === null || recordOf(menu, records.categories, parentId)) return null;
  return invalid({ [field]: [broken('parentDeleted')] }, record_id);
}

/** The answer to a write that is not to be done; null when it is. */
async function refuse(db: Db, write: RecordWrite, menu: StoredMenu): Promise<Applied | null> {
  const { tenant_id, resource, action, record_id, expected_tags } = write;
  if (action === 'create') return null;
  if (action === 'restore') return refuseRestore(db, write, menu);
  if (!currentOf(menu, resource, record_id)) return missing(record_id);
  if (expected_tags === null) return null;
  const record = await requireRecord(db, resource, tenant_id, record_id);
  return isExpected(write, record.etag) ? null : outdated(record);
}

/** A write that names its record by id, also when it was sent with the record's external id. */
async function withRecordId(db: Db, write: RecordWrite, menu: StoredMenu): Promise<RecordWrite> {
  const { resource, action, tenant_id, record_key: key = null } = write;
  if (key === null || !isCollection(resource)) return write;
  const record_id =
    action === 'restore'
      ? await findIdByKey(db, resource, tenant_id, key)
      : (recordByKey(menu, records[resource], key)?.id ?? null);
  return { ...write, record_id };
}

/** The operations of a write, and the references that they let records show again. */
interface Work {
  operations: SentOperation[];
  hidden: readonly HiddenReference[];
}

/** The records that come back with one that was deleted, each after those that it names. */
async function restoreWork(db: Db, write: RecordWrite): Promise<Work> {
  const { tenant_id, resource, record_id } = write;
  if (!isCollection(resource) || record_id === null) {
    throw new Error(`${resource} cannot be deleted`);
  }
  const deleted = await findDeletion(db, resource, tenant_id, record_id);
  const operations = deleted.map(
    (one): SentOperation => ({
      operation: { resource: one.resource, action: 'restore', id: one.row.id, data: one.row },
      path: '',
      isChecked: true,
    }),
  );
  const hidden: HiddenReference[][] = [];
  for (const [kind, own] of groupBy(deleted, (one) => one.resource)) {
    const ids = own.map(({ row }) => row.id);
    hidden.push(await findHiddenReferences(db, records[kind], tenant_id, ids));
  }
  return { operations, hidden: hidden.flat() };
}

async function workOf(db: Db, write: RecordWrite): Promise<Work> {
  const { resource, action, record_id: id, input } = write;
  if (action === 'restore') return restoreWork(db, write);
  if (action === 'merge') {
    // A PATCH, whose body stands in the write as it came.
    const data = JSON.parse(String(input.body));
    const operation = { resource, action: 'upsert', id: id ?? undefined, data };
    return { operations: [{ operation, path: '' }], hidden: [] };
  }
  const operation = { resource, action: action === 'change' ? 'update' : action, id, data: input };
  return { operations: [{ operation, path: '', isChecked: true }], hidden: [] };
}

/** The errors of the menu as a whole, under the names of the fields of this write. */
function ownErrors(resource: Resource, errors: FieldErrors): FieldErrors {
  const own = Object.entries(errors);
  return Object.fromEntries(own.map(([name, rules]) => [name.replace(`${resource}.`, ''), rules]));
}

/**
 * Does the write of one record in the transaction of its tenant's queue, as a list of one operation; a
 * record that comes back brings those along that were deleted with it. A mistake of the client is an
 * outcome too; only unexpected errors are thrown.
 *
 * @param menu of the tenant, with every earlier write
 */
export async function applyRecord(db: Db, sent: RecordWrite, menu: StoredMenu): Promise<Applied> {
  const write = await withRecordId(db, sent, menu);
  const { tenant_id: tenantId, resource, action, record_id } = write;
  const refusal = await refuse(db, write, menu);
  if (refusal) return refusal;
  if (action === 'follow') {
    const given = await giveBack(db, write, menu);
    if ('errors' in given) return invalid(given.errors, record_id);
    const record = given.record ?? (await requireRecord(db, resource, tenantId, record_id));
    return done(given.menu ? 'changed' : 'unchanged', record, given.menu);
  }
  const { operations, hidden } = await workOf(db, write);
  // It was deleted too long ago to come back.
  if (operations.length === 0) return missing(record_id);
  const rules = {
    ...{ namesOnce: false, earliest: noPast(sentAt(write)) },
    pricesOnly: write.input.prices_only === true,
  };
  const steps = function* (draft: Draft) {
    const plan = yield* planOperations(draft, operations, rules);
    for (const { from, id, field, to } of hidden) draft.show(from, id, field, to);
    return plan;
  };
  const changed = await applyChange(db, tenantId, menu, steps, { isShown: true });
  const { results, menu: after } = changed;
  const wrong = results.find(({ outcome }) => outcome === 'failed');
  const isFull = wrong && action === 'create' && !hasRoomFor(menu, write.input);
  const errors = wrong
    ? { ...wrong.errors, ...(isFull && menuFull()) }
    : ownErrors(resource, changed.errors);
  if (Object.keys(errors).length > 0) return invalid(errors, record_id);
  if (after && action === 'delete') {
    return { outcome: { kind: 'deleted' }, recordId: record_id, menu: after };
  }
  const id = record_id ?? results[0]?.id ?? null;
  const record = changed.record ?? (await requireRecord(db, resource, tenantId, id));
  if (!after) return done('unchanged', record, null, changed.ignored);
  const kind = action === 'restore' ? 'restored' : action === 'create' ? 'created' : 'changed';
  return done(kind, record, after, changed.ignored);
}

import type { Db } from '../../db/postgres/sql.ts';
import { isUniqueViolation } from '../../db/postgres/unique-violation.ts';
import { isCollection, type Resource, records } from '../../db/schema/registry.ts';
import { broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import { isExpected, type RecordWrite, sentAt } from '../../db/schema/write.ts';
import {
  type AdminRecord,
  findIdByKey,
  findRecord,
  insertRecord,
  updateRecord,
} from '../../db/sql/admin-records.ts';
import {
  deleteRecord,
  detachDishes,
  findDeletedSections,
  restoreDeletion,
} from '../../db/sql/deletions.ts';
import { loadMenu, type StoredMenu } from '../../db/sql/menus.ts';
import { settlePlainTexts } from '../../db/sql/record-columns.ts';
import { knowsTimeZone } from '../../db/sql/tenants.ts';
import { inSavepoint } from '../../db/sql/transactions.ts';
import { hasRoomFor, isWithinBound } from './menu-size.ts';
import { type Applied, deleted, done, invalid, missing, outdated, written } from './outcome.ts';
import { currentOf, isMove, prepareInput, withDefaults } from './prepare-input.ts';
import { checkMoments, isPlace, menuFull } from './rules.ts';
import { listOf, recordByKey } from './working-menu.ts';

async function requireRecord(
  db: Db,
  resource: Resource,
  tenantId: number,
  id: number | null,
): Promise<AdminRecord> {
  const record = await findRecord(db, resource, tenantId, id);
  if (!record) throw new Error(`${resource} ${id} is gone in the middle of its own write`);
  return record;
}

async function create(db: Db, write: RecordWrite, menu: StoredMenu): Promise<Applied> {
  const { tenant_id, resource } = write;
  if (!isCollection(resource)) throw new Error(`there is one ${resource} and no second one`);
  // An upload of what is there already is that photo.
  const same = records[resource].isUploaded
    ? recordByKey(menu, records[resource], write.input.external_id)
    : undefined;
  if (same) {
    const record = await requireRecord(db, resource, tenant_id, same.id);
    return done('unchanged', record, { kind: 'none' });
  }
  const { input, errors } = prepareInput(menu, resource, write.input, null);
  Object.assign(errors, checkMoments(records[resource], input, undefined, sentAt(write)));
  if (!hasRoomFor(menu, resource, input, null)) Object.assign(errors, menuFull());
  if (Object.keys(errors).length > 0) return invalid(errors, null);
  const whole = withDefaults(menu, records[resource], input);
  return written('created', resource, await insertRecord(db, resource, tenant_id, whole));
}

async function change(db: Db, write: RecordWrite, menu: StoredMenu): Promise<Applied> {
  const { tenant_id, resource, record_id } = write;
  const { input, errors } = prepareInput(menu, resource, write.input, record_id);
  const current = currentOf(menu, resource, record_id);
  Object.assign(errors, checkMoments(records[resource], input, current, sentAt(write)));
  const { timezone } = input;
  // The gateway has asked Node, whose list may be the newer one.
  if (typeof timezone === 'string' && !(await knowsTimeZone(db, tenant_id, timezone))) {
    errors.timezone = [broken('invalid')];
  }
  if (!hasRoomFor(menu, resource, input, record_id)) Object.assign(errors, menuFull());
  if (Object.keys(errors).length > 0) return invalid(errors, record_id);
  if (Object.keys(input).length === 0) {
    const record = await requireRecord(db, resource, tenant_id, record_id);
    return done('unchanged', record, { kind: 'none' });
  }
  if ('default_locale' in input) await settlePlainTexts(db, tenant_id);
  const moves = isMove(menu, resource, input, record_id);
  // A type belongs to its section. A dish that moves loses its type: if that is deleted now, it must
  // not come back in another section.
  const row = moves && resource === 'items' ? { type_id: null, ...input } : input;
  const record = await updateRecord(db, resource, tenant_id, record_id, row);
  if (!moves || resource === 'items') return written('changed', resource, record);
  await detachDishes(db, tenant_id, Number(record_id), Number(input.category_id));
  return done('changed', record, { kind: 'many' });
}

class NoRoomError extends Error {}

/**
 * Brings back what a deletion took away and returns the menu with it. Nothing is brought back when the
 * menu would be too long, or when another record has the external id of one of them by now.
 */
async function restoreWithinBound(
  db: Db,
  tenantId: number,
  deletion: string,
): Promise<{ menu: StoredMenu } | { errors: FieldErrors }> {
  try {
    return await inSavepoint(db, async () => {
      await restoreDeletion(db, tenantId, deletion);
      const menu = await loadMenu(db, tenantId);
      if (!isWithinBound(menu)) throw new NoRoomError();
      return { menu };
    });
  } catch (error) {
    if (error instanceof NoRoomError) return { errors: menuFull() };
    if (isUniqueViolation(error)) {
      return { errors: { external_id: [broken('unique')] } };
    }
    throw error;
  }
}

async function restore(db: Db, write: RecordWrite, menu: StoredMenu): Promise<Applied> {
  const { tenant_id, resource, record_id } = write;
  const record = await findRecord(db, resource, tenant_id, record_id);
  if (!record) return missing(record_id);
  if (!isExpected(write, record.etag)) return outdated(record);
  if (record.deletion === null) return done('unchanged', record, { kind: 'none' });
  const { parent: field = '' } = records[resource];
  const parentId = record.data[field] ?? null;
  if (parentId !== null && !menu.sections.some(({ id }) => id === parentId)) {
    return invalid({ [field]: [broken('parentDeleted')] }, record_id);
  }
  if (resource === 'categories' && parentId !== null && record_id !== null) {
    const sections = [
      ...menu.sections,
      ...(await findDeletedSections(db, tenant_id, record.deletion)),
    ];
    // Its parent may stand deeper now than it did when they were parted.
    if (!isPlace(sections, Number(parentId), record_id)) {
      return invalid({ parent_id: [broken('invalid')] }, record_id);
    }
  }
  const restored = await restoreWithinBound(db, tenant_id, record.deletion);
  if ('errors' in restored) return invalid(restored.errors, record_id);
  const present = await requireRecord(db, resource, tenant_id, record_id);
  // It was deleted too long ago to come back.
  if (present.deletion !== null) return missing(record_id);
  return done('restored', present, { kind: 'loaded', menu: restored.menu });
}

/** A write that names its record by id, also when it was sent with the record's external id. */
async function withRecordId(db: Db, write: RecordWrite): Promise<RecordWrite> {
  const { resource, action, tenant_id, record_key: key = null } = write;
  if (key === null || !isCollection(resource)) return write;
  const record_id = await findIdByKey(db, resource, tenant_id, key, action === 'restore');
  return { ...write, record_id };
}

/** Whether the record of a write is there, and not deleted. */
async function isPresent(db: Db, write: RecordWrite, menu: StoredMenu): Promise<boolean> {
  const { resource, tenant_id, record_id } = write;
  const record = records[resource];
  if (record.isOnMenu) return listOf(menu, record).some(({ id }) => id === record_id);
  const stored = await findRecord(db, resource, tenant_id, record_id);
  return stored !== null && stored.deletedAt === null;
}

/**
 * Does one write in the transaction of its tenant's queue. A mistake of the client is an outcome
 * too; only unexpected errors are thrown.
 *
 * @param menu of the tenant, with every earlier write
 */
export async function applyWrite(db: Db, sent: RecordWrite, menu: StoredMenu): Promise<Applied> {
  const write = await withRecordId(db, sent);
  const { tenant_id, id, resource, action, record_id, expected_tags } = write;
  if (action === 'create') return create(db, write, menu);
  if (action === 'restore') return restore(db, write, menu);
  if (isCollection(resource)) {
    if (record_id === null || !(await isPresent(db, write, menu))) return missing(record_id);
  }
  if (expected_tags !== null) {
    const record = await requireRecord(db, resource, tenant_id, record_id);
    if (!isExpected(write, record.etag)) return outdated(record);
  }
  if (action === 'change') return change(db, write, menu);
  if (!isCollection(resource) || record_id === null) {
    throw new Error(`${resource} cannot be deleted`);
  }
  await deleteRecord(db, resource, tenant_id, record_id, id);
  return deleted(resource, record_id);
}

import type { Db } from '../../../db/postgres/sql.ts';
import {
  type Collection,
  isCollection,
  purgeOrder,
  type Resource,
  records,
  referencesFrom,
} from '../../../db/schema/registry.ts';
import type { Input } from '../../../db/schema/validation/check-input.ts';
import { updateRecord } from '../../../db/sql/admin-records.ts';
import { detachDishes, markDeleted } from '../../../db/sql/deletions.ts';
import { settlePlainTexts } from '../../../db/sql/record-columns.ts';
import {
  freeExternalIds,
  insertRecords,
  patchRecords,
  reserveIds,
  restoreRecords,
} from '../../../db/sql/records.ts';
import type { DraftChanges } from './draft.ts';

/** The ids that new records get, by their provisional ones. */
type Ids = ReadonlyMap<number, number>;

async function reserve(db: Db, { created }: DraftChanges): Promise<Ids> {
  const ids = new Map<number, number>();
  for (const [resource, inputs] of created) {
    const reserved = await reserveIds(db, records[resource].table, inputs.size);
    [...inputs.keys()].forEach((provisional, index) => {
      ids.set(provisional, reserved[index] as number);
    });
  }
  return ids;
}

/**
 * A body that names new records by the ids that they get. A later operation may have deleted a new
 * record: then nothing names it. Only a deleted record lacks a reference that it must have.
 */
function withIds(resource: Resource, input: Input, ids: Ids): Input {
  const named = { ...input };
  for (const { field, isNullable } of referencesFrom(records[resource])) {
    const provisional = input[field];
    if (typeof provisional !== 'number' || provisional > 0) continue;
    const id = ids.get(provisional);
    if (id !== undefined || isNullable) named[field] = id ?? null;
    else delete named[field];
  }
  return named;
}

async function patch(
  db: Db,
  tenantId: number,
  collection: Collection,
  changes: DraftChanges,
  ids: Ids,
) {
  const patched = [...(changes.patched.get(collection) ?? [])];
  const rows = patched
    .map(([id, input]) => ({ ...withIds(collection, input, ids), id }))
    .filter((row) => Object.keys(row).length > 1);
  await patchRecords(db, records[collection], tenantId, rows);
  if (collection !== 'types') return;
  for (const row of rows) {
    const { category_id: sectionId } = row as { category_id?: number };
    if (sectionId !== undefined) await detachDishes(db, tenantId, row.id, sectionId);
  }
}

/**
 * Writes what a draft changed, in statements of records with the same columns.
 *
 * @returns the ids of new records, by their provisional ones
 */
export async function storeDraft(db: Db, tenantId: number, changes: DraftChanges): Promise<Ids> {
  const ids = await reserve(db, changes);
  // A record comes after those that it names.
  const order = purgeOrder().toReversed();
  for (const collection of order) {
    const gone = changes.deleted.filter(({ resource }) => resource === collection);
    await markDeleted(db, records[collection], tenantId, gone);
    const patched = [...(changes.patched.get(collection) ?? [])];
    const freed = patched.filter(([, input]) => 'external_id' in input).map(([id]) => id);
    await freeExternalIds(db, records[collection], tenantId, freed);
  }
  for (const collection of order) {
    const created = [...(changes.created.get(collection) ?? [])];
    const rows = created.map(([provisional, input]) => {
      return { id: ids.get(provisional), ...withIds(collection, input, ids) };
    });
    await insertRecords(db, records[collection], tenantId, rows);
  }
  for (const collection of order) {
    const back = [...(changes.restored.get(collection) ?? [])].map(([id, input]) => ({
      id,
      ...input,
    }));
    await restoreRecords(db, records[collection], tenantId, back);
  }
  for (const collection of order) await patch(db, tenantId, collection, changes, ids);
  for (const [resource, inputs] of changes.patched) {
    const input = isCollection(resource) ? undefined : inputs.get(0);
    if (!input) continue;
    if ('default_locale' in input) await settlePlainTexts(db, tenantId);
    await updateRecord(db, resource, tenantId, null, input);
  }
  return ids;
}

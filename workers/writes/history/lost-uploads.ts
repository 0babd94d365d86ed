import type { Db } from '../../../db/postgres/sql.ts';
import { type Resource, records, referencesFrom } from '../../../db/schema/registry.ts';
import type { StoredMenu } from '../../../db/sql/menus.ts';
import { findKeptIds } from '../../../db/sql/records.ts';
import { recordOf } from '../working-menu.ts';
import type { RecordTarget } from './targets.ts';

/** The uploaded records among targets whose files are gone for good, by `<resource>/<id>`. */
async function findLost(
  db: Db,
  tenantId: number,
  menu: StoredMenu,
  targets: readonly RecordTarget[],
) {
  const lost = new Set<string>();
  for (const [resource, record] of Object.entries(records)) {
    if (!record.isUploaded) continue;
    const back = targets.filter(
      (target) => target.resource === resource && target.row && !recordOf(menu, record, target.id),
    );
    if (back.length === 0) continue;
    const ids = back.map(({ id }) => id);
    const kept = new Set(await findKeptIds(db, record, tenantId, ids));
    for (const id of ids) if (!kept.has(id)) lost.add(`${resource}/${id}`);
  }
  return lost;
}

/**
 * Targets without photos that were purged: their files cannot come back. Records that named them come
 * back without them.
 *
 * @returns the targets, and the paths that were left out
 */
export async function withoutLostUploads(
  db: Db,
  tenantId: number,
  menu: StoredMenu,
  targets: readonly RecordTarget[],
): Promise<{ targets: readonly RecordTarget[]; ignored: string[] }> {
  const lost = await findLost(db, tenantId, menu, targets);
  if (lost.size === 0) return { targets, ignored: [] };
  const ignored: string[] = [];
  const left = targets.flatMap((target): RecordTarget[] => {
    const { resource, id, row } = target;
    if (lost.has(`${resource}/${id}`)) {
      ignored.push(`${resource}.${id}`);
      return [];
    }
    if (!row) return [target];
    const fields = referencesFrom(records[resource]).filter(({ field, to }) =>
      lost.has(`${to.resource as Resource}/${row[field]}`),
    );
    ignored.push(...fields.map(({ field }) => `${resource}.${id}.${field}`));
    const without = Object.fromEntries(fields.map(({ field }) => [field, null]));
    return [{ ...target, row: { ...row, ...without } }];
  });
  return { targets: left, ignored };
}

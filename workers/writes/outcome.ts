import type { Conflict } from '../../db/schema/bulk.ts';
import type { Resource } from '../../db/schema/registry.ts';
import type { TableFacts } from '../../db/schema/table.ts';
import { timestamp } from '../../db/schema/timestamp.ts';
import type { FieldErrors } from '../../db/schema/validation/rule.ts';
import type { WriteOutcome } from '../../db/schema/write.ts';
import type { AdminRecord } from '../../db/sql/admin-records.ts';
import type { MenuChange } from './working-menu.ts';

/** A write that was applied: what it came to, and what has become of the menu. */
export interface Applied {
  outcome: WriteOutcome;
  recordId: number | null;
  change: MenuChange;
}

type Done = 'created' | 'changed' | 'unchanged' | 'restored';

/** The record is as it should be. */
export function done(kind: Done, { id, etag, data }: AdminRecord, change: MenuChange): Applied {
  const outcome = { kind, record: data, etag, at: timestamp(new Date()) };
  return { outcome, recordId: id, change };
}

/** The record was created or changed, and no other record of the menu with it. */
export function written(
  kind: 'created' | 'changed',
  resource: Resource,
  record: AdminRecord,
): Applied {
  return done(kind, record, { kind: 'put', resource, row: record.row });
}

export function deleted(resource: Resource, id: number): Applied {
  const change: MenuChange = resource === 'items' ? { kind: 'dish-removed', id } : { kind: 'many' };
  return { outcome: { kind: 'deleted' }, recordId: id, change };
}

/** Nothing was written. */
function refused(outcome: WriteOutcome, recordId: number | null): Applied {
  return { outcome, recordId, change: { kind: 'none' } };
}

export function missing(id: number | null): Applied {
  return refused({ kind: 'missing' }, id);
}

export function invalid(errors: FieldErrors, id: number | null, table?: TableFacts): Applied {
  return refused({ kind: 'invalid', errors, ...(table && { table }) }, id);
}

/** The record is not the one that the client has seen. */
export function outdated({ id, etag, data }: AdminRecord): Applied {
  return refused({ kind: 'outdated', record: data, etag }, id);
}

/** The version that the write names is older than what is kept. */
export function gone(): Applied {
  return refused({ kind: 'gone' }, null);
}

/** Fields have been changed since the version that is to be taken back. */
export function conflicting(conflicts: Conflict[]): Applied {
  return refused({ kind: 'conflict', conflicts }, null);
}

/** The menu is not the one that the client has seen. */
export function outdatedMenu(): Applied {
  return refused({ kind: 'outdated_menu' }, null);
}

/** The write fails for an unknown reason; the operator finds the error beside this outcome. */
export function failed(id: number | null): Applied {
  return refused({ kind: 'failed' }, id);
}

import { constants } from '../runtime/constants.ts';
import type { TableFacts } from '../schema/table.ts';
import { boundErrors } from '../schema/validation/bound-errors.ts';
import { timestamp } from '../schema/validation/date-fields.ts';
import type { FieldErrors } from '../schema/validation/rule.ts';
import type { NewWrite, WriteOutcome } from '../schema/write.ts';
import type { AdminRecord } from '../sql/admin-records.ts';
import type { StoredMenu } from '../sql/menus.ts';
import { boundResults } from './bound-results.ts';
import type { Changed } from './change.ts';
import { describeDiff } from './describe-diff.ts';
import type { SentOperation } from './plan.ts';
import { resultsWithIds } from './store.ts';

/** A write that was applied, and its outcome. */
export interface Applied {
  outcome: WriteOutcome;
  recordId: number | null;
  /** The menu with it; null when it is as before. */
  menu: StoredMenu | null;
  /** The person who has checked the allergens of the release that it published. */
  confirmedBy?: string | null;
  /** Writes of other restaurants that follow from it. */
  toSend?: readonly NewWrite[];
}

type Done = 'created' | 'changed' | 'unchanged' | 'restored';

/** The record is as it should be. */
export function done(
  kind: Done,
  { id, etag, data }: AdminRecord,
  menu: StoredMenu | null,
  ignored: readonly string[] = [],
): Applied {
  const named = ignored.length > 0 && { ignored: [...ignored] };
  return {
    outcome: { kind, record: data, etag, ...named, at: timestamp(new Date()) },
    recordId: id,
    menu,
  };
}

type Bulk = Extract<WriteOutcome, { kind: 'bulk' }>;

/**
 * Many operations were done or tried; nothing was where the menu as a whole does not allow them.
 *
 * @param asked their operations where they have some; `isForPeople` when a person reads the answer
 * @param more of what the answer says
 */
export function bulkDone(
  { draft, results, ids, menu, errors, ignored, isDryRun, isApplied }: Changed,
  asked: { isForPeople: boolean; operations?: readonly SentOperation[] },
  more: Partial<
    Pick<Bulk, 'conflicts' | 'table' | 'report' | 'ignored' | 'unchanged' | 'to_confirm'>
  > = {},
): Applied {
  if (Object.keys(errors).length > 0) return invalidDocument(errors, isDryRun, more.table);
  const bounded = boundResults(results, more.unchanged);
  const shown = asked.isForPeople
    ? { diff: describeDiff(draft, results, asked.operations ?? [], more.unchanged), results: [] }
    : { ...bounded, results: resultsWithIds(bounded.results, ids) };
  const named = (more.ignored ?? ignored).slice(0, constants.maxListedFailures);
  const said = { applied: isApplied, dry_run: isDryRun, ...shown, ...more, ignored: named };
  return {
    outcome: { kind: 'bulk', ...said, at: timestamp(new Date()) },
    recordId: null,
    menu,
  };
}

/** Nothing was written. */
export function refused(outcome: WriteOutcome, recordId: number | null = null): Applied {
  return { outcome, recordId, menu: null };
}

export function missing(id: number | null): Applied {
  return refused({ kind: 'missing' }, id);
}

export function invalid(errors: FieldErrors, id: number | null): Applied {
  return refused({ kind: 'invalid', errors: boundErrors(errors) }, id);
}

/** A document breaks rules as a whole. @param table how it was read, where it is one */
export function invalidDocument(
  errors: FieldErrors,
  isDryRun: boolean,
  table: TableFacts | undefined,
): Applied {
  const read = table && { table, dry_run: isDryRun };
  return refused({ kind: 'invalid', errors: boundErrors(errors), ...read }, null);
}

/** The record is not the one that the client has seen. */
export function outdated({ id, etag, data }: AdminRecord): Applied {
  return refused({ kind: 'outdated', record: data, etag }, id);
}

/** The write fails for an unknown reason; the operator finds the error beside this outcome. */
export function failed(id: number | null): Applied {
  return refused({ kind: 'failed' }, id);
}

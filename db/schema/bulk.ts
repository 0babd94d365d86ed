import * as v from 'valibot';
import { reportSchema } from './exchange-report.ts';
import { MENU_COLLECTIONS } from './registry.ts';
import { tableSchema } from './table.ts';
import { staleTextSchema } from './translation.ts';
import { described } from './validation/described-as.ts';
import { flagInput, nullableKey, oneOfInput } from './validation/input-fields.ts';
import { fieldErrorsSchema, oneOfRule, rule } from './validation/rule.ts';
import { resourceSchema } from './values/resource.ts';
import { actorSchema } from './version.ts';

/** The name of a record: in its languages, in one, or none. */
const calledSchema = v.nullable(v.union([v.string(), v.record(v.string(), v.string())]));
export type Called = v.InferOutput<typeof calledSchema>;

/** The changes of one record by an import, for a person to read. */
const diffRecordSchema = v.object({
  resource: v.nullable(resourceSchema),
  outcome: v.picklist(['created', 'updated', 'deleted', 'restored', 'failed']),
  /** Where it stands in the document, such as `items.3`; empty for a deletion by absence. */
  path: v.string(),
  /** Its row of a table, from 1, as a spreadsheet counts; null in a document. */
  row: v.nullable(v.number()),
  name: calledSchema,
  /** The section that it belongs to. */
  within: calledSchema,
  /** Each changed field with what it was and is; a reference is the name of its record. */
  changes: v.record(v.string(), v.pipe(v.array(v.unknown()), v.length(2))),
  errors: fieldErrorsSchema,
});
export type DiffRecord = v.InferOutput<typeof diffRecordSchema>;

const count = v.number();
/** How many operations came to what. */
const outcomeCountsSchema = v.object({
  ...{ created: count, updated: count, unchanged: count, deleted: count },
  restored: v.optional(count),
  failed: count,
});
type OutcomeCounts = v.InferOutput<typeof outcomeCountsSchema>;

/** The difference that an import makes to a menu: all counted, and the first records of each kind. */
const importDiffSchema = v.object({
  counts: outcomeCountsSchema,
  /** Created and updated records in the order of the menu. */
  changed: v.array(diffRecordSchema),
  /** In the order of the menu as it was; without their fields. */
  deleted: v.array(diffRecordSchema),
  /** In the order of the document. */
  failed: v.array(diffRecordSchema),
});
export type ImportDiff = v.InferOutput<typeof importDiffSchema>;

/** Most operations of one request. */
export const MAX_OPERATIONS = 5_000;

/** One operation of `POST /admin/bulk`, but for its data. */
export const operationSchema = v.object(
  {
    resource: oneOfInput(resourceSchema.options),
    action: oneOfInput(['create', 'update', 'upsert', 'delete']),
    id: v.optional(
      v.nullable(
        v.pipe(v.number('integer'), v.integer('integer'), v.minValue(1, rule('min', { min: 1 }))),
      ),
    ),
    external_id: v.optional(nullableKey()),
    data: v.optional(v.record(v.string(), v.unknown(), 'object')),
    /** Values that fields of the record must have now, as `changes` shows them; else it fails. */
    expected: v.optional(v.record(v.string(), v.unknown(), 'object')),
  },
  ({ input }) => (input === undefined ? 'required' : 'object'),
);
export type Operation = v.InferOutput<typeof operationSchema>;

/** The body of `POST /admin/bulk`; each operation is checked separately. */
export const bulkSchema = v.object({
  operations: v.pipe(
    v.array(v.unknown(), 'array'),
    v.maxLength(MAX_OPERATIONS, rule('maxItems', { max: MAX_OPERATIONS })),
  ),
  on_error: v.optional(oneOfInput(['reject_all', 'skip_failed']), 'reject_all'),
  dry_run: v.optional(flagInput(), false),
});

/** The name of the format of a whole menu as one document. */
export const DOCUMENT_FORMAT = 'lavagna-menu/1';

// Without a default: a list that is missing stays as it is, and an empty one may delete its records.
const list = v.optional(v.array(v.unknown(), 'array'));
const one = v.optional(v.record(v.string(), v.unknown(), 'object'));

/** The most translations that a document may call stale. */
const MOST_STALE_TEXTS = 50_000;

/** A whole menu as one document; each record is checked separately. */
export const documentSchema = v.object({
  format: v.literal(DOCUMENT_FORMAT, oneOfRule([DOCUMENT_FORMAT])),
  settings: one,
  theme: one,
  ...Object.fromEntries(MENU_COLLECTIONS.map((collection) => [collection, list])),
  stale_texts: described(
    v.optional(
      v.pipe(
        v.array(staleTextSchema, 'array'),
        v.maxLength(MOST_STALE_TEXTS, rule('maxItems', { max: MOST_STALE_TEXTS })),
      ),
    ),
    'Translations whose sources have changed since; left out when there are none.',
  ),
});

/** The result of one operation. */
export const operationResultSchema = v.object({
  index: v.number(),
  /** Where it stands in what was sent, such as `items.3`; empty for a deletion by absence. */
  path: v.string(),
  resource: v.nullable(resourceSchema),
  outcome: v.picklist(['created', 'updated', 'unchanged', 'deleted', 'restored', 'failed']),
  /** Null for a record that a dry run would create. */
  id: v.nullable(v.number()),
  external_id: v.nullable(v.string()),
  row: described(
    v.optional(v.number()),
    'The row of a table in which it stands, as a spreadsheet counts.',
  ),
  errors: fieldErrorsSchema,
  /** Each changed field with what it was before and what it is now. */
  changes: v.record(v.string(), v.pipe(v.array(v.unknown()), v.length(2))),
});
export type OperationResult = v.InferOutput<typeof operationResultSchema>;

/** Results whose errors are rules, also those that a former release stored. */
function withRules(results: OperationResult[]): OperationResult[] {
  return results.map((result) =>
    result.outcome === 'failed'
      ? { ...result, errors: v.parse(fieldErrorsSchema, result.errors) }
      : result,
  );
}

/** A field that somebody has changed since the version that is to be taken back. */
export const conflictSchema = v.object({
  resource: resourceSchema,
  id: described(v.number(), 'The record.'),
  field: described(
    v.nullable(v.string()),
    'The field; null when the record is gone, or another one needs it.',
  ),
  version: described(v.number(), 'The last version that has changed it.'),
  at: described(v.optional(v.pipe(v.string(), v.isoTimestamp())), 'When that was, in ISO 8601.'),
  actor: described(actorSchema, 'Who made that version.'),
});
export type Conflict = v.InferOutput<typeof conflictSchema>;

/** How much a result does not list. */
export const leftOutSchema = v.object({
  failures: described(count, 'Operations that failed and are not listed.'),
  results: described(count, 'Other operations that are not listed.'),
  changes: described(count, 'Operations that are listed without their changes.'),
});

/** The body of a request that takes a version back, or brings the menu of one back. */
export const wayBackSchema = v.object({
  dry_run: v.optional(flagInput(), false),
  skip_conflicts: v.optional(flagInput(), false),
});

/** The result of a request with many operations. */
export const bulkOutcomeSchema = v.object({
  kind: v.literal('bulk'),
  applied: v.boolean(),
  dry_run: v.boolean(),
  /**
   * Empty when the write asked for a `diff` instead. These are thousands, and only a worker of our own build
   * writes them: gateways need not check them.
   */
  results: v.pipe(v.custom<OperationResult[]>(Array.isArray), v.transform(withRules)),
  /** Records that stay as they are and have no result; a restore alone counts them. */
  unchanged: v.optional(v.number()),
  /** Of all operations; missing in results of a former release, which list all. */
  counts: v.optional(outcomeCountsSchema),
  /** How much was left out to bound the result; missing when nothing was. */
  left_out: v.optional(leftOutSchema),
  diff: v.optional(importDiffSchema),
  /** How the table was read that was imported. */
  table: v.optional(tableSchema),
  /** The losses of the document of a service. */
  report: v.optional(reportSchema),
  /** The questions that an import raises, by the parameter that answers them; of a dry run. */
  to_confirm: v.optional(fieldErrorsSchema),
  /** Fields that were left because somebody has changed them since. */
  conflicts: v.optional(v.array(conflictSchema)),
  ignored: v.array(v.string()),
  /** When that was, in the form of the envelope's `generated_at`. */
  at: v.string(),
});
export type BulkOutcome = v.InferOutput<typeof bulkOutcomeSchema>;

/**
 * How many operations came to what.
 *
 * @param unchanged how many records stay as they are beside those with a result
 */
export function countOutcomes(results: readonly OperationResult[], unchanged = 0): OutcomeCounts {
  const counts = { created: 0, updated: 0, unchanged, deleted: 0, restored: 0, failed: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  const { restored, ...others } = counts;
  // Only what takes a version back brings records back.
  return restored > 0 ? counts : others;
}

/** The entity tag of a whole menu: it names its version. */
export function menuTag(version: number): string {
  return `"v${version}"`;
}

/** Collections in an order in which a record comes after those that it names. */
export const DOCUMENT_ORDER = [
  'photos',
  'wineries',
  'modifier_groups',
  'categories',
  'types',
  'items',
] as const;

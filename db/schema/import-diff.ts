import * as v from 'valibot';
import { resourceSchema } from './registry.ts';
import { fieldErrorsSchema } from './validation/rule.ts';

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
/** The difference that an import makes to a menu: all counted, and the first records of each kind. */
export const importDiffSchema = v.object({
  counts: v.object({
    created: count,
    updated: count,
    unchanged: count,
    deleted: count,
    restored: v.optional(count),
    failed: count,
  }),
  /** Created and updated records in the order of the menu. */
  changed: v.array(diffRecordSchema),
  /** In the order of the menu as it was; without their fields. */
  deleted: v.array(diffRecordSchema),
  /** In the order of the document. */
  failed: v.array(diffRecordSchema),
});
export type ImportDiff = v.InferOutput<typeof importDiffSchema>;

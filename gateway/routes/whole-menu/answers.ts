import * as v from 'valibot';
import { conflictSchema, leftOutSchema, operationResultSchema } from '../../../db/schema/bulk.ts';
import { reportSchema } from '../../../db/schema/exchange-report.ts';
import { tableSchema } from '../../../db/schema/table.ts';
import { counted, described } from '../../../db/schema/validation/described-as.ts';
import { codesSchema } from '../../../db/schema/validation/messages.ts';
import { errorSchema, invalidSchema } from '../../http/envelope.ts';
import type { DescribedAnswer } from '../../openapi/description.ts';
import { successJson } from '../frame/endpoints.ts';
import { RESULT, WRITE_ACCEPTED } from '../records/answers.ts';

export const bulkDataSchema = v.object({
  version: v.pipe(v.number(), v.integer(), v.description('The version of the menu that shows it.')),
  applied: described(v.boolean(), 'Whether the menu was changed, or would have been.'),
  dry_run: described(v.boolean(), 'Whether it was only tried.'),
  counts: described(
    v.object({
      created: counted('Records that are new.'),
      updated: counted('Records that were changed.'),
      unchanged: counted('Records that were so already.'),
      deleted: counted('Records that were deleted.'),
      restored: v.optional(counted('Records that came back.')),
      failed: counted('Operations with errors.'),
    }),
    'How many operations came to what.',
  ),
  table: described(v.optional(tableSchema), 'How the table was read; missing for JSON.'),
  report: described(
    v.optional(reportSchema),
    'What the document of a service did not bring; missing for other documents.',
  ),
  results: described(
    v.array(
      v.object({
        ...operationResultSchema.entries,
        errors: invalidSchema.entries.errors,
        codes: codesSchema,
      }),
    ),
    'What each operation came to, in their order: up to 5,000, and 200 of those that failed.',
  ),
  left_out: described(
    v.optional(leftOutSchema),
    'How many `results` and `changes` are not listed; missing when all are.',
  ),
  to_confirm: described(
    v.optional(invalidSchema.entries.errors),
    'Of a dry run: what the import needs, by the parameter that confirms it.',
  ),
  conflicts: v.optional(described(v.array(conflictSchema), 'Fields that were left as they are.')),
});

/** The present version of a menu that has changed. */
export const presentVersionSchema = v.object({
  version: counted('The present version of the menu.'),
});

const result = {
  index: 0,
  path: 'operations.0',
  resource: 'items',
  outcome: 'updated',
  id: 7,
  external_id: 'gricia',
  errors: {},
  codes: {},
  changes: { price: [11.5, 12] },
};
const data = {
  version: 12,
  applied: true,
  dry_run: false,
  counts: { created: 0, updated: 1, unchanged: 0, deleted: 0, failed: 0 },
  results: [result],
};

/** Answers of the endpoints that write many records at once. */
export const bulkAnswers: Record<number, DescribedAnswer> = {
  200: {
    description: 'What each operation came to, or would come to.',
    json: successJson('BulkAnswer', bulkDataSchema, data),
    headers: [...RESULT, 'ETag'],
  },
  202: WRITE_ACCEPTED,
  412: {
    description: 'The menu is in another version than the client has seen.',
    json: {
      name: 'OutdatedMenu',
      schema: v.object({ ...errorSchema.entries, data: presentVersionSchema }),
      example: { success: false, message: 'Precondition Failed', data: { version: 12 } },
    },
    headers: [...RESULT, 'ETag'],
  },
  422: {
    description:
      'Nothing was changed: what was sent breaks rules, or operations failed. When they were tried, ' +
      '`data` has what each came to, and the tag is that of the whole menu. Of a table, `data` says ' +
      'how it was read, also where it is refused as a whole.',
    json: {
      name: 'RefusedBulk',
      schema: v.object({ ...invalidSchema.entries, data: v.optional(bulkDataSchema) }),
      example: {
        success: false,
        message: 'Id selezionato non è valido.',
        errors: { 'operations.0.id': ['Id selezionato non è valido.'] },
        codes: { 'operations.0.id': [{ rule: 'invalid' }] },
        data: {
          ...data,
          applied: false,
          counts: { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 1 },
          results: [
            {
              ...result,
              outcome: 'failed',
              errors: { id: ['Id selezionato non è valido.'] },
              codes: { id: [{ rule: 'invalid' }] },
              changes: {},
            },
          ],
        },
      },
    },
    rareHeaders: [...RESULT, 'ETag'],
  },
};

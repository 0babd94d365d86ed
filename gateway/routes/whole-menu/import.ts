import * as v from 'valibot';
import { documentSchema } from '../../../db/schema/bulk.ts';
import { DECIMAL_SIGNS, ENCODINGS } from '../../../db/schema/table.ts';
import { checkJsonType } from '../../http/json-body.ts';
import { checkQuery } from '../../http/query.ts';
import { flagParameter } from '../parameters.ts';
import type { ApiRoute } from '../services.ts';
import { bulkAnswers } from './answers.ts';
import { writeDocument } from './write-document.ts';

const CSV = /^text\/csv\s*(;|$)/i;

const querySchema = v.object({
  dry_run: v.optional(flagParameter('1: answer what would change, and change nothing.'), '0'),
  delete_missing: v.optional(
    flagParameter('1: delete the records of each list that the document has, but for those in it.'),
    '0',
  ),
  encoding: v.optional(
    v.pipe(
      v.picklist(ENCODINGS, `oneOf:${ENCODINGS.join(', ')}`),
      v.description('The encoding of a table; it is found by default.'),
    ),
  ),
  decimal_sign: v.optional(
    v.pipe(
      v.picklist(DECIMAL_SIGNS, `oneOf:${DECIMAL_SIGNS.join(' ')}`),
      v.description('The sign before the decimals of a table; it is found by default.'),
    ),
  ),
});

/** `PUT /admin/import`: a whole menu, or a table of its dishes, as one write with one version. */
export const importRoute: ApiRoute = {
  kind: 'guarded',
  method: 'PUT',
  path: '/admin/import',
  limiter: 'admin',
  scope: 'menu:write',
  description: {
    id: 'importMenu',
    tag: 'Records',
    summary: 'Write a whole menu',
    details:
      'Takes what `/admin/export` gives. Records are found by `external_id`, then by `id`, and are ' +
      'created when they are not there. Lists and fields that the document lacks stay as they are. ' +
      'Nothing is applied when anything is wrong. A table of dishes has a header with the names of ' +
      'columns; separators are commas, semicolons or tabs. `table` says how it was read. A number ' +
      'such as `1.250` in a table without other decimals is refused until `decimal_sign` is sent.',
    parameters: ['IfMatch', 'IdempotencyKey', 'Prefer'],
    query: querySchema,
    body: {
      name: 'MenuDocument',
      schema: documentSchema,
      example: { format: 'lavagna-menu/1', items: [{ external_id: 'gricia', price: 12 }] },
      types: ['text/csv'],
    },
    answers: bulkAnswers,
    refusals: [413, 414, 415, 422],
  },
  call: (context, services) => {
    const isCsv = CSV.test(context.headers.get('content-type')?.trim() ?? '');
    if (!isCsv) checkJsonType(context.headers);
    const { dry_run, delete_missing, ...table } = checkQuery(querySchema, context.query);
    const input = { format: isCsv ? 'csv' : 'json', dry_run, delete_missing, table };
    return writeDocument('import', input, context, services);
  },
};

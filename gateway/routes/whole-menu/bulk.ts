import { bulkSchema, MAX_OPERATIONS } from '../../../db/schema/bulk.ts';
import { checkJsonType } from '../../http/json-body.ts';
import type { ApiRoute } from '../services.ts';
import { bulkAnswers } from './answers.ts';
import { writeDocument } from './write-document.ts';

const EXAMPLE = {
  operations: [
    {
      resource: 'categories',
      action: 'upsert',
      external_id: 'primi',
      data: { name: { it: 'Primi' } },
    },
    {
      resource: 'items',
      action: 'upsert',
      external_id: 'gricia',
      data: { category_external_id: 'primi', name: { it: 'Gricia' }, price: 12 },
    },
  ],
  on_error: 'reject_all',
  dry_run: true,
};

/** `POST /admin/bulk`: many operations as one write with one version. */
export const bulkRoute: ApiRoute = {
  kind: 'guarded',
  method: 'POST',
  path: '/admin/bulk',
  limiter: 'admin',
  scope: 'menu:write',
  description: {
    id: 'writeBulk',
    tag: 'Records',
    summary: 'Write many records at once',
    details:
      `At most ${MAX_OPERATIONS} operations, one after the other; each sees what the earlier ones did. ` +
      'An operation with `expected` fails when one of these fields has another value by now: so it ' +
      'does not overwrite a change of somebody else. ' +
      'They share one version of the menu. With `reject_all` they are applied if none of them fails, ' +
      'with `skip_failed` those that do not fail. `dry_run` answers what would happen, and changes ' +
      'nothing. `If-Match` takes the tag of the whole menu, which every answer has.',
    parameters: ['IfMatch', 'IdempotencyKey', 'Prefer'],
    body: { name: 'BulkBody', schema: bulkSchema, example: EXAMPLE },
    answers: bulkAnswers,
    refusals: [413, 415],
  },
  call: (context, services) => {
    checkJsonType(context.headers);
    return writeDocument('bulk', {}, context, services);
  },
};

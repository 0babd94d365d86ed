import { constants } from '../../../db/runtime/constants.ts';
import { isAvailabilityOperation } from '../../../db/schema/availability.ts';
import { bulkSchema, MAX_OPERATIONS } from '../../../db/schema/bulk.ts';
import { RIGHTS } from '../../../db/schema/rights.ts';
import { grants } from '../../../db/schema/token.ts';
import { parseJson } from '../../../db/schema/validation/parse-json.ts';
import { isObject } from '../../../db/schema/values/row.ts';
import { ForbiddenError, TooLargeError } from '../../http/errors.ts';
import { checkJsonType } from '../../http/json-body.ts';
import { unknownParameters } from '../../http/query.ts';
import { guarded } from '../frame/endpoints.ts';
import type { ApiRoute } from '../frame/services.ts';
import { bulkAnswers } from './answers.ts';
import { writeDocument } from './import.ts';

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

/**
 * Whether the operations are about what is available alone. This gateway reads the body.
 *
 * @throws TooLargeError
 */
function isOfAvailability(body: Buffer): boolean {
  const { maxBodyBytes, maxDocumentParts, maxJsonDepth } = constants;
  if (body.length > maxBodyBytes) throw new TooLargeError();
  // As a worker reads it: what is too much for one of them must be so for both.
  const { value } = parseJson(body, maxDocumentParts, maxJsonDepth);
  // A worker says what is wrong with other bodies.
  const operations = isObject(value) ? value.operations : undefined;
  return !Array.isArray(operations) || operations.every(isAvailabilityOperation);
}

/** `POST /admin/bulk`: many operations as one write with one version. */
export const bulkRoute: ApiRoute = guarded('POST', '/admin/bulk', RIGHTS.availability.write, {
  orScope: RIGHTS.prices.write,
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
      'nothing. With the scope `availability:write` alone, only `update` of `items` with `sold_out_until` ' +
      'and `sold_out_note` may be sent, and `variants` or the `options` of `modifier_groups` whose ' +
      '`expected` list differs in what is sold out alone; with `prices:write` alone, only prices may ' +
      'change. `If-Match` takes the tag of the whole menu, which every answer has.',
    parameters: ['IfMatch', 'IdempotencyKey', 'Prefer'],
    body: { name: 'BulkBody', schema: bulkSchema, example: EXAMPLE },
    answers: bulkAnswers,
    refusals: [413, 415],
  },
  call: async (context, services) => {
    checkJsonType(context.headers);
    const { scopes } = context.token;
    const ignored = unknownParameters(context.query, []);
    if (grants(scopes, 'menu:write')) return writeDocument('bulk', {}, ignored, context, services);
    const isAvailable =
      isOfAvailability(await context.body) && grants(scopes, 'availability:write');
    if (!isAvailable && !grants(scopes, 'prices:write')) throw new ForbiddenError();
    const input = isAvailable ? {} : { prices_only: true };
    return writeDocument('bulk', input, ignored, context, services);
  },
});

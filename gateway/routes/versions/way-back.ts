import * as v from 'valibot';
import { conflictSchema, wayBackSchema } from '../../../db/schema/bulk.ts';
import { RIGHTS } from '../../../db/schema/rights.ts';
import { checkInput } from '../../../db/schema/validation/check-input.ts';
import { described } from '../../../db/schema/validation/described-as.ts';
import { broken } from '../../../db/schema/validation/rule.ts';
import { isObject } from '../../../db/schema/values/row.ts';
import { errorSchema } from '../../http/envelope.ts';
import { InvalidError } from '../../http/errors.ts';
import { parseJsonBody } from '../../http/json-body.ts';
import { pathId } from '../../http/path.ts';
import { unknownParameters } from '../../http/query.ts';
import type { GuardedContext } from '../../pipeline/route.ts';
import { guarded } from '../frame/endpoints.ts';
import type { ApiRoute } from '../frame/services.ts';
import { RESULT } from '../records/answers.ts';
import { isAsync, makeWrite, readerOf } from '../records/read-write.ts';
import { bulkAnswers, presentVersionSchema } from '../whole-menu/answers.ts';

const { 412: _outdated, ...ANSWERS } = bulkAnswers;

const conflict = {
  ...{ resource: 'items', id: 7, field: 'price', version: 14 },
  at: '2026-01-15T18:30:00.000Z',
  actor: { kind: 'user', id: 1, name: 'ada@trattoria.example' },
};
export const CONFLICT = {
  description: 'Nothing was changed: somebody has changed these fields since.',
  json: {
    name: 'ConflictAnswer',
    schema: v.object({
      ...errorSchema.entries,
      conflicts: described(v.array(conflictSchema), 'These fields, the first of many.'),
      data: presentVersionSchema,
    }),
    example: {
      ...{ success: false, message: 'Conflict', conflicts: [conflict], data: { version: 14 } },
    },
  },
  headers: [...RESULT, 'ETag'],
} as const;

async function readOptions({ headers, body }: GuardedContext) {
  const bytes = await body;
  // A body has options only.
  if (bytes.length === 0) return { input: {}, ignored: [], bytes };
  const { value, errors } = parseJsonBody(headers, bytes);
  if (!isObject(value)) throw new InvalidError({ body: [broken('format')], ...errors });
  const checked = checkInput(wayBackSchema, value);
  if ('errors' in checked) throw new InvalidError(checked.errors);
  return { ...checked, bytes };
}

function wayBackRoute(action: 'undo' | 'restore', id: string, summary: string, details: string) {
  return guarded('POST', `/admin/versions/:version/${action}`, RIGHTS.menu.write, {
    description: {
      ...{ id, tag: 'Records', summary, details },
      parameters: ['Version', 'IdempotencyKey', 'Prefer'],
      body: {
        name: 'WayBackBody',
        schema: wayBackSchema,
        example: { dry_run: true },
        isOptional: true,
      },
      answers: { ...ANSWERS, ...(action === 'undo' && { 409: CONFLICT }) },
      refusals: [410, 413, 415],
    },
    call: async (context, { writes }) => {
      const version = pathId(context.param);
      const { input: options, ignored: fields, bytes } = await readOptions(context);
      const input = { ...options, version };
      const ignored = [...unknownParameters(context.query, []), ...fields];
      const asked = { resource: 'menu', action, input, ignored } as const;
      const write = makeWrite(context, asked, [action, version], bytes);
      return writes.perform(write, readerOf(context), isAsync(context));
    },
  });
}

/** `POST /admin/versions/{version}/undo` and `/restore`: ways back, each as one write. */
export const wayBackRoutes: ApiRoute[] = [
  wayBackRoute(
    'undo',
    'undoVersion',
    'Take a version back',
    'Gives each field that the version changed its value before. Records come back with their ids, and ' +
      'with the section that they need. 409 when somebody has changed one of these fields since; ' +
      'with `skip_conflicts` these fields stay, and the answer names them. `dry_run` answers what would ' +
      'happen, and changes nothing. 410: the version is older than what is kept.',
  ),
  wayBackRoute(
    'restore',
    'restoreVersion',
    'Bring back the menu of a version',
    'Makes the whole menu what it was in that version, as one new version. Records that were deleted ' +
      'since come back with their ids. With `skip_conflicts`, records that a rule refuses now are left. ' +
      '`dry_run` answers what would happen, and changes nothing. 410: the version is older than what is kept.',
  ),
];

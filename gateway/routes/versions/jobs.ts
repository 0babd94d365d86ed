import * as v from 'valibot';
import { constants } from '../../../db/runtime/constants.ts';
import { records } from '../../../db/schema/registry.ts';
import { RIGHTS } from '../../../db/schema/rights.ts';
import { grants } from '../../../db/schema/token.ts';
import { ignoringMetaSchema, successSchema } from '../../http/envelope.ts';
import { NotFoundError } from '../../http/errors.ts';
import { recordExamples } from '../../openapi/schemas.ts';
import { guarded } from '../frame/endpoints.ts';
import type { ApiRoute } from '../frame/services.ts';
import { outdatedSchema, RESULT, WRITE_ACCEPTED } from '../records/answers.ts';
import { readerOf } from '../records/read-write.ts';
import { bulkDataSchema, presentVersionSchema } from '../whole-menu/answers.ts';
import { CONFLICT } from './way-back.ts';

const anyRecord = Object.values(records).map(({ admin }) => admin);
const examples = recordExamples('items');
const record = {
  name: 'AdminRecordAnswer',
  schema: successSchema(v.union([...anyRecord, bulkDataSchema]), ignoringMetaSchema),
  example: examples.answer,
};
const outdated = {
  name: 'OutdatedRecord',
  schema: outdatedSchema(v.union([...anyRecord, presentVersionSchema])),
  example: examples.outdated,
};

/** `GET /admin/jobs/{id}` */
export const jobRoute: ApiRoute = guarded('GET', '/admin/jobs/:id', RIGHTS.availability.write, {
  orScope: RIGHTS.prices.write,
  description: {
    id: 'getJob',
    tag: 'Records',
    summary: 'The result of a write',
    details:
      '202 while it waits; then what the write itself would have been answered with, marked by ' +
      `\`X-Job-State: finished\`. Results are kept for ${constants.resultHours} hours. ` +
      'With the scope `availability:write` or `prices:write` alone, only writes of the same token are found.',
    parameters: ['JobId'],
    answers: {
      200: {
        description: 'A record was changed.',
        json: record,
        headers: [...RESULT, 'ETag'],
      },
      201: {
        description: 'A record was created.',
        json: record,
        headers: [...RESULT, 'ETag', 'Location'],
      },
      202: WRITE_ACCEPTED,
      204: { description: 'A record was deleted.', headers: RESULT },
      409: CONFLICT,
      412: {
        description: 'A record had changed.',
        json: outdated,
        headers: [...RESULT, 'ETag'],
      },
    },
    answersWrites: true,
    refusals: [410],
  },
  call: async (context, { writes }) => {
    const { tenant, param, token } = context;
    const isId = v.UUID_REGEX.test(param);
    const sender = grants(token.scopes, 'menu:write') ? null : token.id;
    const answer = isId
      ? await writes.readJob({ id: tenant.id, ...readerOf(context) }, param.toLowerCase(), sender)
      : null;
    if (!answer) throw new NotFoundError();
    return answer;
  },
});

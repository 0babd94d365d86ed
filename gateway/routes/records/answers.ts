import * as v from 'valibot';
import { records } from '../../../db/schema/registry.ts';
import type { Resource } from '../../../db/schema/values/resource.ts';
import { acceptedWriteSchema } from '../../../db/schema/write.ts';
import { errorSchema, ignoringMetaSchema, metaSchema, successSchema } from '../../http/envelope.ts';
import type { DescribedAnswer, DescribedJson } from '../../openapi/description.ts';
import type { HeaderName } from '../../openapi/headers.ts';
import { JOB_ID, recordExamples } from '../../openapi/schemas.ts';
import { successJson } from '../frame/endpoints.ts';

// Answers of the endpoints below `/admin` that show and write records.

export function outdatedSchema(record: v.GenericSchema) {
  return v.object({ ...errorSchema.entries, data: record });
}

/** A record in the envelope. */
export function recordJson(resource: Resource): DescribedJson {
  return {
    name: `Admin${records[resource].schema}Answer`,
    schema: successSchema(records[resource].admin, metaSchema),
    example: recordExamples(resource).answer,
  };
}

/** The headers of a write's own result. */
export const RESULT: readonly HeaderName[] = ['X-Job-State'];

/** The record as the answer to a write, which names what it ignored. */
export function writtenAnswer(resource: Resource, description: string): DescribedAnswer {
  return {
    description,
    json: {
      name: `Written${records[resource].schema}Answer`,
      schema: successSchema(records[resource].admin, ignoringMetaSchema),
      example: recordExamples(resource).answer,
    },
    headers: [...RESULT, 'ETag'],
  };
}

export function outdatedAnswer(resource: Resource): DescribedAnswer {
  return {
    description: 'The record is not the one that the client has seen; here it is as it is now.',
    json: {
      name: `Outdated${records[resource].schema}`,
      schema: outdatedSchema(records[resource].admin),
      example: recordExamples(resource).outdated,
    },
    headers: [...RESULT, 'ETag'],
  };
}

/** A write that is kept. */
export const WRITE_ACCEPTED: DescribedAnswer = {
  description: 'The write is kept and will be done; `Location` is where its result is going to be.',
  json: successJson(
    'WriteAccepted',
    acceptedWriteSchema,
    { id: JOB_ID, state: 'waiting' },
    metaSchema,
  ),
  headers: [...RESULT, 'Location', 'Retry-After'],
  rareHeaders: ['Preference-Applied'],
  shared: 'WriteAccepted',
};

import type * as v from 'valibot';
import { constants } from '../../db/runtime/constants.ts';
import { MAX_KEY_LENGTH } from '../../db/schema/validation/input-fields.ts';
import { ALL_LOCALES } from '../../db/schema/values/locale.ts';
import { MAX_INTEGER } from '../../db/schema/values/record-id.ts';
import { IDEMPOTENCY_KEY } from '../../db/schema/write.ts';
import { KEY_MARK } from '../http/path.ts';
import type { Parameter, SchemaReference } from './parts.ts';
import { JOB_ID, toComponents } from './schemas.ts';

/** Parameters of several operations; all but those of paths may be left out. */
export const parameterComponents = {
  Id: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'Which record.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_INTEGER },
    example: 7,
  },
  RecordId: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'Which record: its id, or `ext:` and its `external_id`, percent-encoded.',
    schema: {
      oneOf: [
        { type: 'integer', minimum: 1, maximum: MAX_INTEGER },
        { type: 'string', pattern: '^ext:', maxLength: KEY_MARK.length + MAX_KEY_LENGTH },
      ],
    },
    example: 7,
  },
  Delivery: {
    name: 'delivery',
    in: 'path',
    required: true,
    description: 'Which delivery of the webhook.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_INTEGER },
    example: 41,
  },
  Version: {
    name: 'version',
    in: 'path',
    required: true,
    description: 'Which version of the menu.',
    schema: { type: 'integer', minimum: 1 },
    example: 12,
  },
  JobId: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'Which write: the id that its 202 named.',
    schema: { type: 'string', format: 'uuid' },
    example: JOB_ID,
  },
  MenuLocale: {
    name: 'locale',
    in: 'path',
    required: true,
    description: `Language of the texts: ${ALL_LOCALES.join(', ')}. Letter case has no meaning. Any other is served as Italian.`,
    schema: { type: 'string', minLength: 1 },
    example: 'de',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the copy that the client has, a list of them, or `*`.',
    schema: { type: 'string' },
    example: '"Yb1xJ0cLw8Q2kVfTzr5nEg"',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the record as the client has seen it; it must not have changed since.',
    schema: { type: 'string' },
    example: '"Yb1xJ0cLw8Q2kVfTzr5nEg"',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: `Makes a repetition harmless: the same request under the same key gets the first one’s result for ${constants.resultHours} hours. Visible ASCII characters, and spaces between them; others at its ends are cut off, and keys that differ only there are one.`,
    schema: {
      type: 'string',
      pattern: IDEMPOTENCY_KEY.source,
      minLength: 1,
      maxLength: constants.maxIdempotencyKeyLength,
    },
    example: 'cassa-2026-01-15-0001',
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description:
      'The `id` of the last event that the client has seen. While it is current, nothing is sent.',
    schema: { type: 'string' },
    example: '8c1f2a90d3e4-42',
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`respond-async`: answer 202 as soon as the write is kept.',
    schema: { type: 'string' },
    example: 'respond-async',
  },
} satisfies Record<string, Parameter>;

export type ParameterName = keyof typeof parameterComponents;

export function parameter(name: ParameterName): SchemaReference {
  return { $ref: `#/components/parameters/${name}` };
}

/** The parameters of a query, from the schema that checks it; all may be left out. */
export function queryParameters(schema: v.GenericSchema): Parameter[] {
  const { query } = toComponents({ query: schema }, 'input');
  const { properties = {}, required: needed } = query ?? {};
  const required = new Set(needed);
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    ...{ name, in: 'query' },
    ...(required.has(name) && { required: true }),
    description: String(description),
    schema: rest,
  }));
}

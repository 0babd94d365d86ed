import type * as v from 'valibot';
import { constants } from '../../db/runtime/constants.ts';
import { MAX_KEY_LENGTH } from '../../db/schema/validation/input-fields.ts';
import { ALL_LOCALES } from '../../db/schema/values/locale.ts';
import { MAX_INTEGER } from '../../db/schema/values/record-id.ts';
import { IDEMPOTENCY_KEY } from '../../db/schema/write.ts';
import { KEY_MARK } from '../http/path.ts';
import type { Parameter, SchemaReference } from './parts.ts';
import { JOB_ID, toComponents } from './schemas.ts';

const ID = { type: 'integer', minimum: 1, maximum: MAX_INTEGER };
const TEXT = { type: 'string' };

type Row = [name: string, description: string, schema: Parameter['schema'], example: unknown];

const inPath = (...[name, description, schema, example]: Row): Parameter => ({
  ...{ name, in: 'path', required: true, description, schema, example },
});
const inHeader = (...[name, description, schema, example]: Row): Parameter => ({
  ...{ name, in: 'header', description, schema, example },
});

/** Parameters of several operations; all but those of paths may be left out. */
export const parameterComponents = {
  Id: inPath('id', 'Which record.', ID, 7),
  RecordId: inPath(
    'id',
    'Which record: its id, or `ext:` and its `external_id`, percent-encoded.',
    {
      oneOf: [
        ID,
        { type: 'string', pattern: '^ext:', maxLength: KEY_MARK.length + MAX_KEY_LENGTH },
      ],
    },
    7,
  ),
  Delivery: inPath('delivery', 'Which delivery of the webhook.', ID, 41),
  Version: inPath('version', 'Which version of the menu.', { type: 'integer', minimum: 1 }, 12),
  JobId: inPath(
    'id',
    'Which write: the id that its 202 named.',
    { type: 'string', format: 'uuid' },
    JOB_ID,
  ),
  MenuLocale: inPath(
    'locale',
    `Language of the texts: ${ALL_LOCALES.join(', ')}. Letter case has no meaning. Any other is served as Italian.`,
    { type: 'string', minLength: 1 },
    'de',
  ),
  IfNoneMatch: inHeader(
    'If-None-Match',
    'The `ETag` of the copy that the client has, a list of them, or `*`.',
    TEXT,
    '"Yb1xJ0cLw8Q2kVfTzr5nEg"',
  ),
  IfMatch: inHeader(
    'If-Match',
    'The `ETag` of the record as the client has seen it; it must not have changed since.',
    TEXT,
    '"Yb1xJ0cLw8Q2kVfTzr5nEg"',
  ),
  IdempotencyKey: inHeader(
    'Idempotency-Key',
    `Makes a repetition harmless: the same request under the same key gets the first one’s result for ${constants.resultHours} hours. Visible ASCII characters, and spaces between them; others at its ends are cut off, and keys that differ only there are one.`,
    {
      type: 'string',
      pattern: IDEMPOTENCY_KEY.source,
      minLength: 1,
      maxLength: constants.maxIdempotencyKeyLength,
    },
    'cassa-2026-01-15-0001',
  ),
  LastEventId: inHeader(
    'Last-Event-ID',
    'The `id` of the last event that the client has seen. While it is current, nothing is sent.',
    TEXT,
    '8c1f2a90d3e4-42',
  ),
  Prefer: inHeader(
    'Prefer',
    '`respond-async`: answer 202 as soon as the write is kept.',
    TEXT,
    'respond-async',
  ),
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

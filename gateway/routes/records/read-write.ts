import type { Field } from '../../../db/schema/field.ts';
import type { RecordType } from '../../../db/schema/record.ts';
import { type Action, records } from '../../../db/schema/registry.ts';
import {
  checkInput,
  type Input,
  type InputSchema,
} from '../../../db/schema/validation/check-input.ts';
import { broken } from '../../../db/schema/validation/rule.ts';
import type { Resource } from '../../../db/schema/values/resource.ts';
import { isObject } from '../../../db/schema/values/row.ts';
import { type AskedWrite, type NewWrite, newWrite } from '../../../db/schema/write.ts';
import type { StoredToken } from '../../../db/sql/tokens.ts';
import { InvalidError } from '../../http/errors.ts';
import { readIdempotencyKey } from '../../http/idempotency-key.ts';
import { parseJsonBody } from '../../http/json-body.ts';
import { readerLanguage } from '../../http/negotiation.ts';
import { pathRecord } from '../../http/path.ts';
import { unknownParameters } from '../../http/query.ts';
import { plainTag } from '../../http/representations.ts';
import type { GuardedContext } from '../../pipeline/route.ts';
import type { WriteReader } from '../../writes/writes.ts';

/** The records that an endpoint writes. */
export interface WriteTarget {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/admin`. */
  path: string;
  resource: Resource;
  action: Action;
  /** Of the body; undefined for a write that has none. */
  schema?: InputSchema;
  /**
   * Whether a token may change prices alone.
   *
   * @throws ForbiddenError when it may not send these fields
   */
  permit?(token: StoredToken, fields: readonly string[]): boolean;
}

interface ReadInput {
  input: Input;
  /** Paths of fields that were sent and have no meaning here. */
  ignored: readonly string[];
  /** Whether a worker merges it with the record. */
  isMerged?: boolean;
}

/** A body of PATCH with stand-ins for the parts that it leaves out, so that its shape is checked. */
function completed({ fields }: RecordType, value: unknown, fallback: string): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, sent]) => {
    const field: Field | undefined = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field?.isTranslated && isObject(sent))
      return [name, { ...sent, [fallback]: sent[fallback] || '-' }];
    if (!field?.parts || !('external_id' in field.parts) || !Array.isArray(sent))
      return [name, sent];
    return [
      name,
      sent.map((row) =>
        isObject(row) && typeof row.external_id === 'string'
          ? { label: '-', price: 0, ...row }
          : row,
      ),
    ];
  });
  return Object.fromEntries(entries);
}

const NOTHING: ReadInput = { input: {}, ignored: [] };

/** @throws InvalidError, UnsupportedTypeError, ForbiddenError */
function readInput(
  { action, resource, permit }: WriteTarget,
  schema: InputSchema,
  { headers, token, tenant }: GuardedContext,
  body: Buffer,
): ReadInput {
  const { value, errors } = parseJsonBody(headers, body);
  const isOfPrices = isObject(value) && permit?.(token, Object.keys(value)) === true;
  const isMerged = action === 'merge' || isOfPrices;
  const whole = isMerged ? completed(records[resource], value, tenant.fallbackLocale) : value;
  const checked = checkInput(schema, whole, tenant);
  if ('errors' in checked) throw new InvalidError({ ...errors, ...checked.errors });
  // No field of a change is required, so that nothing else would say that this is not a change.
  if (!isObject(value)) {
    throw new InvalidError({ body: [broken('format')], ...errors });
  }
  // A change of nothing has nothing to merge.
  if (!isMerged || Object.keys(checked.input).length === 0) return checked;
  // A worker merges it with the record, and checks it as a whole.
  return {
    input: { body: JSON.stringify(value), ...(isOfPrices && { prices_only: true }) },
    ignored: checked.ignored,
    isMerged,
  };
}

/**
 * The entity tags of `If-Match`, `*` for any, or null without the header (RFC 9110, 13.1.1). A header
 * without tags matches nothing. A proxy that compresses makes our tag weak or adds the encoding to it:
 * the record that it names is the same.
 */
export function expectedTags(header: string | undefined): string[] | null {
  if (header === undefined) return null;
  if (header.trim() === '*') return ['*'];
  return (header.match(/"[^"]*"/g) ?? []).map(plainTag);
}

/** The subject of a write, besides the values in its request. */
type Asked = AskedWrite & Pick<NewWrite, 'ignored'> & Partial<Pick<NewWrite, 'record_key'>>;

/**
 * The write that a request asks for.
 *
 * @param what tells requests of the same body apart
 * @throws InvalidError
 */
export function makeWrite(
  { tenant, headers, token, assisted }: GuardedContext,
  asked: Asked,
  what: readonly unknown[],
  body: Buffer,
): NewWrite {
  const ifMatch = headers.get('if-match');
  return newWrite(
    {
      ...{ ...asked, tenant_id: tenant.id, token_id: token.id },
      expected_tags: expectedTags(ifMatch),
      idempotency_key: readIdempotencyKey(headers),
      ...(assisted && { origin: 'mcp', confirmed_by: assisted.confirmedBy }),
    },
    ...[JSON.stringify([...what, ifMatch ?? null]), body],
  );
}

/**
 * The write that a request asks for.
 *
 * @throws NotFoundError, InvalidError, UnsupportedTypeError, TooLargeError, ForbiddenError
 */
export async function readWrite(target: WriteTarget, context: GuardedContext): Promise<NewWrite> {
  const { method, path, resource, action, schema } = target;
  const { param } = context;
  const body = await context.body;
  const read = schema ? readInput(target, schema, context, body) : NOTHING;
  const { input, ignored: fields } = read;
  const ignored = [...unknownParameters(context.query, []), ...fields];
  const { id, key } = path.includes(':id') ? pathRecord(param) : { id: null, key: null };
  const done = read.isMerged ? 'merge' : action === 'merge' ? 'change' : action;
  const asked = { resource, action: done, record_id: id, record_key: key, input, ignored } as const;
  return makeWrite(context, asked, [method, path, param], body);
}

const RESPOND_ASYNC = /(^|[\s,;])respond-async($|[\s,;])/i;

/** Whether the client asks not to wait for the result of its write (RFC 7240). */
export function isAsync({ headers }: GuardedContext): boolean {
  return RESPOND_ASYNC.test(headers.get('prefer') ?? '');
}

/** The reader of a write's result. */
export function readerOf({
  tenant,
  headers,
}: Pick<GuardedContext, 'tenant' | 'headers'>): WriteReader {
  return { slug: tenant.slug, language: readerLanguage(headers, tenant.defaultLocale) };
}

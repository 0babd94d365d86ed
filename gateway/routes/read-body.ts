import type * as v from 'valibot';
import { checkInput, type InputSchema, isObject } from '../../db/schema/validation/check-input.ts';
import { broken } from '../../db/schema/validation/rule.ts';
import { InvalidError } from '../http/errors.ts';
import { parseJsonBody } from '../http/json-body.ts';
import type { GuardedContext } from '../pipeline/route.ts';

/**
 * The checked body of a request, and the names of fields that were ignored.
 *
 * @throws InvalidError, UnsupportedTypeError
 */
export async function readBody<S extends InputSchema>(
  schema: S,
  { headers, body }: Pick<GuardedContext, 'headers' | 'body'>,
): Promise<{ input: v.InferOutput<S>; ignored: readonly string[] }> {
  const { value, errors } = parseJsonBody(headers, await body);
  const checked = checkInput(schema, value);
  if ('errors' in checked) throw new InvalidError({ ...errors, ...checked.errors });
  if (!isObject(value)) throw new InvalidError({ body: [broken('format')], ...errors });
  return { input: checked.input as v.InferOutput<S>, ignored: checked.ignored };
}

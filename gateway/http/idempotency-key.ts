import { constants } from '../../db/runtime/constants.ts';
import { broken } from '../../db/schema/validation/rule.ts';
import { IDEMPOTENCY_KEY } from '../../db/schema/write.ts';
import { InvalidError } from './errors.ts';

/** The `Idempotency-Key` of a request, or null. @throws InvalidError */
export function readIdempotencyKey(headers: ReadonlyMap<string, string>): string | null {
  const key = headers.get('idempotency-key')?.trim();
  if (key === undefined) return null;
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw new InvalidError({ idempotency_key: [broken('format')] });
  }
  const longest = constants.maxIdempotencyKeyLength;
  if (key.length > longest) {
    const text = broken('maxLength', { max: longest });
    throw new InvalidError({ idempotency_key: [text] });
  }
  return key;
}

import { createHash } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';
import type { Input } from '../../../db/schema/validation/check-input.ts';
import type { NewWrite } from '../../../db/schema/write.ts';
import type { Answer } from '../../http/answer.ts';
import type { GuardedContext } from '../../pipeline/route.ts';
import { isAsync, readIdempotencyKey } from '../records/read-write.ts';
import type { Services } from '../services.ts';

/**
 * Hands a document to the queue as it is: a worker reads it, which takes longer than this gateway's
 * readers should wait.
 *
 * @param input how it is to be taken
 */
export async function writeDocument(
  action: 'bulk' | 'import',
  input: Input,
  context: GuardedContext,
  { writes }: Pick<Services, 'writes'>,
): Promise<Answer> {
  const { tenant, headers, token } = context;
  const body = await context.body;
  const ifMatch = headers.get('if-match') ?? null;
  const hash = createHash('sha256');
  hash.update(JSON.stringify([action, input, ifMatch])).update(body);
  const write: NewWrite = {
    tenant_id: tenant.id,
    id: uuidV7(),
    token_id: token.id,
    resource: 'menu',
    action,
    record_id: null,
    input,
    if_match: ifMatch,
    // A copy: the bytes of the request are given back when it is answered, and the write may go on.
    document: Buffer.from(body),
    idempotency_key: readIdempotencyKey(headers),
    request_hash: hash.digest(),
  };
  return writes.perform(write, tenant.slug, isAsync(context), []);
}

import type { Input } from '../../../db/schema/validation/check-input.ts';
import type { Answer } from '../../http/answer.ts';
import type { GuardedContext } from '../../pipeline/route.ts';
import { isAsync, makeWrite } from '../records/read-write.ts';
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
  const body = await context.body;
  // A copy: the bytes of the request are given back when it is answered, and the write may go on.
  const document = Buffer.from(body);
  // The worker reads the document, and finds which of its fields are ignored.
  const asked = {
    resource: 'menu' as const,
    action,
    record_id: null,
    input,
    ignored: [],
    document,
  };
  const write = makeWrite(context, asked, [action, input], body);
  return writes.perform(write, context.tenant.slug, isAsync(context));
}

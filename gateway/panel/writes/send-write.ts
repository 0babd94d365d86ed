import { createHash } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';
import type { NewWrite } from '../../../db/schema/write.ts';
import { UnavailableError } from '../../http/errors.ts';
import type { SettledWrite } from '../../writes/settle-write.ts';
import type { Desk } from '../desk.ts';
import { permitWrite } from '../permission.ts';
import { canWait, saveIntoRelease } from './into-release.ts';

/** There were too many writes in a minute. */
export interface TooMany {
  kind: 'too-many';
  /** How long to wait, in ms. */
  wait: number;
}

/** Makes of an outage that a write has failed: `sendWrite(…).catch(asFailed)`. */
export function asFailed(error: unknown): { kind: 'failed' } {
  if (error instanceof UnavailableError) return { kind: 'failed' };
  throw error;
}

type Asked = Pick<
  NewWrite,
  'resource' | 'action' | 'record_id' | 'input' | 'expected_tags' | 'document'
>;

/**
 * Hands a page's write to the queue and waits for its result, as the API does. A write for the release
 * that the browser has chosen goes there instead.
 *
 * @param key names what was asked for: the same form that is sent again is one write
 * @throws ForbiddenError when the role of the person does not allow it
 * @throws UnavailableError when the queue is full or Postgres does not answer
 */
export async function sendWrite(
  desk: Desk,
  asked: Asked,
  key: readonly unknown[],
): Promise<SettledWrite | TooMany> {
  const { request, session, writes, bound, chosen } = desk;
  const { tenantId } = request;
  permitWrite(session.role, asked);
  const wait = bound.take(tenantId);
  if (wait > 0) return { kind: 'too-many', wait };
  if (chosen && canWait(asked)) return saveIntoRelease(desk, chosen, uuidV7(), asked);
  const name = JSON.stringify([asked.resource, asked.action, asked.record_id, ...key]);
  const digest = createHash('sha256').update(name).digest();
  const write: NewWrite = {
    ...asked,
    tenant_id: tenantId,
    id: uuidV7(),
    token_id: -session.user_id,
    idempotency_key: `panel-${digest.toString('hex')}`,
    request_hash: digest,
    // A form has the fields of its record only.
    ignored: [],
  };
  return writes.settle(write, request.context.front.tenant.slug);
}

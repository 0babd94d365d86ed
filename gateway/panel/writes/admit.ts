import type { AskedWrite } from '../../../db/schema/write.ts';
import type { Desk } from '../desk.ts';
import { permitWrite } from '../permission.ts';

/** There were too many writes in a minute. */
export interface TooMany {
  kind: 'too-many';
  /** How long to wait, in ms. */
  wait: number;
}

/**
 * Counts a write that a page asks for; null when it may go on.
 *
 * @throws ForbiddenError when the role of the person does not allow it
 */
export function admitWrite({ session, bound, tenantId }: Desk, asked: AskedWrite): TooMany | null {
  permitWrite(session.role, asked);
  const wait = bound.take(tenantId);
  return wait > 0 ? { kind: 'too-many', wait } : null;
}

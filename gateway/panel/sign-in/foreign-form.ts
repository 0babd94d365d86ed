import type { Database } from '../../../db/postgres/connection.ts';
import type { Answer } from '../../http/answer.ts';
import { messagePage } from '../pages/message-page.ts';
import type { PanelRequest } from '../panel-request.ts';
import { findSession } from './sessions.ts';

/**
 * The page for a form that another site has sent, whatever it asks for. Nothing of the form is read or
 * kept, and no cookie changes. It says so, because the sender of a sign-out must not believe that it
 * was done.
 */
export async function refuseForeignForm(
  { db }: { db: Database },
  request: PanelRequest,
): Promise<Answer> {
  const session = await findSession(db, request);
  const isSignOut = request.context.path === '/admin/sign-out';
  const title = request.say(isSignOut ? 'failures.notSignedOutTitle' : 'failures.foreignTitle');
  const text = request.say(isSignOut ? 'failures.notSignedOut' : 'failures.foreign');
  return messagePage(request, '403 Forbidden', title, text, session);
}

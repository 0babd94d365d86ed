import type { Database } from '../../../db/postgres/connection.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { findUserById } from '../../../db/sql/users.ts';
import { type Answer, createAnswer, JSON_TYPE } from '../../http/answer.ts';
import { clientNetwork, networkText } from '../../http/client-address.ts';
import { setBrowserCookie } from '../browser-cookie.ts';
import type { Desk } from '../desk.ts';
import { type Form, readForm } from '../form.ts';
import { retryAfter } from '../pages/page.ts';
import { isOwnForm, type PanelRequest } from '../panel-request.ts';
import { readName } from '../people/person-fields.ts';
import { firstPage } from '../permission.ts';
import { beginSession } from '../sign-in/sessions.ts';
import { takeAddress } from '../sign-in/sign-in-limits.ts';
import { addPasskey, askForPasskey, findByPasskey, offerPasskey } from './passkeys.ts';

// Answers for the script that speaks with the browser's passkeys: JSON, and no page.

function json(status: string, body: unknown, headers: Record<string, string> = {}): Answer {
  const all = { 'Content-Type': JSON_TYPE, 'X-Content-Type-Options': 'nosniff', ...headers };
  return createAnswer(status, 'no-store', all, Buffer.from(JSON.stringify(body)));
}

const REFUSED = json('403 Forbidden', { done: false });

/** The credential that the script has put into the form; null for a text that is no JSON. */
function credentialOf(form: Form): unknown {
  try {
    return JSON.parse(form.secret('credential'));
  } catch {
    return null;
  }
}

const MAX_FORM = constants.maxRecordFormBytes;

/** `POST /admin/account/passkeys`: first the options, then, with a credential, the new passkey. */
export async function changePasskeys(desk: Desk): Promise<Answer> {
  const { db, request, session } = desk;
  const form = await readForm(request.context, MAX_FORM);
  const user = await findUserById(db, request.tenantId, session.user_id);
  if (!user || !isOwnForm(request, form.text('form_token'))) return REFUSED;
  if (form.secret('credential') === '') {
    return json('200 OK', { options: await offerPasskey(db, request, user) });
  }
  const name = readName(form.text('passkey_name')) ?? 'Passkey';
  const isAdded = await addPasskey(db, request, user, name, credentialOf(form));
  return isAdded ? json('200 OK', { next: '/admin/account?done=passkey' }) : REFUSED;
}

/** `POST /admin/sign-in/passkey`: first the options, then, with a credential, the session. */
export async function signInByPasskey(
  { db }: { db: Database },
  request: PanelRequest,
): Promise<Answer> {
  const { tenantId, context, secure } = request;
  const form = await readForm(context, MAX_FORM);
  if (!isOwnForm(request, form.text('form_token'))) return REFUSED;
  // A passkey names its account itself, so attempts are counted by the address alone.
  const wait = await takeAddress(db, tenantId, networkText(clientNetwork(context.client)));
  if (wait !== null) {
    return json('429 Too Many Requests', { done: false }, retryAfter(wait));
  }
  if (form.secret('credential') === '') {
    return json('200 OK', { options: await askForPasskey(db, request) });
  }
  const user = await findByPasskey(db, request, credentialOf(form));
  const signedIn = user && (await beginSession(db, request, user));
  if (!signedIn) return REFUSED;
  const cookie = setBrowserCookie(signedIn.cookie, secure);
  return json('200 OK', { next: firstPage(user.role) }, { 'Set-Cookie': cookie });
}

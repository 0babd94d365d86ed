import type { Database } from '../../../db/postgres/connection.ts';
import type { Db } from '../../../db/postgres/sql.ts';
import { constants } from '../../../db/runtime/constants.ts';
import {
  type AttemptKey,
  countSignInAttempt,
  forgiveSignInAttempts,
} from '../../../db/sql/sessions.ts';
import { findUser, type User } from '../../../db/sql/users.ts';
import { isPanelLanguage } from '../../../db/texts/catalogues.ts';
import type { Say } from '../../../db/texts/say.ts';
import type { Answer } from '../../http/answer.ts';
import { clientNetwork, networkText } from '../../http/client-address.ts';
import type { Form } from '../form.ts';
import { isPanelPath } from '../navigation.ts';
import { type RefusedForm, refusal } from '../pages/fields.ts';
import { HOME_PATH, redirectAnswer } from '../pages/page.ts';
import { isOwnForm, type KeptForm, newBrowserCookie, type PanelRequest } from '../panel-request.ts';
import { BusyError, type Matches, type PasswordChecks } from '../password-checks.ts';
import { firstPage } from '../permission.ts';
import { setLanguageCookie } from '../texts/choose.ts';
import { beginSession, endBrowserSession, findSession } from './sessions.ts';
import { readPurposeForm, signInPage, untouchedSignInPage } from './sign-in-page.ts';

/** Milliseconds until the window is over when this attempt is one too many, else null. */
async function take(db: Db, key: AttemptKey, limit: number): Promise<number | null> {
  const { count, remaining } = await countSignInAttempt(db, key);
  return count <= limit ? null : remaining;
}

/** The same for attempts that name no account: they are counted by the client's network alone. */
export function takeAddress(db: Db, tenantId: number, address: string): Promise<number | null> {
  return take(db, { tenantId, kind: 'address', name: address }, constants.maxAddressFailures);
}

/**
 * Counts an attempt before its password is checked. Returns null when it may go on, else how long
 * the client has to wait, in milliseconds. Whether the account exists makes no difference.
 *
 * @param account the one that is named, in lower case
 * @param address the network of the client that names it
 */
export async function admitAttempt(db: Db, tenantId: number, account: string, address: string) {
  const byAccount: AttemptKey = { tenantId, kind: 'account', name: account };
  return (
    (await takeAddress(db, tenantId, address)) ??
    (await take(db, byAccount, constants.maxAccountFailures))
  );
}

interface SignInOptions {
  db: Database;
  checks: PasswordChecks;
  /** The page of a form that was kept, with what it held; null when there is no such page. */
  resume: (request: PanelRequest, kept: KeptForm) => Promise<Answer | null>;
}

/** Says after how many minutes somebody may try again. @param wait in ms */
export function sayWait(say: Say, wait: number): string {
  return say('signIn.tooMany', { minutes: Math.ceil(wait / 60_000) });
}

/** Refuses a form while too many people are signing in. @throws any other error */
export function refuseBusy(say: Say, error: unknown): RefusedForm {
  if (!(error instanceof BusyError)) throw error;
  return refusal(say('signIn.busy'), '503 Service Unavailable', constants.busyRetryAfter);
}

/** `GET /admin/sign-in` */
export async function showSignIn({ db }: SignInOptions, request: PanelRequest): Promise<Answer> {
  const query = new URLSearchParams(request.context.query);
  const wish = query.get('next') ?? '';
  const next = isPanelPath(wish) ? wish : null;
  if (await findSession(db, request)) return redirectAnswer(request, next ?? HOME_PATH);
  const purpose = { next, kept: null };
  return untouchedSignInPage({ ...request, purpose }, query.get('because') ?? undefined);
}

function refuseIncomplete(request: PanelRequest, email: string, password: string): Answer | null {
  if (email !== '' && password !== '') return null;
  const { say } = request;
  const errors = {
    ...(email === '' && { email: say('signIn.emailMissing') }),
    ...(password === '' && { password: say('signIn.passwordMissing') }),
  };
  return signInPage(request, { email, errors, ...refusal(Object.values(errors).join(' ')) });
}

function refuse(request: PanelRequest, email: string, ...refused: Parameters<typeof refusal>) {
  return signInPage(request, { email, ...refusal(...refused) });
}

/** Checks who it is; the user, or the page that says no. */
async function identify(
  db: Database,
  request: PanelRequest,
  matches: Matches,
  { email, password }: { email: string; password: string },
): Promise<User | Answer> {
  const { say } = request;
  const { tenantId } = request;
  // Once for both: were each to lower it in its own way, an account could be named in several.
  const account = email.toLowerCase();
  const address = networkText(clientNetwork(request.context.client));
  const wait = await admitAttempt(db, tenantId, account, address);
  if (wait !== null) {
    return refuse(request, email, sayWait(say, wait), '429 Too Many Requests', wait);
  }
  const user = await findUser(db, tenantId, account);
  if (!(await matches(user?.password_hash ?? null, password)) || !user) {
    return refuse(request, email, say('signIn.wrong'));
  }
  await forgiveSignInAttempts(db, tenantId, account, address);
  return user;
}

async function trySignIn(options: SignInOptions, request: PanelRequest, form: Form) {
  const email = form.text('email').slice(0, constants.maxEmailLength);
  const password = form.secret('password');
  const incomplete = refuseIncomplete(request, email, password);
  if (incomplete) return incomplete;
  const identified = await options.checks.admit(
    request.tenantId,
    request.context.client,
    (matches) => identify(options.db, request, matches, { email, password }),
  );
  if ('head' in identified) return identified;
  const signedIn = await beginSession(options.db, request, identified);
  if (!signedIn) return refuse(request, email, request.say('signIn.wrong'));
  const { next = null, kept = null } = request.purpose ?? {};
  const resumed = kept && (await options.resume(signedIn, kept));
  const language = identified.language ?? '';
  const cookies = isPanelLanguage(language) ? [setLanguageCookie(language, request.secure)] : [];
  return resumed ?? redirectAnswer(signedIn, next ?? firstPage(identified.role), cookies);
}

/** `POST /admin/sign-in`; an unknown user and a wrong password get the same answer. */
export async function signIn(options: SignInOptions, visited: PanelRequest): Promise<Answer> {
  const { form, purpose } = await readPurposeForm(visited);
  const request = { ...visited, purpose };
  const { say } = request;
  if (!isOwnForm(request, form.text('form_token'))) {
    // Another tab has signed in since this one got its form: there is nothing left to do for the same
    // person, and no other person may use that session.
    const email = form.text('email');
    const session = await findSession(options.db, request);
    if (session?.email === email.toLowerCase()) return redirectAnswer(request, HOME_PATH);
    return refuse(request, email, say('failures.stale'), '403 Forbidden');
  }
  return trySignIn(options, request, form).catch((error) =>
    signInPage(request, { email: form.text('email'), ...refuseBusy(say, error) }),
  );
}

/**
 * `POST /admin/sign-out`. A form of an earlier session ends the present one, too: staying signed in
 * without knowing it is worse than being signed out.
 */
export async function signOut({ db }: SignInOptions, request: PanelRequest): Promise<Answer> {
  await endBrowserSession(db, request);
  const forgotten = { ...request, cookie: newBrowserCookie() };
  return redirectAnswer(forgotten, '/admin/sign-in?because=signed-out');
}

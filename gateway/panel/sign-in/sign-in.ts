import type { Database } from '../../../db/postgres/connection.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { findUser, type User } from '../../../db/sql/access/find-user.ts';
import type { Answer } from '../../http/answer.ts';
import { TooLargeError } from '../../http/errors.ts';
import { type Form, readForm } from '../form.ts';
import { notice } from '../pages/fields.ts';
import { messagePage } from '../pages/message-page.ts';
import { HOME_PATH, redirectAnswer } from '../pages/page.ts';
import { isPanelPath } from '../panel-path.ts';
import { isFromOurPage, isOwnForm, type Visit } from '../visit.ts';
import { newVisitCookie } from '../visit-cookie.ts';
import { type KeptForm, readPurpose } from './kept-form.ts';
import { BusyError, type Matches, type PasswordChecks } from './password-checks.ts';
import { beginSession, endSession, findSession } from './sessions.ts';
import { admitAttempt, describeAttempt, forgiveAttempt } from './sign-in-limits.ts';
import { signInPage, untouchedSignInPage } from './sign-in-page.ts';

export interface SignInOptions {
  db: Database;
  domain: string;
  checks: PasswordChecks;
  /** The page of a form that was kept, with what it held; null when there is no such page. */
  resume: (visit: Visit, kept: KeptForm) => Promise<Answer | null>;
}

const MINUTE = 60_000;
const SECOND = 1_000;
const UNPROCESSABLE = '422 Unprocessable Content';

/** `GET /admin/sign-in` */
export async function showSignIn({ db }: SignInOptions, visit: Visit): Promise<Answer> {
  const query = new URLSearchParams(visit.context.query);
  const wish = query.get('next') ?? '';
  const next = isPanelPath(wish) ? wish : null;
  if (await findSession(db, visit)) return redirectAnswer(visit, next ?? HOME_PATH);
  const purpose = { next, kept: null };
  return untouchedSignInPage({ ...visit, purpose }, query.get('because') ?? undefined);
}

function refuseIncomplete(visit: Visit, email: string, password: string): Answer | null {
  if (email !== '' && password !== '') return null;
  const texts = visit.texts.signIn;
  const emailError = email === '' ? texts.emailMissing : undefined;
  const passwordError = password === '' ? texts.passwordMissing : undefined;
  const messages = [emailError, passwordError].filter((message) => message !== undefined);
  return signInPage(visit, {
    status: UNPROCESSABLE,
    email,
    notice: notice('bad', messages.join(' ')),
    emailError,
    passwordError,
  });
}

function refuse(visit: Visit, status: string, email: string, text: string, wait = 0): Answer {
  const headers = { 'Retry-After': String(Math.ceil(wait / SECOND)) };
  return signInPage(visit, {
    status,
    email,
    notice: notice('bad', text),
    ...(wait > 0 && { headers }),
  });
}

/** Checks who it is; the user, or the page that says no. */
async function identify(
  db: Database,
  visit: Visit,
  matches: Matches,
  { email, password }: { email: string; password: string },
): Promise<User | Answer> {
  const texts = visit.texts.signIn;
  const { tenantId } = visit;
  // Once for both: were each to lower it in its own way, an account could be named in several.
  const account = email.toLowerCase();
  const attempt = describeAttempt(tenantId, account, visit.context.client);
  const wait = await admitAttempt(db, attempt);
  if (wait !== null) {
    const text = texts.tooMany(Math.ceil(wait / MINUTE));
    return refuse(visit, '429 Too Many Requests', email, text, wait);
  }
  const user = await findUser(db, tenantId, account);
  if (!(await matches(user?.password_hash ?? null, password)) || !user) {
    return refuse(visit, UNPROCESSABLE, email, texts.wrong);
  }
  await forgiveAttempt(db, attempt);
  return user;
}

async function trySignIn(options: SignInOptions, visit: Visit, form: Form): Promise<Answer> {
  const email = form.text('email').slice(0, constants.maxEmailLength);
  const password = form.secret('password');
  const incomplete = refuseIncomplete(visit, email, password);
  if (incomplete) return incomplete;
  const identified = await options.checks.admit(visit.tenantId, visit.context.client, (matches) =>
    identify(options.db, visit, matches, { email, password }),
  );
  if ('head' in identified) return identified;
  const signedIn = await beginSession(options.db, visit, identified);
  if (!signedIn) return refuse(visit, UNPROCESSABLE, email, visit.texts.signIn.wrong);
  const { next = null, kept = null } = visit.purpose ?? {};
  const resumed = kept && (await options.resume(signedIn, kept));
  return resumed ?? redirectAnswer(signedIn, next ?? HOME_PATH);
}

/** `POST /admin/sign-in`; an unknown user and a wrong password get the same answer. */
export async function signIn(options: SignInOptions, visited: Visit): Promise<Answer> {
  const form = await readForm(visited.context, constants.maxRecordFormBytes);
  const purpose = readPurpose(form);
  const { length } = await visited.context.body;
  // Only a form that is kept makes this one long.
  if (!purpose.kept && length > constants.maxFormBytes) throw new TooLargeError();
  const visit = { ...visited, purpose };
  const { failures, signIn: texts } = visit.texts;
  if (!isOwnForm(visit, form.text('form_token'), options.domain)) {
    // Another tab has signed in since this one got its form: there is nothing left to do for the same
    // person, and no other person may use that session.
    const email = form.text('email');
    const session = await findSession(options.db, visit);
    if (session?.email === email.toLowerCase()) return redirectAnswer(visit, HOME_PATH);
    return refuse(visit, '403 Forbidden', email, failures.stale);
  }
  try {
    return await trySignIn(options, visit, form);
  } catch (error) {
    if (!(error instanceof BusyError)) throw error;
    const status = '503 Service Unavailable';
    return refuse(visit, status, form.text('email'), texts.busy, constants.busyRetryAfter);
  }
}

/**
 * `POST /admin/sign-out`. A form that was made for an earlier session of the browser ends the present
 * one: to stay signed in unawares is worse than to be signed out. A form from elsewhere does
 * not, and says so, because its sender must not believe that it did.
 */
export async function signOut({ db, domain }: SignInOptions, visit: Visit): Promise<Answer> {
  if (!isFromOurPage(visit, domain)) {
    const session = await findSession(db, visit);
    const { notSignedOutTitle, notSignedOut } = visit.texts.failures;
    const user = session?.email ?? null;
    return messagePage(visit, '403 Forbidden', notSignedOutTitle, notSignedOut, user);
  }
  await endSession(db, visit);
  const forgotten = { ...visit, cookie: newVisitCookie() };
  return redirectAnswer(forgotten, '/admin/sign-in?because=signed-out');
}

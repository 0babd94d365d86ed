import { hashPassword, MIN_PASSWORD, passwordTrouble } from '../../../db/actions/password.ts';
import { changeUser, endAllSessions, makeEmailLink, setEmail } from '../../../db/actions/users.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { deletePasskey } from '../../../db/sql/passkeys.ts';
import { forgiveSignInAttempts } from '../../../db/sql/sessions.ts';
import {
  findUserById,
  logUserAction,
  replacePassword,
  type User,
  writeUser,
} from '../../../db/sql/users.ts';
import { isPanelLanguage } from '../../../db/texts/catalogues.ts';
import type { Answer } from '../../http/answer.ts';
import { clientNetwork, networkText } from '../../http/client-address.ts';
import { InvalidError } from '../../http/errors.ts';
import { hashCookie } from '../../http/random-cookie.ts';
import type { Desk } from '../desk.ts';
import { type Form, readForm } from '../form.ts';
import { deskContext } from '../forms/action-form.ts';
import { doneNotice, notice, refusal, staleForm } from '../pages/fields.ts';
import { redirectAnswer } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import { mailLink, readEmail, readName } from '../people/people-page.ts';
import { endOneSession } from '../people/person-page.ts';
import { BusyError, type PasswordChecks } from '../sign-in/password-checks.ts';
import { admitAttempt, sayWait } from '../sign-in/sign-in.ts';
import { setLanguageCookie } from '../texts/choose.ts';
import { ACCOUNT_PATH, accountPage } from './account-page.ts';

/** The texts of what was done, by the word in the address. */
const TOLD = {
  saved: 'people.saved',
  password: 'account.passwordDone',
  ended: 'account.ended',
  deleted: 'account.deleted',
  passkey: 'account.passkeyAdded',
} as const;

/** `GET /admin/account`, with word of what has just been done. */
export function showAccount(desk: Desk): Promise<Answer> {
  return accountPage(desk, { notice: doneNotice(desk.request, TOLD) });
}

function refuse(desk: Desk, text: string, status?: string, wait?: number): Promise<Answer> {
  return accountPage(desk, { ...refusal(text, status), ...(wait !== undefined && { wait }) });
}

function done({ request }: Desk, word: keyof typeof TOLD, cookies: string[] = []): Answer {
  return redirectAnswer(request, `${ACCOUNT_PATH}?done=${word}`, cookies);
}

/** Checks the present password; null when it is right, else the page that says no. */
async function askPassword(desk: Desk, checks: PasswordChecks, user: User, password: string) {
  const { db, request, tenantId, say } = desk;
  const { context } = request;
  const address = networkText(clientNetwork(context.client));
  return checks.admit(tenantId, context.client, async (matches) => {
    const wait = await admitAttempt(db, tenantId, user.email, address);
    if (wait !== null) {
      return refuse(desk, sayWait(say, wait), '429 Too Many Requests', wait);
    }
    if (!(await matches(user.password_hash, password))) return refuse(desk, say('account.wrong'));
    await forgiveSignInAttempts(db, tenantId, user.email, address);
    return null;
  });
}

async function changeIdentity(desk: Desk, form: Form): Promise<Answer> {
  const { db, request, session, say, tenantId } = desk;
  const name = readName(form.text('name'));
  const isEmpty = form.text('name') === '' && session.name === '';
  if (name === null && !isEmpty) {
    const max = constants.maxPersonNameLength;
    return refuse(desk, say('people.nameMissing', { max }));
  }
  if (name !== null) await changeUser(deskContext(desk), session.user_id, { name });
  const wish = form.text('language');
  const language = isPanelLanguage(wish) ? wish : null;
  await writeUser(db, tenantId, session.user_id, { language });
  return done(desk, 'saved', language ? [setLanguageCookie(language, request.secure)] : []);
}

async function changePassword(desk: Desk, checks: PasswordChecks, user: User, form: Form) {
  const { db, request, tenantId, say } = desk;
  const { cookie } = request;
  const refused = await askPassword(desk, checks, user, form.secret('present'));
  if (refused) return refused;
  const chosen = form.secret('new');
  if ((await passwordTrouble(chosen)) !== undefined) {
    return refuse(desk, say('account.weak', { min: MIN_PASSWORD }));
  }
  const passwordHash = await hashPassword(chosen);
  await db.transaction(async (tx) => {
    await replacePassword(tx, tenantId, user, passwordHash, hashCookie(cookie));
    const entry = { action: 'password', subject: user.email } as const;
    await logUserAction(tx, tenantId, deskContext(desk).actor, entry);
  });
  return done(desk, 'password');
}

async function changeAddress(desk: Desk, checks: PasswordChecks, user: User, form: Form) {
  const { mail, say } = desk;
  const email = readEmail(form.text('email'));
  if (email === null) return refuse(desk, say('people.emailWrong'));
  if (email === user.email) return done(desk, 'saved');
  const refused = await askPassword(desk, checks, user, form.secret('email_password'));
  if (refused) return refused;
  try {
    if (!mail) {
      await setEmail(deskContext(desk), user.id, email);
      return done(desk, 'saved');
    }
    const secret = await makeEmailLink(deskContext(desk), user.id, email);
    if (secret !== null) mailLink(desk, 'email', { ...user, email }, secret);
    const message = notice('good', say('account.emailSent', { email }));
    return accountPage(desk, { notice: message });
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    return refuse(desk, say('people.emailTaken'));
  }
}

async function removePasskey(desk: Desk, user: User, id: string): Promise<Answer> {
  const { db, tenantId } = desk;
  await db.transaction(async (tx) => {
    const name = await deletePasskey(tx, tenantId, user.id, id);
    if (name === null) return;
    const entry = { action: 'passkey_removed', subject: user.email, detail: name } as const;
    await logUserAction(tx, tenantId, deskContext(desk).actor, entry);
  });
  return done(desk, 'deleted');
}

/** `POST /admin/account`: whatever a form of the page asks for. */
export function createChangeAccount(checks: PasswordChecks) {
  const act = async (desk: Desk, user: User, form: Form): Promise<Answer> => {
    switch (form.text('do')) {
      case 'you':
        return changeIdentity(desk, form);
      case 'email':
        return changeAddress(desk, checks, user, form);
      case 'password':
        return changePassword(desk, checks, user, form);
      case 'passkey-delete':
        return removePasskey(desk, user, form.text('passkey'));
      case 'end':
        await endOneSession(desk, user, form.text('session'));
        return done(desk, 'ended');
      case 'end-all':
        await endAllSessions(deskContext(desk), user.id, hashCookie(desk.request.cookie));
        return done(desk, 'ended');
      default:
        return accountPage(desk);
    }
  };
  return async (desk: Desk): Promise<Answer> => {
    const { db, request, session, say, tenantId } = desk;
    const form = await readForm(request.context);
    if (!isOwnForm(request, form.text('form_token'))) {
      return accountPage(desk, staleForm(request));
    }
    const user = await findUserById(db, tenantId, session.user_id);
    if (!user) return redirectAnswer(request, '/admin/sign-in?because=expired');
    try {
      return await act(desk, user, form);
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      return refuse(desk, say('signIn.busy'), '503 Service Unavailable', constants.busyRetryAfter);
    }
  };
}

import { hashPassword, MIN_PASSWORD, passwordTrouble } from '../../../db/actions/password.ts';
import { changeUser, makeEmailLink, setEmail } from '../../../db/actions/users.ts';
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
import { hashCookie } from '../../http/random-cookie.ts';
import type { Desk } from '../desk.ts';
import type { Form } from '../form.ts';
import { deskContext } from '../forms/action-form.ts';
import type { RecordPage } from '../forms/record-page.ts';
import { notice, refusal } from '../pages/fields.ts';
import { redirectAnswer } from '../pages/page.ts';
import type { Matches } from '../password-checks.ts';
import { mailLink, readEmail } from '../people/people-page.ts';
import { nameChange, sessionActs } from '../people/person-page.ts';
import { admitAttempt, refuseBusy, sayWait } from '../sign-in/sign-in.ts';
import { setLanguageCookie } from '../texts/choose.ts';
import { ACCOUNT_PATH, showAccount } from './account-page.ts';

function refuse(desk: Desk, user: User, text: string, status?: string, wait?: number) {
  return showAccount(desk, user, refusal(text, status, wait));
}

/** Checks the present password; null when it is right, else the page that says no. */
async function askPassword(desk: Desk, user: User, password: string): Promise<Answer | null> {
  const { checks, db, request, tenantId, say } = desk;
  const { client } = request.context;
  const address = networkText(clientNetwork(client));
  const check = async (matches: Matches) => {
    const wait = await admitAttempt(db, tenantId, user.email, address);
    if (wait !== null) {
      return refuse(desk, user, sayWait(say, wait), '429 Too Many Requests', wait);
    }
    if (!(await matches(user.password_hash, password))) {
      return refuse(desk, user, say('account.wrong'));
    }
    await forgiveSignInAttempts(db, tenantId, user.email, address);
    return null;
  };
  const asked = checks.admit(tenantId, client, check);
  return asked.catch((error) => showAccount(desk, user, refuseBusy(say, error)));
}

async function changeIdentity(desk: Desk, user: User, form: Form): Promise<Answer | string> {
  const { db, request, tenantId } = desk;
  const name = nameChange(form, user);
  if (name) await changeUser(deskContext(desk), user.id, name);
  const wish = form.text('language');
  const language = isPanelLanguage(wish) ? wish : null;
  await writeUser(db, tenantId, user.id, { language });
  if (!language) return 'saved';
  const cookies = [setLanguageCookie(language, request.secure)];
  return redirectAnswer(request, `${ACCOUNT_PATH}?done=saved`, cookies);
}

async function changePassword(desk: Desk, user: User, form: Form): Promise<Answer | string> {
  const { db, request, tenantId, say } = desk;
  const refused = await askPassword(desk, user, form.secret('present'));
  if (refused) return refused;
  const chosen = form.secret('new');
  if ((await passwordTrouble(chosen)) !== undefined) {
    return refuse(desk, user, say('account.weak', { min: MIN_PASSWORD }));
  }
  const passwordHash = await hashPassword(chosen);
  await db.transaction(async (tx) => {
    await replacePassword(tx, tenantId, user, passwordHash, hashCookie(request.cookie));
    const entry = { action: 'password', subject: user.email } as const;
    await logUserAction(tx, tenantId, deskContext(desk).actor, entry);
  });
  return 'password';
}

async function changeAddress(desk: Desk, user: User, form: Form): Promise<Answer | string> {
  const { mail, say } = desk;
  const email = readEmail(form.text('email'));
  if (email === null) return refuse(desk, user, say('people.emailWrong'));
  if (email === user.email) return 'saved';
  const refused = await askPassword(desk, user, form.secret('email_password'));
  if (refused) return refused;
  if (!mail) {
    await setEmail(deskContext(desk), user.id, email);
    return 'saved';
  }
  const secret = await makeEmailLink(deskContext(desk), user.id, email);
  if (secret !== null) mailLink(desk, 'email', { ...user, email }, secret);
  return showAccount(desk, user, { notice: notice('good', say('account.emailSent', { email })) });
}

async function removePasskey(desk: Desk, user: User, form: Form): Promise<string> {
  const { db, tenantId } = desk;
  await db.transaction(async (tx) => {
    const name = await deletePasskey(tx, tenantId, user.id, form.text('passkey'));
    if (name === null) return;
    const entry = { action: 'passkey_removed', subject: user.email, detail: name } as const;
    await logUserAction(tx, tenantId, deskContext(desk).actor, entry);
  });
  return 'deleted';
}

/** `/admin/account` */
export const accountPage: RecordPage<User> = {
  find: ({ db, session, tenantId }) => findUserById(db, tenantId, session.user_id),
  gone: ({ request }) => redirectAnswer(request, '/admin/sign-in?because=expired'),
  page: showAccount,
  texts: { name: 'people.nameMissing', email: 'people.emailTaken' },
  textValues: { max: constants.maxPersonNameLength },
  done: {
    ...{ saved: 'people.saved', password: 'account.passwordDone', ended: 'account.ended' },
    ...{ deleted: 'account.deleted', passkey: 'account.passkeyAdded' },
  },
  acts: {
    you: changeIdentity,
    email: changeAddress,
    password: changePassword,
    'passkey-delete': removePasskey,
    ...sessionActs('ended'),
  },
};

import type { Logger } from 'pino';
import type { Mail } from '../../../db/actions/mail.ts';
import { hashPassword, MIN_PASSWORD, passwordTrouble } from '../../../db/actions/password.ts';
import {
  hashLinkSecret,
  makeAccountLink,
  useEmailLink,
  usePasswordLink,
} from '../../../db/actions/users.ts';
import { useVisitLink } from '../../../db/actions/visits.ts';
import type { Database } from '../../../db/postgres/connection.ts';
import { constants } from '../../../db/runtime/constants.ts';
import type { OriginOf } from '../../../db/runtime/restaurant-origin.ts';
import { findLink, findUser, findUserById, type Link, type User } from '../../../db/sql/users.ts';
import { findVisitor } from '../../../db/sql/visitors.ts';
import type { Answer } from '../../http/answer.ts';
import { clientNetwork, networkText } from '../../http/client-address.ts';
import { InvalidError } from '../../http/errors.ts';
import { type Content, html } from '../../http/html.ts';
import { type Form, readForm } from '../form.ts';
import { type FormField, formFields } from '../forms/action-form.ts';
import {
  hiddenFields,
  notice,
  type RefusedForm,
  refusal,
  showPasswords,
  staleForm,
} from '../pages/fields.ts';
import { type PageState, pageAnswer, redirectAnswer } from '../pages/page.ts';
import { isOwnForm, type PanelRequest } from '../panel-request.ts';
import type { PasswordChecks } from '../password-checks.ts';
import { mailLink, readEmail, readName } from '../people/people-page.ts';
import { firstPage } from '../permission.ts';
import { beginSession } from '../sign-in/sessions.ts';
import { admitAttempt, refuseBusy, sayWait } from '../sign-in/sign-in.ts';
import { EMAIL_FIELD } from '../sign-in/sign-in-page.ts';

// The pages to which links lead: to join, to choose a password, to confirm an address. Reading one does
// nothing, for programs that look into mail read it, too.

interface LinkOptions {
  db: Database;
  checks: PasswordChecks;
}

/** A link that is valid, and whose it is. */
interface Found {
  link: Link;
  user: User;
}

function contextOf(database: Database, { tenantId, context }: PanelRequest) {
  return { database, tenantId, slug: context.restaurant.tenant.slug };
}

async function findByLink({ db }: LinkOptions, request: PanelRequest): Promise<Found | null> {
  const { tenantId, context } = request;
  const hash = hashLinkSecret(context.param);
  const link = hash && (await findLink(db, tenantId, hash));
  const find = link?.kind === 'visit' ? findVisitor : findUserById;
  const user = link && (await find(db, tenantId, link.user_id));
  return user ? { link, user } : null;
}

function invalidPage(request: PanelRequest): Answer {
  const { say } = request;
  const title = say('link.invalidTitle');
  const content = html`<h1>${title}</h1><p class="intro">${say('link.invalid')}</p>
<p><a class="button" href="/admin/sign-in">${say('signIn.submit')}</a></p>`;
  return pageAnswer(request, { status: '410 Gone', title, content, user: null });
}

/** A password that is chosen. */
export const newPassword = (name: string): FormField => ({
  ...{ kind: 'password', name, label: 'account.new', autocomplete: 'new-password' },
  ...{ hint: 'account.newHint', hintValues: { min: MIN_PASSWORD } },
});
export const NAME_FIELD: FormField = {
  ...{ kind: 'text', name: 'name', label: 'people.name', autocomplete: 'name' },
};

interface LinkState extends PageState {
  name?: string;
}

function linkPage(request: PanelRequest, { link, user }: Found, state: LinkState = {}): Answer {
  const { say, context } = request;
  const joins = link.kind === 'invitation';
  const asked = [...(joins ? [NAME_FIELD] : []), newPassword('password')];
  const values = { name: state.name ?? user.name };
  // Password managers want to know whose password it is.
  const fields = html`<input type="hidden" name="username" value="${user.email}" autocomplete="username">
${formFields(say, asked, { values })}${showPasswords(say)}`;
  const isEmail = link.kind === 'email';
  if (link.kind === 'visit') return visitPage(request, user, state);
  const title = isEmail ? 'link.emailTitle' : joins ? 'link.joinTitle' : 'link.passwordTitle';
  const intro = isEmail
    ? say('link.emailIntro', { email: link.email })
    : say('link.joinIntro', { email: user.email });
  const button = isEmail ? 'link.confirm' : joins ? 'link.join' : 'account.changePassword';
  const content = html`<h1>${say(title)}</h1>
<p class="intro">${intro}</p>
${state.notice ?? null}
<form method="post" action="${context.path}" novalidate>
  ${hiddenFields(request)}
  ${!isEmail && fields}
  <button class="main wide">${say(button)}</button>
</form>`;
  const { status, headers } = state;
  return pageAnswer(request, { status, headers, title: say(title), content, user: null });
}

/** The page of a visitor from the chain: the button signs in, the link alone does not. */
function visitPage(request: PanelRequest, { email }: User, { status, notice: message }: LinkState) {
  const { say, context } = request;
  const title = say('chain.visitTitle');
  const content = html`<h1>${title}</h1>
<p class="intro">${say('chain.visitIntro', { email })}</p>
${message ?? null}
<form method="post" action="${context.path}">${hiddenFields(request)}<button class="main wide">${say('chain.visit')}</button></form>`;
  return pageAnswer(request, { status, title, content, user: null });
}

/** Lets a visitor from the chain in, under a new cookie. */
async function visit({ db }: LinkOptions, request: PanelRequest): Promise<Answer> {
  const user = await useVisitLink(contextOf(db, request), request.context.param);
  const signedIn = user && (await beginSession(db, request, user));
  return signedIn ? redirectAnswer(signedIn, firstPage(user.role)) : invalidPage(request);
}

/** `GET /admin/link/{secret}` */
export async function showLink(options: LinkOptions, request: PanelRequest): Promise<Answer> {
  const found = await findByLink(options, request);
  return found ? linkPage(request, found) : invalidPage(request);
}

async function confirmEmail({ db }: LinkOptions, request: PanelRequest, found: Found) {
  const { context, say } = request;
  try {
    const email = await useEmailLink(contextOf(db, request), context.param);
    if (email === null) return invalidPage(request);
    const content = html`<h1>${say('link.emailTitle')}</h1>
${notice('good', say('account.emailDone', { email }))}
<p><a class="button" href="/admin/account">${say('account.title')}</a></p>`;
    return pageAnswer(request, { title: say('link.emailTitle'), content, user: null });
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    return linkPage(request, found, refusal(say('people.emailTaken')));
  }
}

/** Chooses the password, and signs in under a new cookie: whose session the old one was ends. */
async function choosePassword(
  { db, checks }: LinkOptions,
  request: PanelRequest,
  found: Found,
  form: Form,
): Promise<Answer> {
  const { tenantId, context, say } = request;
  const password = form.secret('password');
  const name = readName(form.text('name'));
  const joins = found.link.kind === 'invitation';
  const refuse = (text: string) =>
    linkPage(request, found, { ...refusal(text), name: form.text('name') });
  if (joins && name === null) {
    return refuse(say('people.nameMissing', { max: constants.maxPersonNameLength }));
  }
  if ((await passwordTrouble(password)) !== undefined) {
    return refuse(say('account.weak', { min: MIN_PASSWORD }));
  }
  const passwordHash = await checks.admit(tenantId, context.client, () => hashPassword(password));
  const choice = { passwordHash, ...(joins && name !== null && { name }) };
  const user = await usePasswordLink(contextOf(db, request), context.param, choice);
  const signedIn = user && (await beginSession(db, request, user));
  return signedIn ? redirectAnswer(signedIn, firstPage(user.role)) : invalidPage(request);
}

/** `POST /admin/link/{secret}`: uses the link. */
export async function useLink(options: LinkOptions, request: PanelRequest): Promise<Answer> {
  const { say } = request;
  const form = await readForm(request.context);
  const found = await findByLink(options, request);
  if (!found) return invalidPage(request);
  if (!isOwnForm(request, form.text('form_token'))) {
    return linkPage(request, found, staleForm(request));
  }
  if (found.link.kind === 'email') return confirmEmail(options, request, found);
  if (found.link.kind === 'visit') return visit(options, request);
  return choosePassword(options, request, found, form).catch((error) =>
    linkPage(request, found, refuseBusy(say, error)),
  );
}

interface ForgottenOptions {
  db: Database;
  mail: Mail | null;
  originOf: OriginOf;
  log: Logger;
}

function forgottenPage(
  { mail }: ForgottenOptions,
  request: PanelRequest,
  state: { status?: string; notice?: Content; email?: string } = {},
): Answer {
  const { say } = request;
  const title = say('forgotten.title');
  const email = formFields(say, [EMAIL_FIELD], { values: { email: state.email ?? '' } });
  const form = html`<form method="post" action="/admin/forgotten" novalidate>
  ${hiddenFields(request)}
  ${email}
  <button class="main wide">${say('forgotten.send')}</button>
</form>`;
  const content = html`<h1>${title}</h1>
<p class="intro">${say(mail ? 'forgotten.intro' : 'forgotten.noMail')}</p>
${state.notice ?? null}
${mail && form}
<p><a href="/admin/sign-in">${say('signIn.title')}</a></p>`;
  return pageAnswer(request, { status: state.status, title, content, user: null });
}

/** `GET /admin/forgotten` */
export async function showForgotten(options: ForgottenOptions, request: PanelRequest) {
  return forgottenPage(options, request);
}

async function mailPasswordLink(options: ForgottenOptions, request: PanelRequest, email: string) {
  const { db } = options;
  const { tenantId } = request;
  const user = await findUser(db, tenantId, email);
  if (!user) return;
  const actor = { kind: 'user', name: user.email } as const;
  const made = await makeAccountLink({ ...contextOf(db, request), actor }, user.id, false);
  if (!made) return;
  const kind = made.kind === 'invitation' ? 'invite' : 'password';
  mailLink({ ...options, request }, kind, user, made.secret);
}

/**
 * `POST /admin/forgotten`: mails a link to the owner of the address. Neither the answer nor its
 * time tell whether the address is known, because the answer does not wait for the work.
 */
export async function sendForgotten(options: ForgottenOptions, request: PanelRequest) {
  const { say, tenantId, context } = request;
  const form = await readForm(context);
  const given = form.text('email');
  const refuse = (refused: RefusedForm) =>
    forgottenPage(options, request, { ...refused, email: given });
  if (!isOwnForm(request, form.text('form_token'))) return refuse(staleForm(request));
  const email = readEmail(given);
  if (email === null) return refuse(refusal(say('people.emailWrong')));
  const address = networkText(clientNetwork(context.client));
  // A count of its own: asking for links does not keep the account from signing in.
  const wait = await admitAttempt(options.db, tenantId, `forgotten ${email}`, address);
  if (wait !== null) return refuse(refusal(sayWait(say, wait), '429 Too Many Requests'));
  if (options.mail) {
    void mailPasswordLink(options, request, email).catch((error) => {
      options.log.warn({ err: error }, 'a link for a new password could not be made');
    });
  }
  return forgottenPage(options, request, { notice: notice('good', say('forgotten.sent')) });
}

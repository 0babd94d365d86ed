import {
  changePerson,
  endAllSessions,
  makeAccountLink,
  removePerson,
} from '../../../db/actions/people.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import { endSession, type ListedSession, listSessions } from '../../../db/sql/sessions.ts';
import { findUserById, logPeople, type User } from '../../../db/sql/users.ts';
import type { Answer } from '../../http/answer.ts';
import { InvalidError } from '../../http/errors.ts';
import { type Content, html } from '../../http/html.ts';
import { hashCookie } from '../../http/random-cookie.ts';
import { type Desk, findPathRecord } from '../desk.ts';
import { type Form, readForm } from '../form.ts';
import { deskContext, type FormField, formFields } from '../forms/action-form.ts';
import { actionForm, notice, refusal, staleForm } from '../pages/fields.ts';
import { sessionList } from '../pages/list-page.ts';
import { gonePage } from '../pages/message-page.ts';
import { deskPage, redirectAnswer } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import {
  emailText,
  linkBanner,
  mailLink,
  PEOPLE_PATH,
  ROLE_FIELD,
  readName,
  readRole,
} from './people-page.ts';

const FIELDS: FormField[] = [{ kind: 'text', name: 'name', label: 'people.name' }, ROLE_FIELD];

const shownName = ({ name, email }: User) => (name === '' ? email : name);
const pathOf = (user: User) => `${PEOPLE_PATH}/${user.id}`;

function personContent(
  desk: Desk,
  user: User,
  sessions: readonly ListedSession[],
  message: Content,
) {
  const { say } = desk.request;
  const isInvited = user.password_hash === null;
  const { name, role } = user;
  const fields = html`${formFields(say, FIELDS, { values: { name, role } })}<p class="hint">${say('people.roleEnds')}</p>`;
  const save = html`<button class="main">${say('people.save')}</button>`;
  const link = say(isInvited ? 'people.resend' : 'people.passwordLink');
  const remove = say(isInvited ? 'people.withdraw' : 'people.remove');
  return html`<p class="way"><a href="${PEOPLE_PATH}">‹ ${say('people.title')}</a></p>
<div class="opening"><h1 dir="auto">${user.name === '' ? emailText(user.email) : user.name}</h1>${user.name !== '' && html`<p class="intro">${user.email}</p>`}</div>
${message}
<section class="card part">${actionForm(desk.request, pathOf(user), 'save', html`${fields}${save}`)}</section>
<section class="card part"><h2>${link}</h2><p class="hint">${say(isInvited ? 'people.resendHint' : 'people.passwordLinkHint')}</p>${actionForm(desk.request, pathOf(user), 'link', html`<button class="button">${say('people.makeLink')}</button>`)}</section>
${
  !isInvited &&
  html`<section class="card part" aria-labelledby="sessions-title"><h2 id="sessions-title">${say('account.sessionsOf')}</h2>
${sessionList(desk, pathOf(user), sessions, 'account.endAllOf')}</section>`
}
<section class="card part"><h2>${remove}</h2><p class="hint">${say('people.removeEffect')}</p>
${actionForm(desk.request, pathOf(user), 'remove', html`<button class="bad main">${remove}</button>`)}</section>`;
}

async function personPage(
  desk: Desk,
  id: number | null,
  { status, notice: message = null }: { status?: string; notice?: Content } = {},
): Promise<Answer> {
  const { db, request } = desk;
  const user = id === null ? null : await findUserById(db, request.tenantId, id);
  if (!user) return gone(desk);
  const current = hashCookie(request.cookie);
  const sessions = await listSessions(db, request.tenantId, user.id, current);
  const content = personContent(desk, user, sessions, message);
  return deskPage(desk, { status, title: shownName(user), content, place: 'people' });
}

const gone = (desk: Desk) => gonePage(desk, desk.request.say('people.gone'), 'people');

/** `GET /admin/people/{id}` */
export async function showPerson(desk: Desk): Promise<Answer> {
  const { context, say } = desk.request;
  const id = parseRecordId(context.param);
  const isSaved = new URLSearchParams(context.query).has('saved');
  return personPage(desk, id, { notice: isSaved && notice('good', say('people.saved')) });
}

async function saveChoices(desk: Desk, user: User, form: Form): Promise<Answer> {
  const { request } = desk;
  const [name, role] = [readName(form.text('name')), readRole(form.text('role'))];
  // Who has had no name yet may go on without one.
  if (name === null && form.text('name') !== user.name) {
    const message = request.say('people.nameMissing', { max: constants.maxPersonNameLength });
    return personPage(desk, user.id, refusal(message));
  }
  await changePerson(deskContext(desk), user.id, {
    ...(name !== null && { name }),
    ...(role !== null && { role }),
  });
  return redirectAnswer(request, `${pathOf(user)}?saved=1`);
}

/** Makes a link for the person, and shows it, this once. */
async function showLink(desk: Desk, user: User): Promise<Answer> {
  const made = await makeAccountLink(deskContext(desk), user.id);
  if (!made) return gone(desk);
  const { secret, kind } = made;
  const mailed = mailLink(desk, kind === 'invitation' ? 'invite' : 'password', user, secret);
  const banner = linkBanner(desk, { secret, kind, name: shownName(user), mailed });
  return personPage(desk, user.id, { status: '201 Created', notice: banner });
}

/** Ends one session of a person, with its entry in the log. */
export async function endOneSession(desk: Desk, user: Pick<User, 'id' | 'email'>, id: string) {
  const { db, request } = desk;
  const place = deskContext(desk);
  if (!(await endSession(db, request.tenantId, user.id, id))) return;
  const entry = { action: 'session_ended', subject: user.email } as const;
  await logPeople(db, request.tenantId, place.actor, entry);
}

async function act(desk: Desk, user: User, form: Form): Promise<Answer> {
  const { request } = desk;
  const saved = () => redirectAnswer(request, `${pathOf(user)}?saved=1`);
  switch (form.text('do')) {
    case 'save':
      return saveChoices(desk, user, form);
    case 'link':
      return showLink(desk, user);
    case 'end':
      await endOneSession(desk, user, form.text('session'));
      return saved();
    case 'end-all':
      await endAllSessions(deskContext(desk), user.id, hashCookie(request.cookie));
      return saved();
    case 'remove': {
      await removePerson(deskContext(desk), user.id);
      const name = encodeURIComponent(shownName(user));
      return redirectAnswer(request, `${PEOPLE_PATH}?removed=${name}`);
    }
    default:
      return personPage(desk, user.id);
  }
}

/** `POST /admin/people/{id}`: whatever a form of the person's page asks for. */
export async function changePersonByForm(desk: Desk): Promise<Answer> {
  const { request } = desk;
  const { say } = request;
  const form = await readForm(request.context);
  const user = await findPathRecord(desk, findUserById);
  if (!user) return gone(desk);
  if (!isOwnForm(request, form.text('form_token'))) {
    return personPage(desk, user.id, staleForm(request));
  }
  try {
    return await act(desk, user, form);
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    return personPage(desk, user.id, refusal(say('people.lastOwner')));
  }
}

import {
  changeUser,
  endAllSessions,
  makeAccountLink,
  removeUser,
} from '../../../db/actions/users.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { broken } from '../../../db/schema/validation/rule.ts';
import { endSession, type ListedSession, listSessions } from '../../../db/sql/sessions.ts';
import { findUserById, logUserAction, type User } from '../../../db/sql/users.ts';
import type { Answer } from '../../http/answer.ts';
import { InvalidError } from '../../http/errors.ts';
import { type Html, html } from '../../http/html.ts';
import { hashCookie } from '../../http/random-cookie.ts';
import { byPath, type Desk } from '../desk.ts';
import type { Form } from '../form.ts';
import {
  deskContext,
  type FormField,
  type FormState,
  formFields,
  formValues,
} from '../forms/action-form.ts';
import type { RecordPage } from '../forms/record-page.ts';
import { actionForm } from '../pages/fields.ts';
import { sessionList } from '../pages/list-page.ts';
import { gonePage } from '../pages/message-page.ts';
import { nameHeading, redirectAnswer, titledPage } from '../pages/page.ts';
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
  state: FormState,
): Html {
  const { say } = desk;
  const isInvited = user.password_hash === null;
  const values = formValues({ name: user.name, role: user.role });
  const fields = html`${formFields(say, FIELDS, { values, ...state })}<p class="hint">${say('people.roleEnds')}</p>`;
  const save = html`<button class="main">${say('people.save')}</button>`;
  const link = say(isInvited ? 'people.resend' : 'people.passwordLink');
  const remove = say(isInvited ? 'people.withdraw' : 'people.remove');
  return html`<section class="card part">${actionForm(desk.request, pathOf(user), 'save', html`${fields}${save}`)}</section>
<section class="card part"><h2>${link}</h2><p class="hint">${say(isInvited ? 'people.resendHint' : 'people.passwordLinkHint')}</p>${actionForm(desk.request, pathOf(user), 'link', html`<button class="button">${say('people.makeLink')}</button>`)}</section>
${
  !isInvited &&
  html`<section class="card part" aria-labelledby="sessions-title"><h2 id="sessions-title">${say('account.sessionsOf')}</h2>
${sessionList(desk, pathOf(user), sessions, 'account.endAllOf')}</section>`
}
<section class="card part"><h2>${remove}</h2><p class="hint">${say('people.removeEffect')}</p>
${actionForm(desk.request, pathOf(user), 'remove', html`<button class="bad main">${remove}</button>`)}</section>`;
}

const gone = (desk: Desk) => gonePage(desk, desk.say('people.gone'), 'people');

async function page(desk: Desk, user: User, state: FormState): Promise<Answer> {
  const { db, request, tenantId } = desk;
  const sessions = await listSessions(db, tenantId, user.id, hashCookie(request.cookie));
  const content = personContent(desk, user, sessions, state);
  const { name, email } = user;
  return titledPage(desk, {
    ...{ state, title: shownName(user), heading: nameHeading(name || emailText(email)), content },
    ...{ way: [PEOPLE_PATH, desk.say('people.title')], place: 'people' },
    intro: name === '' ? null : email,
  });
}

/** Makes a link for the person, and shows it, this once. */
async function showLink(desk: Desk, user: User): Promise<Answer> {
  const made = await makeAccountLink(deskContext(desk), user.id);
  if (!made) return gone(desk);
  const { secret, kind } = made;
  const mailed = mailLink(desk, kind === 'invitation' ? 'invite' : 'password', user, secret);
  const banner = linkBanner(desk, { secret, kind, name: shownName(user), mailed });
  return page(desk, user, { status: '201 Created', notice: banner });
}

/** Ends one session of a person, with its entry in the log. */
async function endOneSession(desk: Desk, user: Pick<User, 'id' | 'email'>, id: string) {
  const { db, tenantId } = desk;
  const place = deskContext(desk);
  if (!(await endSession(db, tenantId, user.id, id))) return;
  const entry = { action: 'session_ended', subject: user.email } as const;
  await logUserAction(db, tenantId, place.actor, entry);
}

/** The name that a form gives, if any: who has had none may go on without one. @throws InvalidError */
export function nameChange(form: Form, user: User) {
  const name = readName(form.text('name'));
  if (name === null && form.text('name') !== user.name) {
    throw new InvalidError({ name: [broken('required')] });
  }
  return name !== null && { name };
}

/** The acts that end sessions of a user, with the word that the page's address says then. */
export const sessionActs = (done: string): RecordPage<User>['acts'] => ({
  end: async (desk, user, form) => {
    await endOneSession(desk, user, form.text('session'));
    return done;
  },
  'end-all': async (desk, user) => {
    await endAllSessions(deskContext(desk), user.id, hashCookie(desk.request.cookie));
    return done;
  },
});

/** `/admin/people/{id}` */
export const personPage: RecordPage<User> = {
  find: byPath(findUserById),
  gone,
  page,
  texts: { name: 'people.nameMissing', role: 'people.lastOwner' },
  textValues: { max: constants.maxPersonNameLength },
  done: { saved: 'people.saved' },
  acts: {
    save: async (desk, user, form) => {
      const role = readRole(form.text('role'));
      const change = { ...nameChange(form, user), ...(role !== null && { role }) };
      await changeUser(deskContext(desk), user.id, change);
      return 'saved';
    },
    link: showLink,
    ...sessionActs('saved'),
    remove: async (desk, user) => {
      await removeUser(deskContext(desk), user.id);
      const name = encodeURIComponent(shownName(user));
      return redirectAnswer(desk.request, `${PEOPLE_PATH}?removed=${name}`);
    },
  },
};

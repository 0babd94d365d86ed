import * as v from 'valibot';
import type { MailKind } from '../../../db/actions/mail.ts';
import { type Invited, invite, linkAddress } from '../../../db/actions/users.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { emailAddress, type Role, roles, userName } from '../../../db/schema/user.ts';
import {
  type ListedUser,
  listUserLog,
  listUsers,
  type UserLogEntry,
} from '../../../db/sql/users.ts';
import { type ListedVisitor, listVisitors } from '../../../db/sql/visitors.ts';
import type { Answer } from '../../http/answer.ts';
import { Html, html } from '../../http/html.ts';
import { type Desk, homeOrigin } from '../desk.ts';
import {
  type ActionForm,
  actionFormOf,
  type FormField,
  type FormState,
} from '../forms/action-form.ts';
import { qrSvg } from '../guests/qr-page.ts';
import { notice } from '../pages/fields.ts';
import { createCard, listPage, listSection } from '../pages/list-page.ts';
import { secretBanner } from '../pages/message-page.ts';
import { momentElement } from '../pages/moment.ts';

export const PEOPLE_PATH = '/admin/people';

function stateText(desk: Desk, { state, invited_until, sessions, active_tokens }: ListedUser) {
  const { say } = desk;
  if (state === 'active') return say('people.uses', { sessions, tokens: active_tokens });
  if (invited_until === null) return say('people.expired');
  const [before = '', after = ''] = say('people.invitedUntil', { date: '\u0000' }).split('\u0000');
  return html`${before}${momentElement(desk, invited_until)}${after}`;
}

function personItem(desk: Desk, user: ListedUser): Html {
  const { say } = desk;
  const isOwn = user.id === desk.session.user_id;
  const called = user.name || user.email;
  const name = user.name || emailText(user.email);
  return html`<li class="token ${user.state === 'active' ? 'active' : 'revoked'}">
  <div class="token-head">
    <h3 dir="auto">${name}${isOwn && html` <span class="hint">(${say('people.you')})</span>`}</h3>
    <span class="state ${user.state === 'active' ? 'active' : 'due'}">${say(`roles.${user.role}`)}</span>
  </div>
  <div><p>${user.name !== '' && user.email}</p><p class="hint">${stateText(desk, user)}</p></div>
  <a class="button" href="${PEOPLE_PATH}/${user.id}" aria-label="${say('people.manage')}: ${called}">${say('people.manage')}</a>
</li>`;
}

/** An owner of the chain's master, who is managed there. */
function visitorItem({ request: { say } }: Desk, { name, email, sessions }: ListedVisitor): Html {
  return html`<li class="token">
  <div class="token-head"><h3 dir="auto">${name || emailText(email)}</h3><span class="state">${say('people.visitor')}</span></div>
  <div><p>${name !== '' && email}</p><p class="hint">${say('people.visitorUses', { sessions })}</p></div>
</li>`;
}

function logItem(desk: Desk, entry: UserLogEntry): Html {
  const { actor, text } = describeAction(desk, entry);
  return html`<li><p>${momentElement(desk, entry.at)} · ${actor}</p><p class="hint">${text}</p></li>`;
}

/** The page of the people: who there is, the form that invites, and what happened. */
async function peoplePage(desk: Desk, state: FormState): Promise<Answer> {
  const { db, request, say, tenantId } = desk;
  const users = await listUsers(db, tenantId);
  const log = await listUserLog(db, tenantId, constants.maxPeopleEntries);
  const visitors = await listVisitors(db, tenantId);
  const items = [
    ...users.map((user) => personItem(desk, user)),
    ...visitors.map((visitor) => visitorItem(desk, visitor)),
  ];
  return listPage(desk, state, {
    title: say('people.title'),
    create: createCard(say('people.invite'), actionFormOf(request, inviteForm, state)),
    list: listSection(say('people.list'), items, ''),
    after:
      log.length > 0 &&
      html`<section class="card part log" aria-labelledby="log-title"><h2 id="log-title">${say('people.log')}</h2><ul>${log.map((entry) => logItem(desk, entry))}</ul></section>`,
    place: 'people',
  });
}

/** A button for each role, with a hint of what it allows. */
export const ROLE_FIELD: FormField = {
  ...{ kind: 'one', name: 'role', label: 'people.role', item: 'role', options: roles },
  describe: (say, role) => ({
    label: say(`roles.${role as Role}`),
    hint: say(`roles.${role as Role}Hint`),
  }),
};
const NEW = { role: 'editor' };

/** `POST /admin/people`: invites somebody, and shows the link, this once. */
export const inviteForm: ActionForm<typeof invite.input, Invited> = {
  action: invite,
  path: PEOPLE_PATH,
  fields: [
    { kind: 'text', name: 'name', label: 'people.name' },
    { kind: 'email', name: 'email', label: 'people.email' },
    ROLE_FIELD,
  ],
  submit: 'people.submit',
  texts: {
    name: 'people.nameMissing',
    email: 'people.emailWrong',
    'email.unique': 'people.emailTaken',
    'email.maxItems': 'people.full',
  },
  textValues: { max: constants.maxPersonNameLength },
  page: peoplePage,
  done: (desk, { result: { email, name, secret }, isRepeated }) => {
    const mailed = isRepeated ? null : mailLink(desk, 'invite', { email, name }, secret);
    const notice = linkBanner(desk, { secret, kind: 'invitation', name, mailed });
    return peoplePage(desk, { status: '201 Created', notice, values: NEW });
  },
};

/** `GET /admin/people`, with word of what has just been done: the address says it. */
export function showPeople(desk: Desk): Promise<Answer> {
  const { say, context } = desk.request;
  const query = new URLSearchParams(context.query);
  const removed = query.get('removed');
  const message = removed ? say('people.removed', { name: removed }) : null;
  return peoplePage(desk, { values: NEW, notice: message && notice('good', message) });
}

/** An action on people in words: who did it, and what. */
export function describeAction({ say }: Desk, entry: UserLogEntry) {
  const { actor_kind: kind, actor_name: name, action, subject, detail } = entry;
  const role = action === 'invited' && detail ? readRole(detail) : null;
  const shown = role ? say(`roles.${role}`) : detail;
  return {
    actor: kind === 'operator' ? say('people.operator') : (name ?? ''),
    text: say(`peopleLog.${action}`, { subject, detail: shown ?? '' }),
  };
}

/** A link that was just made. */
interface NewLink {
  secret: string;
  kind: 'invitation' | 'password';
  /** The name of the person, or the address. */
  name: string;
  /** Where it was mailed to; null where no mail is set up. */
  mailed: string | null;
}

/** The banner with a link, as text and as a code for a phone; it is on this page and on no other. */
export function linkBanner(desk: Desk, link: NewLink): Html {
  const { say } = desk;
  const address = linkAddress(homeOrigin(desk), link.secret);
  const validity = say(link.kind === 'invitation' ? 'people.linkDays' : 'people.linkHour');
  const title = say('people.linkTitle', { name: link.name });
  return secretBanner(desk.request, {
    ...{ id: 'link-value', title, once: `${say('people.linkOnce')} ${validity}`, rows: 3 },
    ...{ label: say('people.linkLabel'), value: address },
    code: html`<div class="code" role="img" aria-label="${title}">${new Html(qrSvg(address).toString())}</div>`,
    advice: link.mailed === null ? null : say('people.linkMailed', { email: link.mailed }),
  });
}

const reader = (schema: v.GenericSchema<string, string>) => (text: string) => {
  const found = v.safeParse(schema, text);
  return found.success ? found.output : null;
};

/** An e-mail address as it is stored; null for a text that is none. */
export const readEmail = reader(emailAddress);

/** A person's name as it is stored; null for one that is blank, too long or deceives. */
export const readName = reader(userName);

export function readRole(text: string): Role | null {
  return roles.find((role) => role === text) ?? null;
}

/** An e-mail address that a narrow screen breaks before its domain. */
export function emailText(email: string): Html {
  const [mailbox = '', domain = ''] = email.split(/(?=@)/);
  return html`${mailbox}<wbr>${domain}`;
}

/** A person who gets a message. */
interface Recipient {
  email: string;
  name: string;
  language?: string | null;
}

/**
 * Mails a link, where mail is set up, without waiting for it.
 *
 * @returns the address to which it goes; null where no mail is sent
 */
export function mailLink(
  desk: Pick<Desk, 'mail' | 'originOf' | 'request'>,
  kind: MailKind,
  to: Recipient,
  secret: string,
): string | null {
  const { mail, request } = desk;
  if (!mail) return null;
  const { brand, context } = request;
  const { defaultLocale } = context.restaurant.tenant;
  const link = linkAddress(homeOrigin(desk), secret);
  mail.send(kind, { restaurant: brand.name, defaultLocale, to, link });
  return to.email;
}

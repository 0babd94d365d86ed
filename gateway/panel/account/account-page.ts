import { MIN_PASSWORD } from '../../../db/actions/password.ts';
import { LANGUAGE_NAMES } from '../../../db/schema/values/locale.ts';
import { listPasskeys, type Passkey } from '../../../db/sql/passkeys.ts';
import { listSessions } from '../../../db/sql/sessions.ts';
import { PANEL_LANGUAGES } from '../../../db/texts/catalogues.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { hashCookie } from '../../http/random-cookie.ts';
import type { Desk } from '../desk.ts';
import { select } from '../forms/inputs.ts';
import { hiddenFields, showPasswords, type TextField, textField } from '../pages/fields.ts';
import { sessionList } from '../pages/list-page.ts';
import { momentText } from '../pages/moment.ts';
import { deskPage, retryAfter } from '../pages/page.ts';

export const ACCOUNT_PATH = '/admin/account';

/** How the page of the account differs from an untouched one. */
interface AccountState {
  status?: string;
  notice?: Content;
  /** How long to wait before it is tried again, in ms. */
  wait?: number;
}

function form({ request }: Desk, what: string, fields: Content, button: string): Html {
  return html`<form method="post" action="${ACCOUNT_PATH}" novalidate>
  ${hiddenFields(request)}<input type="hidden" name="do" value="${what}">
  ${fields}
  <button class="main">${button}</button>
</form>`;
}

function part(id: string, title: string, content: Content): Html {
  return html`<section class="card part" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${content}</section>`;
}

/** A field for a password, whose text never comes back. */
function passwordField(field: Pick<TextField, 'id' | 'label' | 'hint' | 'autocomplete'>): Html {
  return textField({ ...field, type: 'password' });
}

function identityPart(desk: Desk): Html {
  const { session, say } = desk;
  const languages = PANEL_LANGUAGES.map((locale) => ({
    value: locale,
    label: LANGUAGE_NAMES[locale],
  }));
  const language = select(
    { name: 'language', label: say('account.language'), value: session.language ?? '' },
    [{ value: '', label: say('account.browser') }, ...languages],
  );
  const name = textField({
    ...{ id: 'name', label: say('people.name'), type: 'text', autocomplete: 'name' },
    value: session.name,
  });
  return part(
    'you',
    say('account.you'),
    form(desk, 'you', html`${name}${language}`, say('people.save')),
  );
}

function emailPart(desk: Desk): Html {
  const { say } = desk;
  const email = textField({
    ...{ id: 'email', label: say('account.email'), type: 'email', autocomplete: 'email' },
    value: desk.session.email,
  });
  const present = passwordField({
    ...{ id: 'email_password', label: say('account.present'), autocomplete: 'current-password' },
  });
  const fields = html`${email}${present}${showPasswords(say)}`;
  return part(
    'email',
    say('account.email'),
    form(desk, 'email', fields, say('account.changeEmail')),
  );
}

function passwordPart(desk: Desk): Html {
  const { say } = desk;
  const present = passwordField({
    ...{ id: 'present', label: say('account.present'), autocomplete: 'current-password' },
  });
  const chosen = passwordField({
    ...{ id: 'new', label: say('account.new'), autocomplete: 'new-password' },
    hint: say('account.newHint', { min: MIN_PASSWORD }),
  });
  const fields = html`${present}${chosen}${showPasswords(say)}`;
  const button = say('account.changePassword');
  return part('password', say('account.password'), form(desk, 'password', fields, button));
}

function passkeyItem(desk: Desk, { id, name, last_used_at: used }: Passkey): Html {
  const { request, say } = desk;
  const date = used && momentText(desk, used, 'date');
  const use = date ? say('account.lastUsed', { date }) : say('account.unused');
  return html`<li><div><p>${name}</p><p class="hint">${use}</p></div>
<form method="post" action="${ACCOUNT_PATH}">${hiddenFields(request)}<input type="hidden" name="do" value="passkey-delete"><input type="hidden" name="passkey" value="${id}">
<button class="quiet" aria-label="${say('account.delete')}: ${name}">${say('account.delete')}</button></form></li>`;
}

function passkeysPart(desk: Desk, passkeys: readonly Passkey[]): Html {
  const { request, say } = desk;
  const name = textField({
    ...{ id: 'passkey_name', label: say('account.passkeyName'), type: 'text', autocomplete: 'off' },
  });
  // The script shows it where the browser can make passkeys.
  const add = html`<form method="post" action="${ACCOUNT_PATH}/passkeys" data-passkey="create" data-failed="${say('account.passkeyFailed')}" hidden>
  ${hiddenFields(request)}${name}<p class="field-error" role="alert" hidden></p>
  <button class="main">${say('account.passkeyAdd')}</button>
</form>
<p class="hint" data-passkey-hint>${say('account.passkeyScript')}</p>`;
  const list = html`<ul class="rows">${passkeys.map((one) => passkeyItem(desk, one))}</ul>`;
  const content = html`<p>${say('account.passkeysIntro')}</p>${passkeys.length > 0 && list}${add}`;
  return part('passkeys', say('account.passkeys'), content);
}

/** The page of somebody's own account. */
export async function accountPage(desk: Desk, state: AccountState = {}): Promise<Answer> {
  const { db, request, session, say, tenantId } = desk;
  const { cookie } = request;
  const sessions = await listSessions(db, tenantId, session.user_id, hashCookie(cookie));
  const passkeys = await listPasskeys(db, tenantId, session.user_id);
  const content = html`<div class="opening"><h1>${say('account.title')}</h1>
<p class="intro">${session.email} · ${say(`roles.${session.role}`)}</p></div>
${state.notice ?? null}
${identityPart(desk)}
${passwordPart(desk)}
${passkeysPart(desk, passkeys)}
${part('sessions', say('account.sessions'), sessionList(desk, ACCOUNT_PATH, sessions))}
${emailPart(desk)}`;
  return deskPage(desk, {
    status: state.status,
    title: say('account.title'),
    content,
    isLive: true,
    ...(state.wait !== undefined && { headers: retryAfter(state.wait) }),
  });
}

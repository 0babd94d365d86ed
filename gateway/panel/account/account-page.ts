import { listPasskeys, type Passkey } from '../../../db/sql/passkeys.ts';
import { listSessions } from '../../../db/sql/sessions.ts';
import type { User } from '../../../db/sql/users.ts';
import { PANEL_LANGUAGES, type TextKey } from '../../../db/texts/catalogues.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { hashCookie } from '../../http/random-cookie.ts';
import type { Desk } from '../desk.ts';
import { type FormField, formFields } from '../forms/action-form.ts';
import { languageOptions, select } from '../forms/inputs.ts';
import { actionForm, hiddenFields, showPasswords } from '../pages/fields.ts';
import { sessionList } from '../pages/list-page.ts';
import { momentText } from '../pages/moment.ts';
import { type PageState, titledPage } from '../pages/page.ts';
import { NAME_FIELD, newPassword } from './link-page.ts';

export const ACCOUNT_PATH = '/admin/account';

const presentPassword = (name: string): FormField => ({
  ...{ kind: 'password', name, label: 'account.present', autocomplete: 'current-password' },
});
const EMAIL_FIELDS: readonly FormField[] = [
  { kind: 'email', name: 'email', label: 'account.email', autocomplete: 'email' },
  presentPassword('email_password'),
];
const PASSWORD_FIELDS = [presentPassword('present'), newPassword('new')];

function form({ request, say }: Desk, what: string, fields: Content, button: TextKey): Html {
  const inner = html`${fields}
  <button class="main">${say(button)}</button>`;
  return actionForm(request, ACCOUNT_PATH, what, inner, true);
}

function part(id: string, title: string, content: Content): Html {
  return html`<section class="card part" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${content}</section>`;
}

function identityPart(desk: Desk, { name, language }: User): Html {
  const { say } = desk;
  const choice = select(
    { name: 'language', label: say('account.language'), value: language ?? '' },
    [{ value: '', label: say('account.browser') }, ...languageOptions(PANEL_LANGUAGES)],
  );
  const fields = html`${formFields(say, [NAME_FIELD], { values: { name } })}${choice}`;
  return part('you', say('account.you'), form(desk, 'you', fields, 'people.save'));
}

function emailPart(desk: Desk, { email }: User): Html {
  const { say } = desk;
  const fields = html`${formFields(say, EMAIL_FIELDS, { values: { email } })}${showPasswords(say)}`;
  return part('email', say('account.email'), form(desk, 'email', fields, 'account.changeEmail'));
}

function passwordPart(desk: Desk): Html {
  const { say } = desk;
  const fields = html`${formFields(say, PASSWORD_FIELDS, {})}${showPasswords(say)}`;
  const content = form(desk, 'password', fields, 'account.changePassword');
  return part('password', say('account.password'), content);
}

function passkeyItem(desk: Desk, { id, name, last_used_at: used }: Passkey): Html {
  const { request, say } = desk;
  const date = used && momentText(desk, used, 'date');
  const use = date ? say('account.lastUsed', { date }) : say('account.unused');
  const remove = html`<input type="hidden" name="passkey" value="${id}">
<button class="quiet" aria-label="${say('account.delete')}: ${name}">${say('account.delete')}</button>`;
  return html`<li><div><p>${name}</p><p class="hint">${use}</p></div>
${actionForm(request, ACCOUNT_PATH, 'passkey-delete', remove)}</li>`;
}

function passkeysPart(desk: Desk, passkeys: readonly Passkey[]): Html {
  const { request, say } = desk;
  const name = formFields(
    say,
    [{ kind: 'text', name: 'passkey_name', label: 'account.passkeyName' }],
    {},
  );
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
export async function showAccount(desk: Desk, user: User, state: PageState): Promise<Answer> {
  const { db, request, say, tenantId } = desk;
  const sessions = await listSessions(db, tenantId, user.id, hashCookie(request.cookie));
  const passkeys = await listPasskeys(db, tenantId, user.id);
  const content = html`${identityPart(desk, user)}
${passwordPart(desk)}
${passkeysPart(desk, passkeys)}
${part('sessions', say('account.sessions'), sessionList(desk, ACCOUNT_PATH, sessions))}
${emailPart(desk, user)}`;
  const intro = `${user.email} · ${say(`roles.${user.role}`)}`;
  return titledPage(desk, { state, title: say('account.title'), intro, content });
}

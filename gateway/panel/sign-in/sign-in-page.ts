import { constants } from '../../../db/runtime/constants.ts';
import { isPanelLanguage } from '../../../db/texts/catalogues.ts';
import { sayIn } from '../../../db/texts/say.ts';
import type { Answer } from '../../http/answer.ts';
import { TooLargeError } from '../../http/errors.ts';
import { type Content, html } from '../../http/html.ts';
import { readForm } from '../form.ts';
import { type FormField, formFields } from '../forms/action-form.ts';
import { isPanelPath } from '../navigation.ts';
import { hiddenFields, notice, showPasswords } from '../pages/fields.ts';
import {
  backPath,
  type Page,
  type PageState,
  pageAnswer,
  redirectAnswer,
  SIGN_IN_FORM,
} from '../pages/page.ts';
import { isFromOurPage, type PanelRequest, type Purpose } from '../panel-request.ts';
import { setLanguageCookie } from '../texts/choose.ts';

/** How the sign-in page differs from an untouched one. */
interface SignInState extends PageState, Pick<Page, 'cookies'> {
  /** As it was typed; a password never comes back. */
  email?: string;
  /** By field. */
  errors?: Readonly<Record<string, string>>;
}

export const EMAIL_FIELD: FormField = {
  ...{ kind: 'email', name: 'email', label: 'signIn.email', autocomplete: 'username' },
};
const PASSWORD_FIELD: FormField = {
  ...{ kind: 'password', name: 'password', label: 'signIn.password' },
  autocomplete: 'current-password',
};

export function signInPage(request: PanelRequest, state: SignInState): Answer {
  const { say } = request;
  const { email = '', errors = {} } = state;
  const content = html`<h1>${say('signIn.title')}</h1>
<p class="intro">${say('signIn.intro')}</p>
${state.notice ?? null}
<form id="${SIGN_IN_FORM}" method="post" action="/admin/sign-in" novalidate>
  ${hiddenFields(request)}
  ${request.purpose ? purposeFields(request.purpose) : null}
  ${formFields(say, [EMAIL_FIELD, PASSWORD_FIELD], { values: { email }, errors })}${showPasswords(say)}
  <button class="main wide">${say('signIn.submit')}</button>
</form>
<p><a href="/admin/sign-in/passkey">${say('account.passkeySignIn')}</a></p>
<p><a href="/admin/forgotten">${say('forgotten.link')}</a></p>`;
  const { status, headers, cookies } = state;
  const title = say('signIn.title');
  return pageAnswer(request, { status, headers, cookies, title, content, user: null });
}

/** The page as somebody finds it who was sent there, with the reason if there is one. */
export function untouchedSignInPage(
  request: PanelRequest,
  reason: string | undefined,
  cookies: readonly string[] = [],
): Answer {
  const reasons = new Map([
    ['expired', notice('bad', request.say('signIn.expired'))],
    ['signed-out', notice('good', request.say('signIn.signedOut'))],
  ]);
  return signInPage(request, { notice: reasons.get(reason ?? '') ?? null, cookies });
}

/**
 * `GET /admin/sign-in/passkey`: a page of its own, because its script asks the server, which the policy
 * of the sign-in page does not allow.
 */
export async function showPasskeySignIn(request: PanelRequest): Promise<Answer> {
  const { say } = request;
  const title = say('account.passkeySignIn');
  const content = html`<h1>${title}</h1>
<p class="intro">${say('account.passkeysIntro')}</p>
<form method="post" action="/admin/sign-in/passkey" data-passkey="get" data-failed="${say('account.passkeyFailed')}" hidden>
  ${hiddenFields(request)}
  <p class="field-error" role="alert" hidden></p>
  <button class="main wide">${title}</button>
</form>
<p class="hint" data-passkey-hint>${say('account.passkeyScript')}</p>
<p><a href="/admin/sign-in">${say('signIn.title')}</a></p>`;
  return pageAnswer(request, { title, content, user: null, isLive: true });
}

/**
 * `POST /admin/language`: it changes nothing but a cookie. The sign-in page that keeps a form comes back
 * with what it keeps.
 */
export async function chooseLanguage(request: PanelRequest): Promise<Answer> {
  const { form, purpose } = await readPurposeForm(request);
  const chosen = form.text('language');
  const cookies = isPanelLanguage(chosen) ? [setLanguageCookie(chosen, request.secure)] : [];
  if (!purpose.kept) {
    return redirectAnswer(request, backPath(form.text('back')), cookies);
  }
  const spoken = isPanelLanguage(chosen) && { language: chosen, say: sayIn(chosen) };
  return untouchedSignInPage({ ...request, ...spoken, purpose }, 'expired', cookies);
}

/** Longest form that is kept, in bytes: packed it must fit into a form that a stranger may send. */
export const MAX_KEPT = Math.floor(
  (constants.maxStrangerFormBytes - constants.maxFormBytes) * 0.75,
);

function unpack(packed: string): string {
  return packed.length > MAX_KEPT * 2 ? '' : Buffer.from(packed, 'base64url').toString();
}

/** Hidden fields of the sign-in form. */
function purposeFields({ next, kept }: Purpose): Content {
  // Letters and digits: they need no escape in the page, and are sent as they are.
  const packed = Buffer.from(kept?.body ?? '').toString('base64url');
  return html`${next !== null && html`<input type="hidden" name="next" value="${next}">`}
${kept && html`<input type="hidden" name="kept_path" value="${kept.path}"><input type="hidden" name="kept" value="${packed}">`}`;
}

/**
 * Reads a form that was sent with the hidden fields.
 *
 * @throws NoFormError, TooLargeError
 */
export async function readPurposeForm(request: PanelRequest) {
  const form = await readForm(request.context, constants.maxStrangerFormBytes);
  const [next, path] = [form.text('next'), form.text('kept_path')];
  const body = unpack(form.secret('kept'));
  const isKept =
    isPanelPath(path) &&
    body !== '' &&
    body.length <= MAX_KEPT &&
    isFromOurPage(request, form.text('form_token'));
  const { length } = await request.context.body;
  // Only a form that is kept makes this one long.
  if (!isKept && length > constants.maxFormBytes) throw new TooLargeError();
  const purpose = { next: isPanelPath(next) ? next : null, kept: isKept ? { path, body } : null };
  return { form, purpose };
}

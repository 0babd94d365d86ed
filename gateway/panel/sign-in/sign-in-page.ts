import type { Answer } from '../../http/answer.ts';
import { type Html, html } from '../../http/html.ts';
import { hiddenFields, notice, textField } from '../pages/fields.ts';
import { pageAnswer } from '../pages/page.ts';
import type { PanelRequest } from '../panel-request.ts';
import { purposeFields } from './kept-form.ts';

/** How the sign-in page differs from an untouched one. */
export interface SignInState {
  /** By default 200. */
  status?: string;
  /** As it was typed; a password never comes back. */
  email?: string;
  notice: Html | null;
  emailError?: string | undefined;
  passwordError?: string | undefined;
  headers?: Record<string, string>;
  /** Values of Set-Cookie headers, beside that of `BrowserCookie`. */
  cookies?: readonly string[];
}

export function signInPage(request: PanelRequest, state: SignInState): Answer {
  const texts = request.texts.signIn;
  const email = textField({
    id: 'email',
    label: texts.email,
    type: 'email',
    autocomplete: 'username',
    value: state.email ?? '',
    error: state.emailError,
  });
  const password = textField({
    id: 'password',
    label: texts.password,
    type: 'password',
    autocomplete: 'current-password',
    error: state.passwordError,
  });
  const content = html`<h1>${texts.title}</h1>
<p class="intro">${texts.intro}</p>
${state.notice}
<form method="post" action="/admin/sign-in" novalidate>
  ${hiddenFields(request)}
  ${request.purpose ? purposeFields(request.purpose) : null}
  ${email}
  ${password}
  <button class="main wide">${texts.submit}</button>
</form>
<p class="hint">${texts.forgotten}</p>`;
  const { status, headers, cookies } = state;
  return pageAnswer(request, { status, title: texts.title, content, user: null, headers, cookies });
}

/** The page as somebody finds it who was sent there, with the reason if there is one. */
export function untouchedSignInPage(
  request: PanelRequest,
  reason: string | undefined,
  cookies: readonly string[] = [],
): Answer {
  const { expired, signedOut } = request.texts.signIn;
  const reasons = new Map([
    ['expired', notice('bad', expired)],
    ['signed-out', notice('good', signedOut)],
  ]);
  return signInPage(request, { notice: reasons.get(reason ?? '') ?? null, cookies });
}

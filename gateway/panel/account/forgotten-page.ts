import type { Logger } from 'pino';
import type { Mail } from '../../../db/mail/mail.ts';
import { makeAccountLink } from '../../../db/people/people.ts';
import type { Database } from '../../../db/postgres/connection.ts';
import type { OriginOf } from '../../../db/runtime/restaurant-origin.ts';
import { findUser } from '../../../db/sql/users.ts';
import type { Answer } from '../../http/answer.ts';
import { clientNetwork, networkText } from '../../http/client-address.ts';
import { type Content, html } from '../../http/html.ts';
import { readForm } from '../form.ts';
import { hiddenFields, notice, textField } from '../pages/fields.ts';
import { pageAnswer } from '../pages/page.ts';
import { isOwnForm, type PanelRequest } from '../panel-request.ts';
import { mailLink } from '../people/mail-link.ts';
import { readEmail } from '../people/person-fields.ts';
import { admitAttempt } from '../sign-in/sign-in-limits.ts';

interface ForgottenOptions {
  db: Database;
  mail: Mail | null;
  originOf: OriginOf;
  log: Logger;
}

const MINUTE = 60_000;

function forgottenPage(
  { mail }: ForgottenOptions,
  request: PanelRequest,
  state: { status?: string; notice?: Content; email?: string } = {},
): Answer {
  const { say } = request;
  const title = say('forgotten.title');
  const email = textField({
    ...{ id: 'email', label: say('signIn.email'), type: 'email', autocomplete: 'username' },
    value: state.email ?? '',
  });
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
export async function showForgotten(
  options: ForgottenOptions,
  request: PanelRequest,
): Promise<Answer> {
  return forgottenPage(options, request);
}

async function mailPasswordLink(
  options: ForgottenOptions,
  request: PanelRequest,
  email: string,
): Promise<void> {
  const { db } = options;
  const { tenantId } = request;
  const user = await findUser(db, tenantId, email);
  if (!user) return;
  const actor = { kind: 'user', name: user.email } as const;
  const made = await makeAccountLink({ database: db, tenantId, actor }, user.id, false);
  if (!made) return;
  const kind = made.kind === 'invitation' ? 'invite' : 'password';
  mailLink({ ...options, request }, kind, user, made.secret);
}

/**
 * `POST /admin/forgotten`: mails a link to the owner of the address. Neither the answer nor its
 * time tell whether the address is known, because the answer does not wait for the work.
 */
export async function sendForgotten(
  options: ForgottenOptions,
  request: PanelRequest,
): Promise<Answer> {
  const { say, tenantId, context } = request;
  const form = await readForm(context);
  const given = form.text('email');
  const refuse = (status: string, text: string) =>
    forgottenPage(options, request, { status, notice: notice('bad', text), email: given });
  if (!isOwnForm(request, form.text('form_token'))) {
    return refuse('403 Forbidden', say('failures.stale'));
  }
  const email = readEmail(given);
  if (email === null) return refuse('422 Unprocessable Content', say('people.emailWrong'));
  const address = networkText(clientNetwork(context.client));
  // A count of its own: asking for links does not keep the account from signing in.
  const wait = await admitAttempt(options.db, tenantId, `forgotten ${email}`, address);
  if (wait !== null) {
    const minutes = Math.ceil(wait / MINUTE);
    return refuse('429 Too Many Requests', say('signIn.tooMany', { minutes }));
  }
  if (options.mail) {
    void mailPasswordLink(options, request, email).catch((error) => {
      options.log.warn({ err: error }, 'a link for a new password could not be made');
    });
  }
  return forgottenPage(options, request, { notice: notice('good', say('forgotten.sent')) });
}

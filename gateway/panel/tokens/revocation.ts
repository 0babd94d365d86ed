import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import { findListedToken, type ListedToken, revokeToken } from '../../../db/sql/tokens.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, html } from '../../http/html.ts';
import type { Desk } from '../desk.ts';
import { readForm } from '../form.ts';
import { hiddenFields, notice } from '../pages/fields.ts';
import { messagePage } from '../pages/message-page.ts';
import { deskPage, redirectAnswer } from '../pages/page.ts';
import { isOwnForm } from '../panel-request.ts';
import { tokenFacts } from './token-list.ts';

function notFound({ request, session }: Desk): Answer {
  const title = request.say('failures.notFoundTitle');
  const text = request.say('failures.notFound');
  return messagePage(request, '404 Not Found', title, text, session);
}

function confirmPage(desk: Desk, token: ListedToken, status = '200 OK', told: Content = null) {
  const { request } = desk;
  const { say } = request;
  const title = say('revoke.title', { name: token.name });
  const content = html`${told}
<section class="card question">
<h1>${title}</h1>
<p>${say('revoke.effect')}</p>
<div class="subject">${tokenFacts(desk, token)}</div>
<form method="post" action="/admin/api-tokens/${token.id}/revoke">
  ${hiddenFields(request)}
  <button class="main bad">${say('revoke.confirm')}</button>
  <a class="button" href="/admin/api-tokens">${say('revoke.cancel')}</a>
</form>
</section>`;
  return deskPage(desk, { status, title, content, place: 'tokens' });
}

function findToken({ db, request }: Desk): Promise<ListedToken | null> {
  const id = parseRecordId(request.context.param);
  return id === null ? Promise.resolve(null) : findListedToken(db, request.tenantId, id);
}

/** `GET /admin/api-tokens/{id}/revoke`: asks once. */
export async function askToRevoke(desk: Desk): Promise<Answer> {
  const { request } = desk;
  const token = await findToken(desk);
  if (!token) return notFound(desk);
  if (token.revoked_at) return redirectAnswer(request, `/admin/api-tokens?revoked=${token.id}`);
  return confirmPage(desk, token);
}

/** `POST /admin/api-tokens/{id}/revoke`: from its commit on every gateway refuses the token. */
export async function revoke(desk: Desk): Promise<Answer> {
  const { db, request } = desk;
  const form = await readForm(request.context);
  const token = await findToken(desk);
  if (!token) return notFound(desk);
  if (!isOwnForm(request, form.text('form_token'))) {
    const stale = notice('bad', request.say('failures.stale'));
    return confirmPage(desk, token, '403 Forbidden', stale);
  }
  // Somebody else may have revoked it just now; the result is the same.
  await revokeToken(db, request.tenantId, token.id);
  return redirectAnswer(request, `/admin/api-tokens?revoked=${token.id}`);
}

import { constants } from '../../../db/runtime/constants.ts';
import { parseRecordId } from '../../../db/schema/values/record-id.ts';
import {
  createTokenOfForm,
  findListedToken,
  type ListedToken,
  listTokens,
  TooManyTokensError,
} from '../../../db/sql/tokens.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, type Html, html } from '../../http/html.ts';
import { hashCookie } from '../browser-cookie.ts';
import type { Desk } from '../desk.ts';
import { readForm } from '../form.ts';
import { notice } from '../pages/fields.ts';
import { listPage } from '../pages/list-page.ts';
import { redirectAnswer } from '../pages/page.ts';
import { secretBanner } from '../pages/secret-banner.ts';
import { isOwnForm, type PanelRequest } from '../panel-request.ts';
import { isFormId } from '../writes/told.ts';
import { checkNewToken, type NewTokenForm, newTokenForm } from './new-token-form.ts';
import { tokenList } from './token-list.ts';

/** `GET /admin/api-tokens`, with word of a token that has just been revoked: the address names it. */
export async function showTokens(desk: Desk): Promise<Answer> {
  const { db, request } = desk;
  const query = new URLSearchParams(request.context.query);
  const revoked = parseRecordId(query.get('revoked') ?? '');
  const token = revoked === null ? null : await findListedToken(db, request.tenantId, revoked);
  const told = token?.revoked_at
    ? notice('good', request.say('revoke.done', { name: token.name }))
    : null;
  return tokensPage(desk, { notice: told });
}

/** The page for a form that made no token; it keeps what was entered. */
function refuse(desk: Desk, status: string, form: NewTokenForm, text: string): Promise<Answer> {
  return tokensPage(desk, { status, form, notice: notice('bad', text) });
}

/** Says that a form which was sent again has made its token before. */
async function answerRepeated(desk: Desk, id: number): Promise<Answer> {
  const { db, request } = desk;
  const { tenantId, say } = request;
  const token = await findListedToken(db, tenantId, id);
  const said =
    token && notice('bad', say('reveal.gone', { name: token.name }), repeatedLink(request, token));
  return tokensPage(desk, { status: '409 Conflict', notice: said });
}

function repeatedLink({ say }: PanelRequest, { id, revoked_at }: ListedToken): Content {
  if (revoked_at) return null;
  return html`<a class="button" href="/admin/api-tokens/${id}/revoke">${say('revoke.action')}</a>`;
}

/**
 * Makes a token, and shows its value in the answer: this is the only time. A browser that loses this
 * answer has lost the value.
 */
async function createFrom(
  desk: Desk,
  formId: string,
  { name, scopes }: NewTokenForm,
): Promise<Answer> {
  const { db, request, session } = desk;
  const { tenantId, cookie } = request;
  const made = await createTokenOfForm(
    db,
    { tenantId, userId: session.user_id, name, scopes },
    { sessionHash: hashCookie(cookie), formId },
  );
  if (made === null) return redirectAnswer(request, '/admin/sign-in?because=expired');
  if (made.token === null) return answerRepeated(desk, made.id);
  return tokensPage(desk, {
    status: '201 Created',
    notice: revealBanner(request, name, made.token),
  });
}

/** `POST /admin/api-tokens`: makes a token, one a form however often the form is sent. */
export async function createTokenFromForm(desk: Desk): Promise<Answer> {
  const { request } = desk;
  const form = await readForm(request.context);
  const { say } = request;
  const checked = checkNewToken(form, say);
  const formId = form.text('form_id');
  if (!isOwnForm(request, form.text('form_token')) || !isFormId(formId)) {
    const unchecked = { name: checked.name, scopes: checked.scopes };
    return refuse(desk, '403 Forbidden', unchecked, say('failures.stale'));
  }
  const { nameError, scopesError } = checked;
  const errors = [nameError, scopesError].filter((error) => error !== undefined);
  const status = '422 Unprocessable Content';
  if (errors.length > 0)
    return refuse(desk, status, checked, say('tokenForm.errors', { count: errors.length }));
  try {
    return await createFrom(desk, formId, checked);
  } catch (error) {
    if (!(error instanceof TooManyTokensError)) throw error;
    return refuse(desk, status, checked, say('tokenForm.full', { max: constants.maxActiveTokens }));
  }
}

/** How the page of the tokens differs from an untouched one. */
interface TokensState {
  status?: string;
  notice?: Content;
  form?: NewTokenForm;
}

/** The page of the tokens: the form for a new one, and the list. */
async function tokensPage(desk: Desk, state: TokensState): Promise<Answer> {
  const { db, request } = desk;
  const { say } = request;
  const tokens = await listTokens(db, request.tenantId);
  return listPage(desk, {
    status: state.status,
    title: say('tokens.title'),
    intro: say('tokens.intro'),
    notice: state.notice,
    create: newTokenForm(request, state.form),
    list: tokenList(desk, tokens),
    place: 'tokens',
  });
}

/** The banner with a new token's value, which is on this page and on no other. */
function revealBanner(request: PanelRequest, name: string, value: string): Html {
  const { say } = request;
  return secretBanner(request, {
    id: 'token-value',
    title: say('reveal.title', { name }),
    once: say('reveal.once'),
    label: say('reveal.value'),
    value,
    rows: 1,
    advice: say('reveal.advice'),
  });
}

import * as v from 'valibot';
import type { Database } from '../../../db/postgres/connection.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { parseRecordId } from '../../../db/schema/record-id.ts';
import { TooManyTokensError } from '../../../db/sql/access/create-token.ts';
import { createTokenOfForm } from '../../../db/sql/access/create-token-of-form.ts';
import { findListedToken, type ListedToken } from '../../../db/sql/access/list-tokens.ts';
import type { Session } from '../../../db/sql/access/use-session.ts';
import type { Answer } from '../../http/answer.ts';
import { type Content, html } from '../../http/html.ts';
import { type Form, readForm } from '../form.ts';
import { notice } from '../pages/fields.ts';
import { redirectAnswer, TOKENS_PATH } from '../pages/page.ts';
import { isOwnForm, type Visit } from '../visit.ts';
import { hashCookie } from '../visit-cookie.ts';
import { checkNewToken, type NewTokenForm } from './new-token-form.ts';
import { revealBanner, tokensPage } from './tokens-page.ts';

export interface TokensOptions {
  db: Database;
  domain: string;
}

/** Word of the token that has just been revoked, as the address of the page names it. */
async function noticeOf(db: Database, visit: Visit): Promise<Content> {
  const query = new URLSearchParams(visit.context.query);
  const revoked = parseRecordId(query.get('revoked') ?? '');
  const token = revoked === null ? null : await findListedToken(db, visit.tenantId, revoked);
  return token?.revoked_at ? notice('good', visit.texts.revoke.done(token.name)) : null;
}

/** `GET /admin/api-tokens` */
export async function showTokens(
  { db }: TokensOptions,
  visit: Visit,
  session: Session,
): Promise<Answer> {
  return tokensPage(db, visit, session, { notice: await noticeOf(db, visit) });
}

function refuseForm(
  db: Database,
  visit: Visit,
  session: Session,
  form: NewTokenForm,
): Promise<Answer> {
  const texts = visit.texts.form;
  const errors = [form.nameError, form.scopesError].filter((error) => error !== undefined);
  const status = '422 Unprocessable Content';
  return tokensPage(db, visit, session, {
    status,
    form,
    notice: notice('bad', texts.errors(errors.length)),
  });
}

/** Says that a form which was sent again has made its token before. */
async function answerRepeated(
  db: Database,
  visit: Visit,
  session: Session,
  id: number,
): Promise<Answer> {
  const { texts, tenantId } = visit;
  const token = await findListedToken(db, tenantId, id);
  const said = token && notice('bad', texts.reveal.gone(token.name), repeatedLink(visit, token));
  return tokensPage(db, visit, session, { status: '409 Conflict', notice: said });
}

function repeatedLink({ texts }: Visit, { id, revoked_at }: ListedToken): Content {
  if (revoked_at) return null;
  return html`<a class="button" href="${TOKENS_PATH}/${id}/revoke">${texts.revoke.action}</a>`;
}

/**
 * Makes a token, and shows its value in the answer: this is the only time. A browser that loses this
 * answer has lost the value.
 */
async function createFrom(
  db: Database,
  visit: Visit,
  session: Session,
  sent: { formId: string; checked: NewTokenForm },
): Promise<Answer> {
  const { tenantId, cookie } = visit;
  const { name, scopes } = sent.checked;
  const made = await createTokenOfForm(
    db,
    { tenantId, userId: session.user_id, name, scopes },
    { sessionHash: hashCookie(cookie), formId: sent.formId },
  );
  if (made === null) return redirectAnswer(visit, '/admin/sign-in?because=expired');
  if (made.token === null) return answerRepeated(db, visit, session, made.id);
  return tokensPage(db, visit, session, {
    status: '201 Created',
    notice: revealBanner(visit, name, made.token),
  });
}

/** `POST /admin/api-tokens`: makes a token, one a form however often the form is sent. */
export async function createTokenFromForm(
  { db, domain }: TokensOptions,
  visit: Visit,
  session: Session,
): Promise<Answer> {
  const form: Form = await readForm(visit.context);
  const { texts } = visit;
  const checked = checkNewToken(form, texts.form);
  const formId = form.text('form_id');
  if (!isOwnForm(visit, form.text('form_token'), domain) || !v.UUID_REGEX.test(formId)) {
    return tokensPage(db, visit, session, {
      status: '403 Forbidden',
      form: { name: checked.name, scopes: checked.scopes },
      notice: notice('bad', texts.failures.stale),
    });
  }
  if (checked.nameError !== undefined || checked.scopesError !== undefined) {
    return refuseForm(db, visit, session, checked);
  }
  try {
    return await createFrom(db, visit, session, { formId, checked });
  } catch (error) {
    if (!(error instanceof TooManyTokensError)) throw error;
    return tokensPage(db, visit, session, {
      status: '422 Unprocessable Content',
      form: checked,
      notice: notice('bad', texts.form.full(constants.maxActiveTokens)),
    });
  }
}

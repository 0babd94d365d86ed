import * as v from 'valibot';
import type { Database } from '../../../db/postgres/connection.ts';
import { constants } from '../../../db/runtime/constants.ts';
import { parseRecordId } from '../../../db/schema/record-id.ts';
import { TooManyTokensError } from '../../../db/sql/access/create-token.ts';
import { createTokenOfForm } from '../../../db/sql/access/create-token-of-form.ts';
import { findListedToken } from '../../../db/sql/access/list-tokens.ts';
import { takeSealedToken } from '../../../db/sql/access/take-sealed-token.ts';
import type { Session } from '../../../db/sql/access/use-session.ts';
import type { Answer } from '../../http/answer.ts';
import type { Content } from '../../http/html.ts';
import { type Form, readForm } from '../form.ts';
import { notice } from '../pages/fields.ts';
import { redirectAnswer, TOKENS_PATH } from '../pages/page.ts';
import { isOwnForm, type Visit } from '../visit.ts';
import { hashCookie } from '../visit-cookie.ts';
import { checkNewToken, type NewTokenForm } from './new-token-form.ts';
import { openValue, sealValue } from './sealed-value.ts';
import { revealBanner, tokensPage } from './tokens-page.ts';

export interface TokensOptions {
  db: Database;
  domain: string;
}

/**
 * The banner of a token that has just been made, or word that its value was shown before. It is shown
 * once to the session that made the token, and within `revealTtl` once more each time that the same
 * form is sent again, for then the browser has dropped the page. A reload, another session and later
 * visits get no value; nor does a reload after the network was cut in this very answer, which
 * looks like any other.
 */
async function revealOf(db: Database, visit: Visit, id: number): Promise<Content> {
  const { tenantId, cookie, texts } = visit;
  const token = await findListedToken(db, tenantId, id);
  if (!token) return null;
  const sealed = await takeSealedToken(db, {
    tenantId,
    sessionHash: hashCookie(cookie),
    tokenId: id,
  });
  if (sealed) return revealBanner(visit, token.name, openValue(cookie, sealed));
  return notice('bad', texts.reveal.gone(token.name));
}

/** Word of what has just been done, as the address of the page says it. */
async function noticeOf(db: Database, visit: Visit): Promise<Content> {
  // Asking for the headers only must not use up a value that is shown once.
  if (visit.context.method === 'head') return null;
  const query = new URLSearchParams(visit.context.query);
  const created = parseRecordId(query.get('created') ?? '');
  if (created !== null) return revealOf(db, visit, created);
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

async function createFrom(
  db: Database,
  visit: Visit,
  session: Session,
  sent: { formId: string; checked: NewTokenForm },
): Promise<Answer> {
  const { tenantId, cookie } = visit;
  const { name, scopes } = sent.checked;
  const id = await createTokenOfForm(
    db,
    { tenantId, userId: session.user_id, name, scopes },
    { sessionHash: hashCookie(cookie), formId: sent.formId },
    (value) => sealValue(cookie, value),
  );
  if (id === null) return redirectAnswer(visit, '/admin/sign-in?because=expired');
  return redirectAnswer(visit, `${TOKENS_PATH}?created=${id}`);
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

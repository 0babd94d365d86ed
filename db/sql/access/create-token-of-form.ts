import * as v from 'valibot';
import type { Database } from '../../postgres/connection.ts';
import { type Db, sql } from '../../postgres/sql.ts';
import { createToken, type NewToken } from './create-token.ts';
import { lockUsers } from './lock-users.ts';

/** The form of a session that asks for a token. */
export interface TokenForm {
  sessionHash: Buffer;
  /** Differs from form to form. */
  formId: string;
}

async function isOpen(db: Db, tenantId: number, { sessionHash }: TokenForm): Promise<boolean> {
  const found = await db.maybeOne(sql.nothing`
    select from sessions where tenant_id = ${tenantId} and hash = ${sessionHash}
    for key share
  `);
  return found !== null;
}

/**
 * Creates the token that a form asks for, once however often the form is sent. Returns its id with its
 * value, with null instead of the value when the form has made the token before, or null when the
 * session has ended.
 *
 * @throws TooManyTokensError, and the form may be sent again later
 */
export function createTokenOfForm(
  database: Database,
  token: NewToken,
  form: TokenForm,
): Promise<{ id: number; token: string | null } | null> {
  const { tenantId } = token;
  return database.transaction(async (db) => {
    // Lock the users before the session: a change of password takes its locks in this order.
    await lockUsers(db, tenantId);
    if (!(await isOpen(db, tenantId, form))) return null;
    const made = await db.maybeOne(sql.value(v.number())`
      select id from tokens where tenant_id = ${tenantId} and form_id = ${form.formId}::uuid
    `);
    if (made !== null) return { id: made, token: null };
    return createToken(db, { ...token, formId: form.formId });
  });
}

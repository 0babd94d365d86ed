import * as v from 'valibot';
import { type Database, type Db, sql } from '../../postgres/connection.ts';
import { createToken, type NewToken } from './create-token.ts';
import { lockUsers } from './lock-users.ts';

/** The form of a session that asks for a token. */
export interface TokenForm {
  sessionHash: Buffer;
  /** Differs from form to form. */
  formId: string;
}

const madeSchema = v.object({ token_id: v.nullable(v.number()) });

/** False when the form has made a token already, or when the session has ended. */
async function claimForm(db: Db, tenantId: number, form: TokenForm): Promise<boolean> {
  const claimed = await db.run(sql.typeAlias('nothing')`
    insert into token_reveals (tenant_id, session_hash, form_id, created_at)
    select tenant_id, hash, ${form.formId}::uuid, now()
    from sessions where tenant_id = ${tenantId} and hash = ${sql.binary(form.sessionHash)}
    for key share
    on conflict do nothing
  `);
  return claimed === 1;
}

/**
 * Creates the token that a form asks for, once however often the form is sent, and keeps its value
 * sealed to be shown. A browser that sends the form again has not shown the first answer, for instance
 * because of a second click on a slow network: the value may be shown to it again. Returns the token's
 * id, or null when the session has ended.
 *
 * @param seal makes of the token's value what may be stored
 * @throws TooManyTokensError, and the form may be sent again later
 */
export function createTokenOfForm(
  database: Database,
  token: NewToken,
  form: TokenForm,
  seal: (value: string) => Buffer,
): Promise<number | null> {
  return database.transaction(async (db) => {
    // Lock the users before the session: a change of password takes its locks in this order.
    await lockUsers(db, token.tenantId);
    const thisForm = sql.fragment`
      tenant_id = ${token.tenantId} and session_hash = ${sql.binary(form.sessionHash)}
        and form_id = ${form.formId}::uuid
    `;
    if (!(await claimForm(db, token.tenantId, form))) {
      // A form that was changed since it was sent asks for another token than there is.
      await db.run(sql.typeAlias('nothing')`
        update token_reveals set shown = false
        where ${thisForm} and exists (
          select from tokens
          where tenant_id = ${token.tenantId} and id = token_id and name = ${token.name}
            and scopes = ${sql.array([...token.scopes], 'text')}
        )
      `);
      const made = await db.maybeOne(sql.type(madeSchema)`
        select token_id from token_reveals where ${thisForm}
      `);
      return made?.token_id ?? null;
    }
    const created = await createToken(db, token);
    await db.run(sql.typeAlias('nothing')`
      update token_reveals
      set token_id = ${created.id}, sealed = ${sql.binary(seal(created.token))} where ${thisForm}
    `);
    return created.id;
  });
}

import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { constants } from '../../runtime/constants.ts';
import type { Scope } from '../../schema/scope.ts';
import { hashTokenPlain, makeTokenPlain } from '../../schema/token-value.ts';
import { countActiveTokens } from './count-active-tokens.ts';
import { lockUsers } from './lock-users.ts';

export interface NewToken {
  tenantId: number;
  userId: number;
  name: string;
  /** At least one. */
  scopes: readonly Scope[];
  /** Names the form that asks for it. */
  formId?: string;
}

export interface CreatedToken {
  id: number;
  /** `<id>|<plain>`, to be shown once: only a hash of it is stored. */
  token: string;
}

/** The tenant has as many active tokens as it may have. */
export class TooManyTokensError extends Error {
  override name = 'TooManyTokensError';
}

/**
 * Creates a token of a panel user, in a transaction of the caller's: those that come at once are
 * counted one after the other.
 *
 * @throws TooManyTokensError
 */
export async function createToken(db: Db, token: NewToken): Promise<CreatedToken> {
  await lockUsers(db, token.tenantId);
  const active = await countActiveTokens(db, token.tenantId);
  if (active >= constants.maxActiveTokens) throw new TooManyTokensError();
  const plain = makeTokenPlain();
  const id = await db.one(sql.value(v.number())`
    insert into tokens (tenant_id, user_id, name, scopes, hash, form_id)
    values (${token.tenantId}, ${token.userId}, ${token.name},
      ${sql.array(token.scopes, 'text')}, ${hashTokenPlain(plain)}, ${token.formId ?? null}::uuid)
    returning id
  `);
  return { id, token: `${id}|${plain}` };
}

import * as v from 'valibot';
import { type Db, sql } from '../postgres/connection.ts';
import type { Scope } from '../records/scope.ts';
import { formatToken, hashTokenPlain, makeTokenPlain } from '../token-value.ts';

export interface NewToken {
  tenantId: number;
  userId: number;
  name: string;
  /** At least one. */
  scopes: readonly Scope[];
}

export interface CreatedToken {
  id: number;
  /** `<id>|<plain>`, to be shown once: only a hash of it is stored. */
  token: string;
}

/** Creates a token of a panel user. */
export async function createToken(db: Db, token: NewToken): Promise<CreatedToken> {
  const plain = makeTokenPlain();
  const { id } = await db.one(sql.type(v.object({ id: v.number() }))`
    insert into tokens (tenant_id, user_id, name, scopes, hash)
    values (${token.tenantId}, ${token.userId}, ${token.name},
      ${sql.array([...token.scopes], 'text')}, ${sql.binary(hashTokenPlain(plain))})
    returning id
  `);
  return { id, token: formatToken(id, plain) };
}

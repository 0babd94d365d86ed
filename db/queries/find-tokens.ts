import * as v from 'valibot';
import { column, type Db, sql } from '../postgres/connection.ts';
import { scopeSchema } from '../records/scope.ts';

/** Names a token; a token of another tenant is another token, whatever its id. */
export interface TokenKey {
  tenantId: number;
  id: number;
}

const storedTokenSchema = v.object({
  tenant_id: v.number(),
  id: v.number(),
  scopes: v.array(scopeSchema),
  /** SHA-256 of the plain part. */
  hash: v.instance(Buffer),
});
export type StoredToken = v.InferOutput<typeof storedTokenSchema>;

/** Those of the tokens that exist and are not revoked, in no particular order. */
export function findTokens(db: Db, keys: readonly TokenKey[]): Promise<readonly StoredToken[]> {
  return db.any(sql.prepared('find-tokens', storedTokenSchema)`
    select tenant_id, id, scopes, hash
    from tokens
    where revoked_at is null and (tenant_id, id) in (
      select * from unnest(
        ${column(keys, ({ tenantId }) => tenantId, 'int4')},
        ${column(keys, ({ id }) => id, 'int4')}
      )
    )
  `);
}

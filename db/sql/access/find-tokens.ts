import * as v from 'valibot';
import { column, type Db, sql } from '../../postgres/sql.ts';
import { scopeSchema } from '../../schema/scope.ts';

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

/** A token as the client of a host names it. */
export interface AskedToken extends TokenKey {
  /** Of the tenant as the host has it: in a database that was made anew another may have its id. */
  slug: string;
}

/** Those of the tokens that exist and are not revoked, in no particular order. */
export function findTokens(db: Db, asked: readonly AskedToken[]): Promise<readonly StoredToken[]> {
  return db.any(sql.prepared('find-tokens', storedTokenSchema)`
    select k.tenant_id, k.id, scopes, hash
    from (
      select distinct * from unnest(
        ${column(asked, ({ tenantId }) => tenantId, 'int4')},
        ${column(asked, ({ slug }) => slug, 'text')},
        ${column(asked, ({ id }) => id, 'int4')}
      ) as a (tenant_id, slug, id)
    ) asked
    join tenants t on t.id = asked.tenant_id and t.slug = asked.slug
    join tokens k on k.tenant_id = asked.tenant_id and k.id = asked.id
    where revoked_at is null
  `);
}

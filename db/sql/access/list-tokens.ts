import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { constants } from '../../runtime/constants.ts';
import { scopeSchema } from '../../schema/scope.ts';

const listedTokenSchema = v.object({
  id: v.number(),
  name: v.string(),
  scopes: v.array(scopeSchema),
  owner: v.string(),
  created_at: v.date(),
  last_used_at: v.nullable(v.date()),
  revoked_at: v.nullable(v.date()),
});
/** A token as the panel shows it: everything but its value. */
export type ListedToken = v.InferOutput<typeof listedTokenSchema>;

const columns = sql.fragment`
  t.id, t.name, t.scopes, u.email as owner, t.created_at, t.last_used_at, t.revoked_at
`;
const tokens = sql.fragment`
  tokens t join users u on u.tenant_id = t.tenant_id and u.id = t.user_id
`;

/**
 * The tenant's tokens: the active ones from the newest on, then those that were revoked last.
 *
 * @param limit by default one more than the panel lists, to tell that there are others
 */
export function listTokens(
  db: Db,
  tenantId: number,
  limit = constants.maxListedTokens + 1,
): Promise<readonly ListedToken[]> {
  return db.any(sql.type(listedTokenSchema)`
    select ${columns} from ${tokens}
    where t.tenant_id = ${tenantId}
    order by t.revoked_at desc nulls first, t.created_at desc, t.id desc
    limit ${limit}
  `);
}

/** One of the tenant's tokens, or null. */
export function findListedToken(db: Db, tenantId: number, id: number): Promise<ListedToken | null> {
  return db.maybeOne(sql.type(listedTokenSchema)`
    select ${columns} from ${tokens} where t.tenant_id = ${tenantId} and t.id = ${id}
  `);
}

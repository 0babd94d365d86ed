import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

const listedUserSchema = v.object({
  id: v.number(),
  email: v.string(),
  created_at: v.date(),
  active_tokens: v.number(),
});

/** The tenant's panel users in the order of their addresses. */
export function listUsers(db: Db, tenantId: number) {
  return db.any(sql.type(listedUserSchema)`
    select u.id, u.email, u.created_at, (
      select count(*)::int from tokens t
      where t.tenant_id = u.tenant_id and t.user_id = u.id and t.revoked_at is null
    ) as active_tokens
    from users u where u.tenant_id = ${tenantId}
    order by u.email
  `);
}

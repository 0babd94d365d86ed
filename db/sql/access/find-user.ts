import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

const userSchema = v.object({ id: v.number(), email: v.string(), password_hash: v.string() });
export type User = v.InferOutput<typeof userSchema>;

/** The tenant's panel user with this address, in lower case, or null. */
export function findUser(db: Db, tenantId: number, email: string): Promise<User | null> {
  return db.maybeOne(sql.type(userSchema)`
    select id, email, password_hash from users
    where tenant_id = ${tenantId} and email = ${email}
  `);
}

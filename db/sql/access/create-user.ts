import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

export interface NewUser {
  tenantId: number;
  email: string;
  /** As `hashPassword` makes it. */
  passwordHash: string;
}

/** Inserts a panel user and returns its id, or null when the tenant has one with this address. */
export function createUser(db: Db, user: NewUser): Promise<number | null> {
  return db.maybeOne(sql.value(v.number())`
    insert into users (tenant_id, email, password_hash)
    values (${user.tenantId}, lower(${user.email}), ${user.passwordHash})
    on conflict (tenant_id, email) do nothing
    returning id
  `);
}

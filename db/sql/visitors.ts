import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';
import { type User, userColumns, userSchema } from './users.ts';

// Owners of a chain's master in its branches. The tables end a visitor with the person at the master,
// and with the branch's place in the chain.

/** The id of a branch; null when the master has none of this slug. */
export function findBranchId(db: Db, masterId: number, slug: string): Promise<number | null> {
  return db.maybeOne(sql.value(v.number())`
    select t.id from chain_branches b join tenants t on t.id = b.tenant_id
    where b.master_id = ${masterId} and t.slug = ${slug}
  `);
}

/**
 * Lets a person of the master be a visitor of a branch, called as at home.
 *
 * @returns the visitor's id; null when the branch has a user of its own with this address
 */
export async function saveVisitor(
  db: Db,
  tenantId: number,
  homeId: number,
  { id, email, name, language }: Pick<User, 'id' | 'email' | 'name' | 'language'>,
): Promise<number | null> {
  return db.maybeOne(sql.value(v.number())`
    with known as (
      update users set email = ${email}, name = ${name}, language = ${language}
      where tenant_id = ${tenantId} and home_id = ${homeId} and home_user_id = ${id}
        and not exists (
          select from users o where o.tenant_id = ${tenantId} and o.email = ${email}
            and o.home_user_id is distinct from ${id}
        )
      returning id
    ), made as (
      insert into users (tenant_id, email, name, language, role, home_id, home_user_id)
      select ${tenantId}, ${email}, ${name}, ${language}, 'owner', ${homeId}, ${id}
      where not exists (
        select from users where tenant_id = ${tenantId} and home_id = ${homeId}
          and home_user_id = ${id}
      )
      on conflict (tenant_id, email) do nothing
      returning id
    )
    select id from known union all select id from made
  `);
}

/** A visitor of a branch; null for a user of its own. */
export function findVisitor(db: Db, tenantId: number, id: number): Promise<User | null> {
  return db.maybeOne(sql.type(userSchema)`
    select ${userColumns} from users
    where tenant_id = ${tenantId} and id = ${id} and home_id is not null
  `);
}

const listedVisitorSchema = v.object({
  name: v.string(),
  email: v.string(),
  sessions: v.number(),
});
export type ListedVisitor = v.InferOutput<typeof listedVisitorSchema>;

/** The owners of the master who have opened the tenant's panel, in the order of their addresses. */
export function listVisitors(db: Db, tenantId: number): Promise<readonly ListedVisitor[]> {
  return db.any(sql.type(listedVisitorSchema)`
    select u.name, u.email, (
        select count(*)::int from sessions s where s.tenant_id = u.tenant_id and s.user_id = u.id
      ) as sessions
    from users u where u.tenant_id = ${tenantId} and u.home_id is not null
    order by u.email
  `);
}

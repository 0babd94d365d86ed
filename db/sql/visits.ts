import { type Db, sql } from '../postgres/sql.ts';

// The visits of an owner of a chain's master in its branches, and their end.

/** Lets a person be a visitor of no branch any more. */
export async function deleteVisits(db: Db, homeId: number, userId: number): Promise<void> {
  await db.run(sql.nothing`
    delete from users u using chain_branches b
    where u.tenant_id = b.tenant_id and b.master_id = ${homeId} and u.home_id = b.master_id
      and u.home_user_id = ${userId}
  `);
}

/** Ends the sessions of a person in all branches, and the links to begin some. */
export async function endVisits(db: Db, homeId: number, userId: number): Promise<void> {
  await db.run(sql.nothing`
    with visits as (
      select tenant_id, id from users where home_id = ${homeId} and home_user_id = ${userId}
    ), links as (
      delete from account_links l using visits w
      where l.tenant_id = w.tenant_id and l.user_id = w.id
    )
    delete from sessions s using visits w where s.tenant_id = w.tenant_id and s.user_id = w.id
  `);
}

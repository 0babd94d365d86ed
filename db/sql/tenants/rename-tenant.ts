import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

/**
 * Gives a tenant another slug and its next version, and returns its id; null when there is no such
 * tenant or the new slug is taken. The slug stands in the menu: its snapshots are the caller's to
 * rebuild in the same transaction.
 */
export function renameTenant(db: Db, slug: string, newSlug: string): Promise<number | null> {
  return db.maybeOne(sql.value(v.number())`
    update tenants set slug = ${newSlug}, version = version + 1
    where slug = ${slug} and not exists (select from tenants where slug = ${newSlug})
    returning id
  `);
}

import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

/** The id of the tenant with this slug, or null. */
export function findTenantId(db: Db, slug: string): Promise<number | null> {
  return db.maybeOne(sql.value(v.number())`
    select id from tenants where slug = ${slug}
  `);
}

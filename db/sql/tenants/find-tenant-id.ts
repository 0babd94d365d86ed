import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

/** The id of the tenant with this slug, or null. */
export async function findTenantId(db: Db, slug: string): Promise<number | null> {
  const row = await db.maybeOne(sql.type(v.object({ id: v.number() }))`
    select id from tenants where slug = ${slug}
  `);
  return row?.id ?? null;
}

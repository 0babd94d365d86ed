import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

const presentSchema = v.object({
  id: v.number(),
  slug: v.string(),
  version: v.number(),
});

/** The present versions of tenants, by id; a tenant that is gone is missing. */
export async function findVersions(db: Db, tenantIds: readonly number[]) {
  const rows = await db.any(sql.type(presentSchema)`
    select id, slug, version from tenants where id = any (${sql.array(tenantIds, 'int4')})
  `);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The same by slug; a slug of no tenant is missing. */
export async function findVersionsOf(db: Db, slugs: readonly string[]) {
  const rows = await db.any(sql.type(presentSchema)`
    select id, slug, version from tenants where slug = any (${sql.array(slugs, 'text')})
  `);
  return new Map(rows.map((row) => [row.slug, row]));
}

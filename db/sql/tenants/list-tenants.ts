import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

const listedTenantSchema = v.object({
  id: v.number(),
  slug: v.string(),
  name: v.string(),
  default_locale: v.string(),
  version: v.number(),
});
export type ListedTenant = v.InferOutput<typeof listedTenantSchema>;

/** Tenants in the order of their creation, at most `limit`. */
export async function listTenants(
  db: Db,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<readonly ListedTenant[]> {
  return db.any(sql.type(listedTenantSchema)`
    select t.id, t.slug, s.name, s.default_locale, t.version
    from tenants t join settings s on s.tenant_id = t.id
    order by t.id
    limit ${limit}
  `);
}

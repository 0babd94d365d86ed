import * as v from 'valibot';
import { type Db, sql } from '../connection.ts';

const presentSchema = v.object({
  version: v.number(),
  /** Whether the compressed answers of the version are there. */
  encoded: v.boolean(),
});

/** The present version of a tenant; null when there is no such tenant. */
export function findTenantVersion(
  db: Db,
  slug: string,
): Promise<v.InferOutput<typeof presentSchema> | null> {
  return db.maybeOne(sql.type(presentSchema)`
    select version, exists (
      select from snapshots n where n.tenant_id = t.id and n.encoded_version = t.version
    ) as encoded
    from tenants t where slug = ${slug}
  `);
}

import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';
import { localeSchema } from '../../schema/locale.ts';
import { headSchema, SNAPSHOT_FORMAT } from './stored-menu.ts';

const frontSchema = v.object({
  tenant_id: v.number(),
  slug: v.string(),
  default_locale: localeSchema,
  /** Null while the snapshot is of another format. */
  head: v.nullable(headSchema),
});
export type StoredFront = v.InferOutput<typeof frontSchema>;

/** Restaurants without their sections, by slug; a slug without a tenant is missing. */
export async function findFronts(
  db: Db,
  slugs: readonly string[],
): Promise<Map<string, StoredFront>> {
  const rows = await db.any(sql.type(frontSchema)`
    select t.id as tenant_id, t.slug, s.default_locale, n.head
    from tenants t
    join settings s on s.tenant_id = t.id
    left join snapshots n on n.tenant_id = t.id and n.format = ${SNAPSHOT_FORMAT}
    where t.slug = any (${sql.array(slugs, 'text')})
  `);
  return new Map(rows.map((row) => [row.slug, row]));
}

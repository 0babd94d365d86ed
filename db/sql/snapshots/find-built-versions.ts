import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

const builtSchema = v.object({
  slug: v.string(),
  version: v.number(),
  /** ISO 8601 with offset: the time at which the version was built. */
  generated_at: v.string(),
});
export type BuiltVersion = v.InferOutput<typeof builtSchema>;

/** The present versions of tenants, by slug; a slug of no tenant is missing. */
export async function findBuiltVersions(
  db: Db,
  slugs: readonly string[],
): Promise<Map<string, BuiltVersion>> {
  const rows = await db.any(sql.type(builtSchema)`
    select t.slug, t.version, coalesce(n.head::json ->> 'generatedAt', '') as generated_at
    from tenants t left join snapshots n on n.tenant_id = t.id
    where t.slug = any (${sql.array(slugs, 'text')})
  `);
  return new Map(rows.map((row) => [row.slug, row]));
}

import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';

/** A restaurant's picture for shared links, as PNG; null when it has another one or none. */
export function findLinkPreview(db: Db, tenantId: number, digest: string): Promise<Buffer | null> {
  return db.maybeOne(sql.value(v.instance(Buffer))`
    select content from link_previews where tenant_id = ${tenantId} and digest = ${digest}
  `);
}

export async function saveLinkPreview(
  db: Db,
  tenantId: number,
  digest: string,
  content: Buffer,
): Promise<void> {
  await db.run(sql.nothing`
    insert into link_previews (tenant_id, digest, content)
    select id, ${digest}, ${sql.binary(content)} from tenants where id = ${tenantId}
    on conflict (tenant_id) do update set digest = excluded.digest, content = excluded.content
  `);
}

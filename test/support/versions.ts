import { runSql } from './sql.ts';

/** Gives a restaurant a version with its entry, and takes the entries of later versions away. */
export async function setVersion(url: string, tenantId: number, version: number): Promise<void> {
  await runSql(
    url,
    `with gone as (delete from versions where tenant_id = $1 and version > $2), entered as (
      insert into versions (tenant_id, version, actor_kind, origin) values ($1, $2, 'operator', 'cli')
      on conflict do nothing
    )
    update tenants set version = $2 where id = $1`,
    [tenantId, version],
  );
}

import { type Db, sql } from '../connection.ts';
import type { Locale } from '../records/locale.ts';
import { SNAPSHOT_FORMAT } from '../snapshot/pack.ts';

/** Puts a tenant's packs in the place of all that it had. */
export async function saveSnapshots(
  db: Db,
  tenantId: number,
  version: number,
  packs: ReadonlyMap<Locale, Buffer>,
): Promise<void> {
  const locales = sql.array([...packs.keys()], 'text');
  await db.run(sql.typeAlias('nothing')`
    with saved as (
      insert into snapshots (tenant_id, locale, version, format, pack)
      select ${tenantId}, locale, ${version}, ${SNAPSHOT_FORMAT}, pack
      from unnest(${locales}, ${sql.array([...packs.values()], 'bytea')}) as packs (locale, pack)
      on conflict (tenant_id, locale) do update
        set version = excluded.version, format = excluded.format, pack = excluded.pack
    )
    delete from snapshots where tenant_id = ${tenantId} and locale <> all (${locales})
  `);
}

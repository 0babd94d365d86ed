import { type Db, sql } from '../../postgres/connection.ts';
import type { Locale } from '../../schema/locale.ts';

/**
 * Stores the compressed answers of a tenant's snapshots, in all their locales, in place of those of
 * an earlier version; false when the snapshots have another version by now.
 */
export async function saveEncodings(
  db: Db,
  tenantId: number,
  version: number,
  encodings: ReadonlyMap<Locale, Buffer>,
): Promise<boolean> {
  const values = [...encodings].map(
    ([locale, bytes]) => sql.fragment`(${locale}::text, ${sql.binary(bytes)}::bytea)`,
  );
  const saved = await db.run(sql.typeAlias('nothing')`
    with encoded as (
      update snapshots set encoded_version = version
      where tenant_id = ${tenantId} and version = ${version}
      returning tenant_id, version
    ), gone as (
      delete from snapshot_encodings e using encoded
      where e.tenant_id = encoded.tenant_id
        and e.locale <> all (${sql.array([...encodings.keys()], 'text')})
    )
    insert into snapshot_encodings (tenant_id, locale, version, encodings)
    select encoded.tenant_id, n.locale, encoded.version, n.encodings
    from encoded, (values ${sql.join(values, sql.fragment`, `)}) as n (locale, encodings)
    on conflict (tenant_id, locale) do update
      set version = excluded.version, encodings = excluded.encodings
  `);
  return saved > 0;
}

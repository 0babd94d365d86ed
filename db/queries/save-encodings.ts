import { type Db, sql } from '../connection.ts';
import type { Locale } from '../records/locale.ts';

/** Adds compressed answers to a tenant's snapshots; false when these have another version by now. */
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
    update snapshots s set encodings = n.encodings
    from (values ${sql.join(values, sql.fragment`, `)}) as n (locale, encodings)
    where s.tenant_id = ${tenantId} and s.locale = n.locale and s.version = ${version}
  `);
  return saved > 0;
}

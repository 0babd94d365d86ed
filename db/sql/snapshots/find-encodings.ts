import * as v from 'valibot';
import { type Db, sql } from '../../postgres/connection.ts';
import { type Locale, localeSchema } from '../../schema/locale.ts';

const encodingsSchema = v.object({ locale: localeSchema, encodings: v.instance(Buffer) });

/** The compressed answers of a tenant's version, in those of the locales that have them. */
export async function findEncodings(
  db: Db,
  tenantId: number,
  version: number,
  locales: readonly Locale[],
): Promise<ReadonlyMap<Locale, Buffer>> {
  const rows = await db.any(sql.prepared('find-encodings', encodingsSchema)`
    select locale, encodings from snapshot_encodings
    where tenant_id = ${tenantId} and version = ${version}
      and locale = any (${sql.array([...locales], 'text')})
  `);
  return new Map(rows.map(({ locale, encodings }) => [locale, encodings]));
}

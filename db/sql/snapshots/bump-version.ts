import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

/**
 * Gives the tenant its next version and keeps its row locked until the transaction ends, so that
 * two rebuilds of one tenant never cross.
 */
export async function bumpVersion(db: Db, tenantId: number): Promise<number> {
  const { version } = await db.one(sql.type(v.object({ version: v.number() }))`
    update tenants set version = version + 1 where id = ${tenantId} returning version
  `);
  return version;
}

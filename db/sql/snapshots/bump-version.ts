import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

/**
 * Gives the tenant its next version and keeps its row locked until the transaction ends, so that
 * two rebuilds of one tenant never cross.
 */
export function bumpVersion(db: Db, tenantId: number): Promise<number> {
  return db.one(sql.value(v.number())`
    update tenants set version = version + 1 where id = ${tenantId} returning version
  `);
}

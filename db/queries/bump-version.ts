import * as v from 'valibot';
import { type Db, sql } from '../connection.ts';

const bumpedSchema = v.object({ version: v.number(), stamp: v.string() });
export type BumpedTenant = v.InferOutput<typeof bumpedSchema>;

/**
 * Gives the tenant its next version and keeps its row locked until the transaction ends, so that
 * two rebuilds of one tenant never cross. The stamp is the transaction's own, as `lockTenant` will
 * return it if this transaction commits.
 */
export function bumpVersion(db: Db, tenantId: number): Promise<BumpedTenant> {
  return db.one(sql.type(bumpedSchema)`
    update tenants set version = version + 1 where id = ${tenantId}
    returning version, xmin::text as stamp
  `);
}

import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

/** How many tokens of the tenant are not revoked. */
export function countActiveTokens(db: Db, tenantId: number): Promise<number> {
  return db.one(sql.value(v.number())`
    select count(*) as count from tokens where tenant_id = ${tenantId} and revoked_at is null
  `);
}

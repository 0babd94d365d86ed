import { type Db, sql } from '../../postgres/sql.ts';
import { soldOutIsOver } from './find-due-tenants.ts';

/** Makes those dishes of a tenant available whose time of being sold out is over; returns how many. */
export function endSoldOut(db: Db, tenantId: number): Promise<number> {
  return db.run(sql.nothing`
    update dishes set sold_out_until = null, updated_at = now()
    where tenant_id = ${tenantId} and ${soldOutIsOver}
  `);
}

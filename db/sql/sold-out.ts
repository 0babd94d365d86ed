import * as v from 'valibot';
import { type Db, sql } from '../postgres/sql.ts';

/** Dishes whose time of being sold out is over; the index of these times needs the second term. */
const soldOutIsOver = sql.fragment`
  sold_out_until <= now() and sold_out_until < 'infinity' and deleted_at is null
`;

/** Up to `limit` tenants above the id `after` that have dishes which are not sold out any more, by id. */
export function findDueTenants(db: Db, after: number, limit: number): Promise<readonly number[]> {
  return db.any(sql.value(v.number())`
    select distinct tenant_id from dishes
    where ${soldOutIsOver} and tenant_id > ${after}
    order by tenant_id limit ${limit}
  `);
}

/** Makes those dishes of a tenant available whose time of being sold out is over; returns how many. */
export function endSoldOut(db: Db, tenantId: number): Promise<number> {
  return db.run(sql.nothing`
    update dishes set sold_out_until = null, updated_at = now()
    where tenant_id = ${tenantId} and ${soldOutIsOver}
  `);
}

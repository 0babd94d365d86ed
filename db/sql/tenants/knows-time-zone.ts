import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

/**
 * Whether Postgres knows a time zone, in whatever case: its list may be older than Node's. It reads
 * the list from files, some 20 ms, unless the tenant has that very zone.
 */
export function knowsTimeZone(db: Db, tenantId: number, name: string): Promise<boolean> {
  return db.one(sql.value(v.boolean())`
    select exists (select from settings where tenant_id = ${tenantId} and timezone = ${name})
      or exists (select from pg_timezone_names where lower(name) = lower(${name})) as known
  `);
}

import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

/**
 * Names the history of versions in the database. Another one may lack the last versions of this one
 * and give their numbers again. A standby that is promoted begins another timeline. A backup that is
 * restored has another database or other tables. Behind a name there may be another server. One that
 * has started anew may have lost what was not on disk, or have got other files. Null while the server
 * writes nothing.
 */
export function findHistory(db: Db): Promise<string | null> {
  return db.one(sql.value(v.nullable(v.string()))`
    select case when not pg_is_in_recovery() then
      concat_ws('/', (select system_identifier from pg_control_system()),
        left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
        extract(epoch from pg_postmaster_start_time()),
        (select oid from pg_database where datname = current_database()),
        'tenants'::regclass::oid)
    end as history
  `);
}

import * as v from 'valibot';
import { type Db, sql } from '../../postgres/sql.ts';

/** Takes the next `count` ids of a table, so that records can refer to each other before they exist. */
export function reserveIds(db: Db, table: string, count: number): Promise<readonly number[]> {
  return db.any(sql.value(v.number())`
    select nextval(pg_get_serial_sequence(${table}, 'id')) as id
    from generate_series(1, ${count}::int)
  `);
}

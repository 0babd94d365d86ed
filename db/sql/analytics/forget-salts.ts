import { type Db, sql } from '../../postgres/connection.ts';
import { saltHorizon } from './salt.ts';

/** Deletes every salt that is to be forgotten (`isForgotten`), and says how many there were. */
export function forgetSalts(db: Db, now: number): Promise<number> {
  const horizon = saltHorizon(now);
  return db.run(sql.typeAlias('nothing')`
    delete from analytics_salts
    where day < ${horizon.day}::date and created_at < ${horizon.createdAt.toISOString()}::timestamptz
  `);
}

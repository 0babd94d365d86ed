import { type Db, sql } from '../../postgres/connection.ts';
import { constants } from '../../runtime/constants.ts';

/**
 * Forgets finished writes, and with them their results and idempotency keys: those that ended in an
 * unexpected error after `faultHours`, all others after `resultHours`. At most `removalBatch` a call;
 * returns how many they were.
 */
export function forgetWrites(db: Db): Promise<number> {
  const { resultHours, faultHours, removalBatch } = constants;
  return db.run(sql.typeAlias('nothing')`
    with old as (
      select tenant_id, id from writes
      where finished_at < now() - make_interval(hours => ${resultHours})
        and (outcome->>'kind' is distinct from 'failed'
          or finished_at < now() - make_interval(hours => ${faultHours}))
      order by finished_at limit ${removalBatch} for update skip locked
    )
    delete from writes w using old where w.tenant_id = old.tenant_id and w.id = old.id
  `);
}

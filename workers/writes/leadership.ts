import type pg from 'pg';
import { advisoryLocks } from '../../db/postgres/advisory-locks.ts';

/** Says which of all workers leads: the one whose session has the lock. */
export interface Leadership {
  /** Takes the lock when it is free; to be sent again and again over one session. */
  beat(client: pg.Client): Promise<void>;
  /** Whether the session of the last `beat` had the lock. */
  hasLock(): boolean;
}

export function createLeadership(): Leadership {
  let holder: pg.Client | undefined;
  return {
    beat: async (client) => {
      // Taken twice, a lock would have to be given back twice.
      if (holder === client) {
        await client.query('select 1');
        return;
      }
      holder = undefined;
      const { rows } = await client.query('select pg_try_advisory_lock($1) as has', [
        advisoryLocks.leader,
      ]);
      if (rows[0]?.has) holder = client;
    },
    hasLock: () => holder !== undefined,
  };
}

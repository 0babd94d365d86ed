import type { PgBoss } from 'pg-boss';
import type { Db } from '../postgres/sql.ts';
import { constants } from '../runtime/constants.ts';
import { groupBy } from '../runtime/group-by.ts';
import { findAbandonedJobs, findJobsAhead, type NamedJob } from '../sql/jobs.ts';

/** Ids of jobs by their queue. */
function byQueue(jobs: readonly NamedJob[]): [name: string, ids: string[]][] {
  const groups = groupBy(jobs, ({ name }) => name);
  return [...groups].map(([name, group]) => [name, group.map(({ id }) => id)]);
}

/**
 * Brings back to the present what pg-boss stamped before Postgres' clock was set back. Until that
 * clock has come there again, jobs that wait would not begin, and no worker would supervise the
 * queues: jobs of killed workers would stay claimed. While the clock runs on, it finds nothing. Old
 * jobs that are done wait for the clock to be deleted.
 */
export async function correctJobTimes(db: Db, boss: PgBoss, goesOn: () => boolean): Promise<void> {
  const limit = constants.jobsPerCorrection;
  let found: number;
  do {
    const ahead = await findJobsAhead(db, limit);
    for (const { name, id, state } of ahead) {
      if (state !== 'active') await boss.update(name, undefined, { id, startAfter: 0 });
    }
    // A worker that is alive goes on to give signs of life; one that is not is found below, in time.
    const active = byQueue(ahead.filter(({ state }) => state === 'active'));
    for (const [name, ids] of active) await boss.touch(name, ids);
    found = ahead.length;
  } while (found >= limit && goesOn());
  const abandoned = byQueue(await findAbandonedJobs(db, limit));
  for (const [name, ids] of abandoned) {
    await boss.fail(name, ids, { value: { message: 'job heartbeat timeout' } });
  }
}

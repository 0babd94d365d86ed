import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { isContention, isOutage } from '../../db/postgres/outage.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { writeJobOf } from '../../db/queue/send-writes.ts';
import { type Constants, constants as defaults } from '../../db/runtime/constants.ts';
import { groupBy } from '../../db/runtime/group-by.ts';
import { rootCause } from '../../db/runtime/operator-error.ts';
import { withTimeout } from '../../db/runtime/running.ts';
import { queues, type WriteJob } from '../../db/schema/queues.ts';
import { findFirstWaiting, findForgottenTenants } from '../../db/sql/waiting-tenants.ts';
import { countFailure } from '../../db/sql/writes.ts';
import { NotServedError, type TenantTurns } from './tenant-turns.ts';

interface JobContext {
  db: Db;
  boss: PgBoss;
  turns: Pick<TenantTurns, 'serve'>;
  log: Logger;
  constants: Constants;
}

/** The error text of pg-boss for a job that was not finished in its time. */
const TIMEOUT = /job timed out|job heartbeat timeout|handler execution exceeded|pg-boss shut down/;

/** Whether a job failed for a reason that says nothing about any write. */
function saysNothing(output: object): boolean {
  return isOutage(output) || ('name' in output && output.name === NotServedError.name);
}

/**
 * Counts the last failure of a job for the first write that waits. While Postgres takes no work, as
 * with a full disk, that write waits as long as that lasts. A timeout or contention may say nothing
 * about it: a worker was killed, or others were in the way.
 */
async function noteFailure(
  { db, log }: JobContext,
  { data, output, retryCount }: JobWithMetadata<WriteJob>,
  writeId: string,
): Promise<void> {
  if (retryCount === 0 || output === null || saysNothing(output)) return;
  const text = JSON.stringify(output);
  const saysLittle = TIMEOUT.test(text) || isContention(output);
  const tenantId = data.tenant_id;
  const failure = saysLittle ? 'timeouts' : 'errors';
  const count = await countFailure(db, tenantId, writeId, failure, text);
  if (count < (saysLittle ? defaults.maxWriteTimeouts : defaults.maxWriteErrors)) return;
  // The whole of it, which may repeat a row, is kept with the write.
  const lastFailure = rootCause(output)?.message;
  log.error({ tenantId, writeId, lastFailure }, 'a write is given up; its result is 500');
}

/**
 * One job of each tenant, that which has failed most often. Beside a job that is tried again, others of
 * its tenant wait; a worker that is killed leaves all of them, and their common failure is one.
 */
function onePerTenant(jobs: readonly JobWithMetadata<WriteJob>[]) {
  const groups = groupBy(jobs, ({ data }) => data.tenant_id);
  const chosen = [...groups.values()].map((group) =>
    group.reduce((most, one) => (one.retryCount > most.retryCount ? one : most)),
  );
  return new Set(chosen);
}

/** Has the writes done for which a job was sent; `writeId`: the first of them. */
async function serve(
  context: JobContext,
  job: JobWithMetadata<WriteJob>,
  writeId: string,
): Promise<JobResult> {
  const { id, data, retryCount } = job;
  try {
    await noteFailure(context, job, writeId);
    const served = context.turns.serve(data.tenant_id, retryCount > 0);
    // A long line is no fault of the write, which the end of the job's time would seem to be.
    await withTimeout(context.constants.writeServeTime, served, () => {
      throw new NotServedError('the tenant waits for its turn');
    });
    return { id, status: 'completed' };
  } catch (error) {
    return { id, status: 'failed', output: error };
  }
}

/**
 * Takes the jobs of writes whose time has come. Nearly always their writes are done by then. Returns
 * the name under which the queue can be asked at once.
 */
export function takeWriteJobs(context: JobContext): Promise<string> {
  const { db, boss, constants } = context;
  const work = {
    includeMetadata: true,
    perJobResults: true,
    batchSize: constants.writeJobsPerStep,
    localConcurrency: constants.writeStepsInParallel,
    heartbeatRefreshSeconds: constants.jobHeartbeatSeconds,
    pollingIntervalSeconds: constants.workerPollSeconds,
  } as const;
  return boss.work(queues.menuWrites, work, async (jobs: JobWithMetadata<WriteJob>[]) => {
    const tenantIds = jobs.map(({ data }) => data.tenant_id);
    const first = await findFirstWaiting(db, tenantIds);
    const chosen = onePerTenant(jobs);
    return Promise.all(
      jobs.map((job): Promise<JobResult> | JobResult => {
        const writeId = first.get(job.data.tenant_id);
        const isNeeded = chosen.has(job) && writeId !== undefined;
        if (!isNeeded) return { id: job.id, status: 'completed' };
        return serve(context, job, writeId);
      }),
    );
  });
}

/**
 * Sends jobs for tenants with writes whose own job is lost: with the queue's tables, or because it was
 * taken in the moment in which the write relied on it.
 */
export async function sendForgottenJobs(
  db: Db,
  boss: PgBoss,
  constants: Pick<Constants, 'forgottenWriteAge' | 'forgottenTenantsPerRound'>,
): Promise<void> {
  const { forgottenWriteAge, forgottenTenantsPerRound } = constants;
  const forgotten = await findForgottenTenants(db, forgottenWriteAge, forgottenTenantsPerRound);
  if (forgotten.length > 0) await boss.insert(queues.menuWrites, forgotten.map(writeJobOf));
}

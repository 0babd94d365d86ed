import type { JobWithMetadata } from 'pg-boss';
import type { Logger } from 'pino';
import { isContention, isOutage } from '../../db/postgres/outage.ts';
import { createDatabaseSession } from '../../db/postgres/session.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { type Constants, constants as defaults } from '../../db/runtime/constants.ts';
import { rootCause } from '../../db/runtime/root-cause.ts';
import { type Running, stopOnce } from '../../db/runtime/running.ts';
import { parseSentWrites, sentWritesChannel } from '../../db/schema/notices.ts';
import { queues, type WriteJob } from '../../db/schema/queues.ts';
import { takeLead } from '../../db/sql/advisory-locks.ts';
import { countFailure, findLateTenants } from '../../db/sql/writes.ts';
import { createClaims } from './claims.ts';
import { type Attempt, type SettleContext, settleWrites } from './settle-writes.ts';
import { createTenantTurns, type TurnResult } from './tenant-turns.ts';
import { createKnownMenus } from './working-menu.ts';

interface WriteContext extends SettleContext {
  db: Db;
  log: Logger;
  constants: Constants;
}

export interface MenuWritesOptions extends Omit<WriteContext, 'menus'> {
  databaseUrl: string;
}

/** The error text of pg-boss for a job that was not finished in its time. */
const TIMEOUT = /job timed out|job heartbeat timeout|handler execution exceeded|pg-boss shut down/;

/**
 * Whether a write is not tried again. While Postgres takes no work, as with a full disk, the write
 * waits as long as that lasts. A timeout or contention may say nothing about the write: a worker was
 * killed, or others were in the way.
 */
async function isLost(db: Db, job: JobWithMetadata<WriteJob>): Promise<boolean> {
  const { id, data, retryCount, output } = job;
  if (retryCount === 0 || isOutage(output)) return false;
  const saysLittle = TIMEOUT.test(JSON.stringify(output)) || isContention(output);
  const count = await countFailure(db, data.tenant_id, id, saysLittle ? 'timeouts' : 'errors');
  return count >= (saysLittle ? defaults.maxWriteTimeouts : defaults.maxWriteErrors);
}

/**
 * Takes jobs from the queue; returns the name under which it can be woken. A job only says that a
 * tenant has writes: `settleWrites` does them and completes their jobs, this one with them.
 */
async function takeJobs(context: WriteContext): Promise<string> {
  const { db, boss, log, constants } = context;
  const work = {
    includeMetadata: true,
    heartbeatRefreshSeconds: constants.jobHeartbeatSeconds,
    pollingIntervalSeconds: constants.workerPollSeconds,
  } as const;
  const workId = await boss.work<WriteJob, void, typeof work>(
    queues.menuWrites,
    work,
    async ([job]) => {
      if (!job) return;
      const attempt: Attempt = {
        writeId: job.id,
        failures: job.retryCount,
        isLost: await isLost(db, job),
        lastFailure: job.output === null ? null : JSON.stringify(job.output),
        signal: job.signal,
      };
      const tenantId = job.data.tenant_id;
      if (attempt.isLost) {
        const { writeId } = attempt;
        // The whole of it, which may repeat a row, is kept with the write.
        const lastFailure = rootCause(job.output)?.message;
        log.error({ tenantId, writeId, lastFailure }, 'a write is given up; its result is 500');
      }
      let result: TurnResult | undefined;
      do {
        const turn = { tenantIds: [tenantId], attempt, isAlone: true };
        result = (await settleWrites(context, turn)).get(tenantId);
      } while (result?.state === 'more');
      // There may be more of other tenants.
      boss.notifyWorker(workId);
    },
  );
  return workId;
}

/**
 * Does the writes of the admin API: for each tenant in the order in which they were sent, for
 * several tenants at the same time. Announced writes are done at once; those whose notice was
 * lost, and those that have failed, when the queue hands out their jobs. `stop` takes no more
 * announced writes and waits for those under way; the queue's end with the queue.
 */
export async function startMenuWrites(options: MenuWritesOptions): Promise<Running> {
  const { databaseUrl, boss, log, constants } = options;
  const context: WriteContext = { ...options, menus: createKnownMenus() };
  const workIds: string[] = [];
  for (let count = 0; count < constants.writeJobsInParallel; count += 1) {
    workIds.push(await takeJobs(context));
  }
  const askQueue = () => {
    for (const workId of workIds) boss.notifyWorker(workId);
  };
  let hasLead = false;
  const leads = () => hasLead && listener.isOpen();
  const turns = createTenantTurns({
    take: (tenantIds, isAlone) => settleWrites(context, { tenantIds, attempt: null, isAlone }),
    claims: createClaims({ leads, now: () => performance.now(), constants }),
    findLate: (tenantIds) => findLateTenants(context.db, tenantIds, constants.lateWriteAge),
    onFailure: askQueue,
    log,
    constants,
  });
  const listener = createDatabaseSession({
    databaseUrl,
    name: 'lavagna listener',
    statementTimeout: constants.readStatementTimeout,
    channels: { [sentWritesChannel]: (payload) => turns.announce(parseSentWrites(payload)) },
    onOpen: () => {
      // After a failover a transaction's number, by which menus are remembered, may be given again.
      context.menus.clear();
      askQueue();
    },
    beat: async (session) => {
      hasLead = await takeLead(session);
    },
    log,
    constants,
  });
  return stopOnce(async () => {
    await listener.stop();
    await turns.stop();
  });
}

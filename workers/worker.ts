import type { Logger } from 'pino';
import { bounds } from '../db/bounds.ts';
import { createDatabase, type Database } from '../db/postgres/connection.ts';
import { startOpsServer } from '../db/process/ops-server.ts';
import type { ProcessConfig } from '../db/process/run-process.ts';
import { type Running, runningUntil } from '../db/process/running.ts';
import { analyzeJobs } from '../db/queries/analyze-jobs.ts';
import { heedClock } from '../db/queries/heed-clock.ts';
import { createBoss } from '../db/queue/boss.ts';
import { startEventWork } from './analytics/event-work.ts';
import { keepAnalytics } from './analytics/housekeeping.ts';
import { createCompressor } from './menu-writes/compressor.ts';
import { keepHouse } from './menu-writes/housekeeping.ts';
import { startMenuWrites } from './menu-writes/start-menu-writes.ts';
import { createMetrics } from './metrics.ts';
import { startRounds } from './rounds.ts';
import { startSnapshotRebuilds } from './snapshot-rebuilds.ts';

/** Whatever waits for a worker does not wait for this. */
function startHousekeeping(db: Database, config: ProcessConfig, log: Logger): Running {
  const rounds = [
    startRounds('the look at the clock', bounds.clockInterval, () => heedClock(db), log),
    startRounds(
      'the housekeeping of menus',
      bounds.housekeepingInterval,
      (goesOn) => keepHouse(db, goesOn),
      log,
    ),
    startRounds(
      'the housekeeping of events',
      bounds.analyticsHousekeepingInterval,
      (goesOn) => keepAnalytics(db, config.analyticsRetentionDays, Date.now(), goesOn),
      log,
    ),
  ];
  return {
    stop: async () => {
      await Promise.all(rounds.map((each) => each.stop()));
    },
  };
}

/** Starts a worker: it takes jobs from the queues when this resolves. */
export async function startWorker(config: ProcessConfig, log: Logger): Promise<Running> {
  const db = await createDatabase(config.databaseUrl, {
    maxConnections: bounds.workerConnections,
    statementTimeout: bounds.workerStatementTimeout,
    connectionTimeout: bounds.workerConnectionTimeout,
  });
  const boss = createBoss(config.databaseUrl, {
    log,
    max: bounds.workerQueueConnections,
    options:
      `-c statement_timeout=${bounds.workerStatementTimeout} ` +
      `-c idle_in_transaction_session_timeout=${bounds.idleTimeout}`,
    query_timeout: bounds.workerStatementTimeout + bounds.answerGrace,
    supervise: true,
    // Jobs of a worker that was killed are found this often.
    superviseIntervalSeconds: bounds.superviseIntervalSeconds,
    monitorIntervalSeconds: bounds.superviseIntervalSeconds,
    maintenanceIntervalSeconds: bounds.queueMaintenanceIntervalSeconds,
    useListenNotify: true,
  });
  await boss.start();
  await analyzeJobs(db);
  await startSnapshotRebuilds(db, boss);
  const compressor = createCompressor(db, log);
  const { databaseUrl } = config;
  const menuWrites = await startMenuWrites({ databaseUrl, db, boss, compressor, log });
  await startEventWork(db, boss, log);
  const housekeeping = startHousekeeping(db, config, log);

  const metrics = createMetrics(db, log);
  let unready: string | null = null;
  const ops = await startOpsServer({ port: config.opsPort, metrics, unready: () => unready });
  return runningUntil(async () => {
    unready = 'stopping';
    const housekept = housekeeping.stop();
    await menuWrites.stop();
    await boss.stop({ graceful: true, timeout: bounds.stopTimeout });
    await compressor.stop();
    await housekept;
    await db.end();
    await ops.stop();
  });
}

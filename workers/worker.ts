import type { Logger } from 'pino';
import { bounds } from '../db/bounds.ts';
import { createDatabase } from '../db/connection.ts';
import { startOpsServer } from '../db/ops-server.ts';
import { createBoss } from '../db/queue/boss.ts';
import type { ProcessConfig } from '../db/run-process.ts';
import { type Running, runningUntil } from '../db/running.ts';
import { startEventWork } from './analytics/event-work.ts';
import { startAnalyticsHousekeeping } from './analytics/housekeeping.ts';
import { createCompressor } from './menu-writes/compressor.ts';
import { startMenuHousekeeping } from './menu-writes/housekeeping.ts';
import { startMenuWrites } from './menu-writes/start-menu-writes.ts';
import { createMetrics } from './metrics.ts';
import { startSnapshotRebuilds } from './snapshot-rebuilds.ts';

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
      `-c idle_in_transaction_session_timeout=${bounds.workerIdleTimeout}`,
    query_timeout: bounds.workerStatementTimeout + bounds.answerGrace,
    supervise: true,
    // Jobs of a worker that was killed are found this often.
    superviseIntervalSeconds: bounds.superviseInterval,
    monitorIntervalSeconds: bounds.superviseInterval,
    maintenanceIntervalSeconds: bounds.queueMaintenanceInterval,
    useListenNotify: true,
  });
  await boss.start();
  await startSnapshotRebuilds(db, boss);
  const menuHousekeeping = startMenuHousekeeping(db, log);
  const compressor = createCompressor(db, log);
  const { databaseUrl } = config;
  const menuWrites = await startMenuWrites({ databaseUrl, boss, compressor, log });
  const { analyticsRetentionDays } = config;
  const eventHousekeeping = await startAnalyticsHousekeeping(db, analyticsRetentionDays, log);
  await startEventWork(db, boss, log);

  const metrics = createMetrics(db);
  let unready: string | null = null;
  const ops = await startOpsServer({ port: config.opsPort, metrics, unready: () => unready });
  return runningUntil(async () => {
    unready = 'stopping';
    await menuWrites.stop();
    await boss.stop({ graceful: true, timeout: bounds.stopTimeout });
    await compressor.stop();
    await menuHousekeeping.stop();
    await eventHousekeeping.stop();
    await db.end();
    await ops.stop();
  });
}

import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { createMail } from '../db/actions/mail.ts';
import { createKnownMenus } from '../db/menu/working-menu.ts';
import { createDatabase, type Database } from '../db/postgres/connection.ts';
import { createDatabaseSession } from '../db/postgres/session.ts';
import { createBoss, type QueueNotices, startHearing, stopWork } from '../db/queue/boss.ts';
import { correctJobTimes } from '../db/queue/queues.ts';
import { sendWaitingWrites } from '../db/queue/restaurant-jobs.ts';
import type { ProcessConfig } from '../db/runtime/config.ts';
import type { Constants } from '../db/runtime/constants.ts';
import { startOpsServer } from '../db/runtime/ops-server.ts';
import { createOriginOf } from '../db/runtime/restaurant-origin.ts';
import { type Running, stopOnce } from '../db/runtime/running.ts';
import { queues } from '../db/schema/queues.ts';
import { analyzeJobs } from '../db/sql/jobs.ts';
import { findWorkerPlace, workerSession } from '../db/sql/server.ts';
import { startEventWork } from './events.ts';
import { createLookShares, type LookShares } from './housekeeping/look-shares.ts';
import { purgeAccess, purgeEvents, purgeMenus, purgePhotos } from './housekeeping/purge.ts';
import { type GoesOn, startRounds } from './housekeeping/rounds.ts';
import { startPurges } from './outgoing/purge-caches.ts';
import { startPictureLooks } from './photos/look-at-pictures.ts';
import { startPhotoWork } from './photos/photo-work.ts';
import { startClock } from './rounds/clock.ts';
import { createScreenWatch } from './rounds/watch-screens.ts';
import { makeMenusCold, startSnapshotRebuilds } from './snapshots.ts';
import { readDueSoon } from './turns/read-menu.ts';
import { startTurns } from './turns/start-turns.ts';
import { startWebhooks } from './webhooks/start-webhooks.ts';

/** Pause between two rounds of a worker's housekeeping of events, in ms. */
const ANALYTICS_HOUSEKEEPING_INTERVAL = 3_600_000;
/** Pause between two supervisions of the queues, which find the jobs of killed workers, in ms. */
const SUPERVISE_INTERVAL = 2_000;
/** Pause between two deletions of old completed jobs, in s. */
const QUEUE_MAINTENANCE_INTERVAL_SECONDS = 60;
/** Pause between two rounds that delete ended sessions and windows of sign-ins, in ms. */
const ACCESS_PURGE_INTERVAL = 60_000;

function startHousekeeping(
  db: Database,
  boss: PgBoss,
  shares: LookShares,
  config: ProcessConfig,
  log: Logger,
  constants: Constants,
): Running {
  const firstAfter = constants.firstRoundAfter;
  const start = (what: string, interval: number, round: (goesOn: GoesOn) => Promise<void>) =>
    startRounds({ what, interval, firstAfter, round, log });
  const rounds = [
    startRounds({
      ...{ what: 'the supervision of the queues', interval: SUPERVISE_INTERVAL },
      ...{ firstAfter: 0, round: () => boss.supervise(), shares, log },
    }),
    startRounds({
      ...{ what: 'the check of the clock', interval: constants.clockCheckInterval, firstAfter },
      ...{ round: (goesOn) => correctJobTimes(db, boss, goesOn), shares, log },
    }),
    start('the housekeeping of menus', constants.housekeepingInterval, (goesOn) =>
      purgeMenus(db, config.historyDays, goesOn),
    ),
    start('the rest of menus', constants.coldAfter, (goesOn) =>
      makeMenusCold(db, goesOn, constants),
    ),
    start('the housekeeping of photos', constants.housekeepingInterval, (goesOn) =>
      purgePhotos(db, boss, goesOn, constants),
    ),
    start('the housekeeping of sign-ins', ACCESS_PURGE_INTERVAL, (goesOn) =>
      purgeAccess(db, goesOn),
    ),
    start('the housekeeping of events', ANALYTICS_HOUSEKEEPING_INTERVAL, (goesOn) =>
      purgeEvents(db, config.analyticsRetentionDays, Date.now(), goesOn),
    ),
  ];
  return stopOnce(async () => {
    await Promise.all(rounds.map((each) => each.stop()));
  });
}

interface RestaurantsOptions extends Omit<Parameters<typeof startTurns>[0], 'menus'> {
  db: Database;
  notices: QueueNotices;
}

/** Starts the turns of restaurants, and the session over which the worker hears of jobs. */
function startRestaurants(
  { db, notices, ...shared }: RestaurantsOptions,
  databaseUrl: string,
): Running {
  const { shares, log, constants } = shared;
  const menus = createKnownMenus();
  const turns = startTurns({ ...shared, menus });
  const ahead = startRounds({
    ...{ what: 'the reading ahead of menus', interval: constants.dueSoonInterval },
    firstAfter: constants.dueSoonInterval,
    round: (goesOn) => readDueSoon(db, menus, goesOn, constants),
    log,
  });
  const hearing = Object.entries(notices.channels).map(([channel, hear]) => {
    const onNotice = (queue: string) => {
      hear(queue);
      if (queue === queues.menuWrites) turns.onNotice();
    };
    return [channel, onNotice] as const;
  });
  const listener = createDatabaseSession({
    ...{ databaseUrl, name: workerSession, statementTimeout: constants.readStatementTimeout },
    channels: Object.fromEntries(hearing),
    beat: async (session) => shares.note(await findWorkerPlace(session)),
    onOpen: () => {
      // After a failover a transaction's number, by which menus are remembered, may be given again.
      menus.clear();
      notices.wake();
      turns.wake();
    },
    log,
    constants,
  });
  return stopOnce(async () => {
    await Promise.all([ahead.stop(), turns.stop(), listener.stop()]);
  });
}

/**
 * Starts a worker: it takes jobs from the queues when this resolves.
 *
 * @param beforeReady done before it says that it is ready
 */
export async function startWorker(
  config: ProcessConfig,
  log: Logger,
  constants: Constants,
  beforeReady = async (): Promise<void> => undefined,
): Promise<Running> {
  const db = await createDatabase(config.databaseUrl, {
    maxConnections: constants.workerConnections,
    statementTimeout: constants.workerStatementTimeout,
    connectionTimeout: constants.workerConnectionTimeout,
    hasNoSession: config.databaseUrl !== config.databaseSessionUrl,
  });
  const boss = createBoss(config.databaseSessionUrl, {
    log,
    max: constants.workerQueueConnections,
    options:
      `-c statement_timeout=${constants.workerStatementTimeout} ` +
      `-c idle_in_transaction_session_timeout=${constants.idleTimeout}`,
    query_timeout: constants.workerStatementTimeout + constants.answerGrace,
    // At each of our supervisions: they find the jobs of workers that were killed.
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: QUEUE_MAINTENANCE_INTERVAL_SECONDS,
    useListenNotify: true,
    // The metrics tell of jobs that wait. pg-boss would log it again in every second.
    warningQueueSize: Number.MAX_SAFE_INTEGER,
  });
  const notices = await startHearing(boss);
  await analyzeJobs(db);
  await startSnapshotRebuilds(db, boss);
  const shares = createLookShares(Date.now);
  const shared = { db, boss, shares, log, constants };
  await sendWaitingWrites(db, boss);
  const mail = createMail(config, log);
  const originOf = createOriginOf(config);
  const { purgeUrl: url, purgeHeader: header, webhooksPrivate: isPrivateAllowed } = config;
  const webhooks = startWebhooks({ ...shared, mail, originOf, isPrivateAllowed });
  const heard = { ...shared, notices, onVersions: webhooks.tellSoon };
  const restaurants = startRestaurants(heard, config.databaseSessionUrl);
  await startEventWork(db, boss, log);
  const photoWork = await startPhotoWork(db, boss, config.photosMb, log, constants);
  const clock = startClock(shared);
  const pictureLooks = config.looksAtPictures
    ? startPictureLooks(db, shares, log, { isPrivateAllowed, constants })
    : null;
  const purges = url === undefined ? null : await startPurges({ ...shared, url, header });
  const screenWatch = startRounds({
    ...{ what: 'the watch of screens', interval: constants.screenWatchInterval, firstAfter: 0 },
    round: createScreenWatch({ db, mail, originOf, now: Date.now }),
    log,
  });
  const housekeeping = startHousekeeping(db, boss, shares, config, log, constants);

  const metrics = async () => (await import('./metrics.ts')).createWorkerMetrics(shared);
  await beforeReady();
  let unready: string | null = null;
  const ops = await startOpsServer({ port: config.opsPort, metrics, unready: () => unready });
  return stopOnce(async () => {
    unready = 'stopping';
    const housekept = Promise.all([
      housekeeping.stop(),
      webhooks.stop(),
      screenWatch.stop(),
      pictureLooks?.stop(),
      purges?.stop(),
    ]);
    await Promise.all([clock.stop(), restaurants.stop()]);
    await stopWork(boss, constants);
    await photoWork.stop();
    await mail?.stop();
    await housekept;
    await db.end();
    await ops.stop();
  });
}

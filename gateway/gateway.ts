import type { Logger } from 'pino';
import { bounds } from '../db/bounds.ts';
import { createDatabase } from '../db/connection.ts';
import { createListener, type Listener } from '../db/listener.ts';
import {
  parseVersionNotice,
  parseWriteNotice,
  versionsChannel,
  writesChannel,
} from '../db/notices.ts';
import { startOpsServer } from '../db/ops-server.ts';
import { createBoss } from '../db/queue/boss.ts';
import type { ProcessConfig } from '../db/run-process.ts';
import { type Running, runningUntil } from '../db/running.ts';
import { type Admin, createAdmin } from './admin/admin.ts';
import { createAuthenticator } from './admin/authenticate.ts';
import { createAnalytics } from './analytics/analytics.ts';
import { createApiRoutes } from './api-routes.ts';
import { createDisplayRoutes } from './display/display.ts';
import { createDispatch } from './http/dispatch.ts';
import { startServer } from './http/server.ts';
import { createCountedLimits } from './limits/counted-limits.ts';
import { createLimitHeads } from './limits/limit-heads.ts';
import { createMetrics } from './metrics.ts';
import { createPanelRoutes } from './panel/panel.ts';
import { createDerivedAnswers } from './snapshots/derived-answers.ts';
import { createSnapshotStore, type SnapshotStore } from './snapshots/store.ts';

const BYTES_PER_MB = 1024 * 1024;

/** What a gateway keeps open towards Postgres, and the snapshots that it holds of it. */
async function openState(config: ProcessConfig, log: Logger) {
  const db = await createDatabase(config.databaseUrl, {
    maxConnections: bounds.gatewayConnections,
    statementTimeout: bounds.readStatementTimeout,
    connectionTimeout: bounds.readConnectionTimeout,
  });
  const boss = createBoss(config.databaseUrl, {
    log,
    max: bounds.gatewayQueueConnections,
    connectionTimeoutMillis: bounds.readConnectionTimeout,
    options: `-c statement_timeout=${bounds.sendStatementTimeout}`,
  });
  await boss.start();
  const maxBytes = config.snapshotCacheMb * BYTES_PER_MB;
  const derivedBytes = Math.floor(maxBytes * bounds.derivedCacheShare);
  const store = createSnapshotStore({ db, log, maxBytes: maxBytes - derivedBytes });
  return { db, boss, store, answers: createDerivedAnswers(derivedBytes) };
}

function listen(
  config: ProcessConfig,
  log: Logger,
  store: SnapshotStore,
  admin: Admin,
  onListening: () => void,
): Listener {
  return createListener({
    databaseUrl: config.databaseUrl,
    channels: {
      [versionsChannel]: (payload) => store.onVersion(parseVersionNotice(payload)),
      [writesChannel]: (payload) => admin.onWrites(parseWriteNotice(payload)),
    },
    onListening: () => {
      onListening();
      store.reconcile();
      admin.reconcile();
    },
    log,
  });
}

/** Starts a gateway: it answers HTTP on `config.port` when this resolves. */
export async function startGateway(config: ProcessConfig, log: Logger): Promise<Running> {
  const { databaseUrl, opsPort, domain } = config;
  const { db, boss, store, answers } = await openState(config, log);
  const { limitPublic, limitAdmin, limitAnalytics } = config;
  const limits = { public: limitPublic, admin: limitAdmin, analytics: limitAnalytics };
  const now = () => performance.now();
  const counted = await createCountedLimits({ databaseUrl, limits, now, log });
  const authenticator = createAuthenticator(db, log);
  const admin = createAdmin({ db, boss, store, authenticator, log });
  const analytics = createAnalytics({ db, boss, authenticator });

  let unready: string | null = 'not yet listening for changes';
  const listener = listen(config, log, store, admin, () => {
    unready = null;
  });
  const handle = createDispatch({
    domain,
    routes: createApiRoutes({ answers, admin, analytics }),
    pages: [
      ...createDisplayRoutes(),
      ...createPanelRoutes({ db, domain, log, now: () => new Date() }),
    ],
    store,
    limits: counted,
    limitHeads: createLimitHeads(limits, Date.now),
    log,
  });
  const server = await startServer({ ...config, handle });
  const metrics = createMetrics(store, answers, counted, analytics.pendingEvents);
  const ops = await startOpsServer({ port: opsPort, metrics, unready: () => unready });

  return runningUntil(async () => {
    unready = 'stopping';
    await server.stop();
    await counted.stop();
    await listener.stop();
    store.stop();
    admin.stop();
    await analytics.stop();
    await authenticator.stop();
    await boss.stop({ graceful: false });
    await db.end();
    await ops.stop();
  });
}

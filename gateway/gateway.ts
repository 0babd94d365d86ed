import type { Logger } from 'pino';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { bounds } from '../db/bounds.ts';
import { createDatabase, type Database } from '../db/connection.ts';
import { createListener } from '../db/listener.ts';
import {
  parseVersionNotice,
  parseWriteNotice,
  versionsChannel,
  writesChannel,
} from '../db/notices.ts';
import { startOpsServer } from '../db/ops-server.ts';
import { createBoss } from '../db/queue/boss.ts';
import type { ProcessConfig, Running } from '../db/run-process.ts';
import { createAdmin } from './admin/admin.ts';
import { createAuthenticator } from './admin/authenticate.ts';
import { createDisplayRoutes } from './display/display.ts';
import { createDispatch } from './http/dispatch.ts';
import type { PageRoute, Route } from './http/route.ts';
import { startServer } from './http/server.ts';
import { type CountedLimits, createCountedLimits } from './limits/counted-limits.ts';
import { createLimitHeads } from './limits/limit-heads.ts';
import type { Limiter } from './limits/limits.ts';
import { createPanelRoutes } from './panel/panel.ts';
import { createAllergensRoute } from './public/allergens.ts';
import { createByIdRoutes } from './public/by-id.ts';
import { categoriesRoute, menuRoute, restaurantRoute, themeRoute } from './public/finished.ts';
import { createItemsRoute } from './public/items.ts';
import { createDerivedAnswers, type DerivedAnswers } from './snapshots/derived-answers.ts';
import { createSnapshotStore, type SnapshotStore } from './snapshots/store.ts';

const BYTES_PER_MB = 1024 * 1024;

function createMetrics(
  store: SnapshotStore,
  answers: DerivedAnswers,
  counted: CountedLimits,
): Registry {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [metrics],
      collect() {
        this.set(read());
      },
    });
  gauge('lavagna_snapshot_cache_bytes', 'Memory that snapshots take.', () => store.stats().bytes);
  gauge('lavagna_snapshots', 'Snapshots in memory.', () => store.stats().snapshots);
  gauge('lavagna_derived_cache_bytes', 'Memory of answers joined on demand.', answers.bytes);
  const { stats } = counted;
  gauge('lavagna_limit_windows', 'Limit windows in memory.', () => stats().windows);
  gauge('lavagna_limit_windows_evicted', 'Windows that gave way early.', () => stats().evicted);
  gauge('lavagna_limit_statements', 'Statements that counted requests.', () => stats().statements);
  gauge('lavagna_limit_alone', '1 while limits are decided without Postgres.', () =>
    Number(stats().alone),
  );
  return metrics;
}

function createPublicRoutes(answers: DerivedAnswers): Route[] {
  return [
    menuRoute,
    restaurantRoute,
    themeRoute,
    categoriesRoute,
    ...createByIdRoutes(answers),
    createItemsRoute(answers),
    createAllergensRoute(answers),
  ];
}

function openDatabase(config: ProcessConfig): Promise<Database> {
  return createDatabase(config.databaseUrl, {
    maxConnections: bounds.gatewayConnections,
    statementTimeout: bounds.readStatementTimeout,
    connectionTimeout: bounds.readConnectionTimeout,
  });
}

/** Requests a minute. */
function limitsOf(config: ProcessConfig): Record<Limiter, number> {
  return {
    public: config.limitPublic,
    admin: config.limitAdmin,
    analytics: config.limitAnalytics,
  };
}

function createPageRoutes(db: Database, domain: string, log: Logger): PageRoute[] {
  const panel = createPanelRoutes({ db, domain, log, now: () => new Date() });
  return [...createDisplayRoutes(), ...panel];
}

/** Starts a gateway: it answers HTTP on `config.port` when this resolves. */
export async function startGateway(config: ProcessConfig, log: Logger): Promise<Running> {
  const db = await openDatabase(config);
  const maxBytes = config.snapshotCacheMb * BYTES_PER_MB;
  const derivedBytes = Math.floor(maxBytes * bounds.derivedCacheShare);
  const store = createSnapshotStore({ db, log, maxBytes: maxBytes - derivedBytes });
  const answers = createDerivedAnswers(derivedBytes);
  const limits = limitsOf(config);

  const counted = await createCountedLimits({
    databaseUrl: config.databaseUrl,
    limits,
    now: () => performance.now(),
    log,
  });
  const boss = createBoss(config.databaseUrl, {
    log,
    max: bounds.gatewayQueueConnections,
    connectionTimeoutMillis: bounds.readConnectionTimeout,
  });
  await boss.start();
  const authenticator = createAuthenticator(db, log);
  const admin = createAdmin({ db, boss, store, authenticator, log });

  let unready: string | null = 'not yet listening for changes';
  const listener = createListener({
    databaseUrl: config.databaseUrl,
    channels: {
      [versionsChannel]: (payload) => store.onVersion(parseVersionNotice(payload)),
      [writesChannel]: (payload) => admin.onWrites(parseWriteNotice(payload)),
    },
    onListening: () => {
      unready = null;
      store.reconcile();
      admin.reconcile();
    },
    log,
  });
  const server = await startServer({
    ...config,
    handle: createDispatch({
      domain: config.domain,
      routes: [...createPublicRoutes(answers), ...admin.routes],
      pages: createPageRoutes(db, config.domain, log),
      store,
      limits: counted,
      limitHeads: createLimitHeads(limits, Date.now),
      log,
    }),
  });
  const ops = await startOpsServer({
    port: config.opsPort,
    metrics: createMetrics(store, answers, counted),
    unready: () => unready,
  });

  const stop = async () => {
    unready = 'stopping';
    await server.stop();
    await counted.stop();
    await listener.stop();
    store.stop();
    admin.stop();
    await authenticator.stop();
    await boss.stop({ graceful: false });
    await db.end();
    await ops.stop();
  };
  let stopped: Promise<void> | undefined;
  return {
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

import type { Logger } from 'pino';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { bounds } from '../db/bounds.ts';
import { createDatabase } from '../db/connection.ts';
import { createListener } from '../db/listener.ts';
import { parseVersionNotice, versionsChannel } from '../db/notices.ts';
import { startOpsServer } from '../db/ops-server.ts';
import type { ProcessConfig, Running } from '../db/run-process.ts';
import { createDisplayRoutes } from './display/display.ts';
import { createDispatch } from './http/dispatch.ts';
import { startServer } from './http/server.ts';
import { createLimitHeads } from './limits/limit-heads.ts';
import { createUncountedLimits } from './limits/limits.ts';
import { createPanelRoutes } from './panel/panel.ts';
import { createAllergensRoute } from './public/allergens.ts';
import { createByIdRoutes } from './public/by-id.ts';
import { categoriesRoute, menuRoute, restaurantRoute, themeRoute } from './public/finished.ts';
import { createItemsRoute } from './public/items.ts';
import { createDerivedAnswers, type DerivedAnswers } from './snapshots/derived-answers.ts';
import { createSnapshotStore, type SnapshotStore } from './snapshots/store.ts';

const BYTES_PER_MB = 1024 * 1024;

function createMetrics(store: SnapshotStore, answers: DerivedAnswers): Registry {
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
  return metrics;
}

/** Starts a gateway: it answers HTTP on `config.port` when this resolves. */
export async function startGateway(config: ProcessConfig, log: Logger): Promise<Running> {
  const db = await createDatabase(config.databaseUrl, {
    maxConnections: bounds.gatewayConnections,
    statementTimeout: bounds.readStatementTimeout,
    connectionTimeout: bounds.readConnectionTimeout,
  });
  const maxBytes = config.snapshotCacheMb * BYTES_PER_MB;
  const derivedBytes = Math.floor(maxBytes * bounds.derivedCacheShare);
  const store = createSnapshotStore({ db, log, maxBytes: maxBytes - derivedBytes });
  const answers = createDerivedAnswers(derivedBytes);
  const limits = {
    public: config.limitPublic,
    admin: config.limitAdmin,
    analytics: config.limitAnalytics,
  };

  let unready: string | null = 'not yet listening for changes';
  const listener = createListener({
    databaseUrl: config.databaseUrl,
    channels: { [versionsChannel]: (payload) => store.onVersion(parseVersionNotice(payload)) },
    onListening: () => {
      unready = null;
      store.reconcile();
    },
    log,
  });
  const server = await startServer({
    port: config.port,
    handle: createDispatch({
      domain: config.domain,
      routes: [
        menuRoute,
        restaurantRoute,
        themeRoute,
        categoriesRoute,
        ...createByIdRoutes(answers),
        createItemsRoute(answers),
        createAllergensRoute(answers),
      ],
      pages: [
        ...createDisplayRoutes(),
        ...createPanelRoutes({ db, domain: config.domain, log, now: () => new Date() }),
      ],
      store,
      limits: createUncountedLimits(limits),
      limitHeads: createLimitHeads(limits),
      log,
    }),
  });
  const ops = await startOpsServer({
    port: config.opsPort,
    metrics: createMetrics(store, answers),
    unready: () => unready,
  });

  const stop = async () => {
    unready = 'stopping';
    await server.stop();
    await listener.stop();
    store.stop();
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

import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createMail } from '../db/actions/mail.ts';
import { createDatabase } from '../db/postgres/connection.ts';
import {
  createDatabaseSession,
  type DatabaseSession,
  type SessionOptions,
} from '../db/postgres/session.ts';
import { createBoss } from '../db/queue/boss.ts';
import type { ProcessConfig } from '../db/runtime/config.ts';
import type { Constants } from '../db/runtime/constants.ts';
import { collectOfLoader } from '../db/runtime/garbage.ts';
import { memoizeAsync } from '../db/runtime/memoize.ts';
import { startOpsServer } from '../db/runtime/ops-server.ts';
import { createOriginOf } from '../db/runtime/restaurant-origin.ts';
import { type RunningProcess, stopOnce, withTimeout } from '../db/runtime/running.ts';
import {
  freedSlugsChannel,
  hostsChannel,
  parseFreedSlug,
  parseHostNotice,
  parseScreenNotice,
  parseVersionNotice,
  parseWriteNotice,
  screensChannel,
  versionsChannel,
  writesChannel,
} from '../db/schema/notices.ts';
import { createIntake } from './analytics/intake.ts';
import { createBundles } from './bundle/bundles.ts';
import { createDisplayRoutes } from './display/display.ts';
import { createScreens, type Screens } from './display/screens.ts';
import { createHostCheck, createHosts, createTextReader, type Hosts } from './hosts/hosts.ts';
import { createCdnCaching } from './http/cdn-caching.ts';
import { watchCertificate } from './http/certificate-watch.ts';
import { createDerivedAnswers } from './http/derived-answers.ts';
import type { Handler } from './http/exchange.ts';
import { API_PREFIX } from './http/path.ts';
import { tenantSlug } from './http/request-origin.ts';
import { type ServerOptions, startServer } from './http/server.ts';
import { createCountedLimits } from './limits/counted-limits.ts';
import { createRateLimitHeaders } from './limits/rate-limit-headers.ts';
import { createLinkPreviews } from './media/link-previews.ts';
import { createMediaCache } from './media/media.ts';
import type { PanelOptions } from './panel/entry/panel.ts';
import type { ArrivalOptions } from './pipeline/arrivals.ts';
import { createAuthenticator } from './pipeline/authenticate.ts';
import { createPipeline } from './pipeline/pipeline.ts';
import { ADMIN_PREFIX, maxBodyBytes, neededHeaders } from './pipeline/route.ts';
import { createTraffic } from './pipeline/traffic.ts';
import { guestRoutes } from './routes/guests.ts';
import { loadFileByFile } from './runtime/load-modules.ts';
import { createMediaOrigin } from './snapshots/addressed.ts';
import { createPrimarySource, createReplicaSource } from './snapshots/source.ts';
import { createSnapshotStore, type SnapshotStore } from './snapshots/store.ts';
import { createLiveMenus, type LiveMenus } from './stream/live-menus.ts';
import { defaultMaxStreams } from './stream/streams.ts';
import { createWrites, type Writes } from './writes/writes.ts';

/**
 * MiB of SNAPSHOT_CACHE_MB for the work itself: young objects, garbage, buffers of connections. A
 * small cache keeps half of its own.
 */
const WORKING_MB = 48;
/** Share of the rest for answers joined on demand; snapshots have what is left. */
const DERIVED_CACHE_SHARE = 1 / 8;

const BYTES_PER_MB = 1024 * 1024;

async function openReplica({ databaseReplicaUrl }: ProcessConfig, constants: Constants) {
  if (databaseReplicaUrl === undefined) return undefined;
  return createDatabase(databaseReplicaUrl, {
    maxConnections: constants.gatewayReplicaConnections,
    statementTimeout: constants.replicaTimeout,
    connectionTimeout: constants.replicaTimeout,
    timeout: constants.replicaTimeout,
    maxStatements: constants.maxStatements,
    mayBeAway: true,
  });
}

/** A gateway's connections to Postgres, and the snapshots that it holds. */
async function openState(config: ProcessConfig, log: Logger, constants: Constants) {
  const open = (maxConnections: number) =>
    createDatabase(config.databaseUrl, {
      maxConnections,
      statementTimeout: constants.readStatementTimeout,
      connectionTimeout: constants.readConnectionTimeout,
      timeout: constants.readTimeout,
      maxStatements: constants.maxStatements,
      hasNoSession: config.databaseUrl !== config.databaseSessionUrl,
    });
  const db = await open(constants.gatewayConnections);
  // Reports are slow, and pages of the panel are not rate-limited: each have a small pool of their own.
  const reportDb = await open(constants.gatewayReportConnections);
  const panelDb = await open(constants.gatewayPanelConnections);
  const boss = createBoss(config.databaseSessionUrl, {
    log,
    max: constants.gatewayQueueConnections,
    connectionTimeoutMillis: constants.readConnectionTimeout,
    options:
      `-c statement_timeout=${constants.sendStatementTimeout} ` +
      `-c idle_in_transaction_session_timeout=${constants.sendStatementTimeout}`,
    query_timeout: constants.sendStatementTimeout + constants.answerGrace,
  });
  await boss.start();
  const { snapshotCacheMb: cacheMb } = config;
  const maxBytes = (cacheMb - Math.min(WORKING_MB, cacheMb / 2)) * BYTES_PER_MB;
  const derivedBytes = Math.floor(maxBytes * DERIVED_CACHE_SHARE);
  const storeBytes = maxBytes - derivedBytes;
  const replica = await openReplica(config, constants);
  const source = replica
    ? createReplicaSource(db, replica, log, constants)
    : createPrimarySource(db, constants);
  const originOf = createOriginOf(config);
  const mediaOrigin = createMediaOrigin(originOf);
  const readTexts = createTextReader(config.dnsServers);
  const store = createSnapshotStore({
    ...{ db, source, mediaOrigin, log, maxBytes: storeBytes, constants },
    cachingOf: createCdnCaching(config.publicCacheSeconds),
  });
  const answers = createDerivedAnswers(derivedBytes);
  const media = createMediaCache(db, config.mediaCacheMb * BYTES_PER_MB);
  const mail = createMail(config, log);
  const hosts = createHosts(db, constants);
  const linkPreviews = createLinkPreviews(db, boss, constants);
  // It reads whole menus, as reports do.
  const bundles = createBundles({ db: reportDb, originOf, now: Date.now });
  const shown = {
    ...{ store, storeBytes, answers, media, mediaOrigin, linkPreviews },
    ...{ originOf, hosts, readTexts, bundles },
  };
  return { db, reportDb, panelDb, replica, boss, mail, ...shown };
}

type State = Awaited<ReturnType<typeof openState>>;

/** The paths of owners and their programs, whose routes are loaded after the start. */
const OWNER_AREAS = ['/admin', ADMIN_PREFIX, '/mcp', '/docs', `${API_PREFIX}/openapi.json`];

/** The endpoints and pages of guests, and of owners. */
function createRoutes(
  { domain, photosMb }: ProcessConfig,
  { db, panelDb, reportDb, mail, store, answers, media, mediaOrigin, ...state }: State,
  {
    liveMenus,
    screens,
    ...used
  }: Pick<PanelOptions, 'writes' | 'log' | 'constants'> & {
    liveMenus: LiveMenus;
    screens: Screens;
  },
) {
  const { originOf, readTexts, linkPreviews, bundles } = state;
  const shared = { store, mediaOrigin, originOf, now: Date.now };
  const panel = {
    ...{ db: panelDb, reportDb, mail, photosMb, readTexts, domain, bundles },
    ...{ ...shared, ...used },
  };
  const display = createDisplayRoutes({
    ...{ db, answers, media, linkPreviews, liveMenus, screens },
    ...shared,
  });
  const load = async () => {
    const owners = new URL('./owners.ts', import.meta.url);
    // Compiled code lies in few files.
    const isSource = import.meta.filename.endsWith('.ts');
    if (isSource) await loadFileByFile(owners, new URL(import.meta.url));
    const { createOwnerRoutes } = await import('./owners.ts');
    collectOfLoader();
    return createOwnerRoutes(panel);
  };
  return {
    routes: [...guestRoutes, ...display],
    deferred: { areas: OWNER_AREAS, load },
  };
}

async function closeState(
  { boss, mail, replica, reportDb, panelDb, db }: State,
  { readTimeout }: Constants,
): Promise<void> {
  await mail?.stop();
  // It waits until its connections are closed, which never ends when Postgres does not answer.
  await withTimeout(readTimeout, boss.stop({ graceful: false }), () => undefined);
  await Promise.all([replica?.end(), reportDb.end(), panelDb.end(), db.end()]);
}

interface ListenOptions extends Pick<SessionOptions, 'databaseUrl' | 'log'> {
  store: SnapshotStore;
  liveMenus: LiveMenus;
  writes: Writes;
  screens: Screens;
  hosts: Hosts;
  /** Called each time that listening begins. */
  onListening: () => void;
  constants: Constants;
}

function listen({
  store,
  liveMenus,
  writes,
  screens,
  hosts,
  onListening,
  ...options
}: ListenOptions): DatabaseSession {
  return createDatabaseSession({
    ...options,
    name: 'lavagna listener',
    statementTimeout: options.constants.readStatementTimeout,
    channels: {
      [versionsChannel]: (payload) => {
        const notice = parseVersionNotice(payload);
        store.onVersion(notice);
        liveMenus.onVersion(notice);
      },
      // It is rare, and a comparison finds what this gateway holds of it.
      [freedSlugsChannel]: (payload) => {
        store.reconcile();
        const slug = parseFreedSlug(payload);
        hosts.onHost({ name: slug, slug });
        liveMenus.onFreedSlug(slug);
      },
      [hostsChannel]: (payload) => {
        const notice = parseHostNotice(payload);
        hosts.onHost(notice);
        if (notice.slug !== null) store.forget(notice.slug);
      },
      [screensChannel]: (payload) => {
        const notice = parseScreenNotice(payload);
        screens.onScreen(notice);
        liveMenus.onScreen(notice);
      },
      [writesChannel]: (payload) => writes.onWrites(parseWriteNotice(payload)),
    },
    onOpen: () => {
      onListening();
      store.reconcile();
      screens.reconcile();
      hosts.reconcile();
      liveMenus.reconcile();
      writes.reconcile();
    },
  });
}

/** The API of the operator, which is loaded when it is first asked. */
function openPlatform(
  { platformToken: token, domain, limitPlatform: limit }: ProcessConfig,
  { panelDb: db, originOf, hosts, store }: State,
  log: Logger,
): Handler {
  const isServed = createHostCheck({ hosts, store, domain });
  const shared = { db, originOf, domain, isServed, now: Date.now };
  const load = memoizeAsync(async () => {
    const { createPlatform } = await import('./platform/platform.ts');
    return createPlatform({ token, limit, ...shared, log });
  });
  return async (request) => (await load())(request);
}

function arrivalsOf(config: ProcessConfig, state: State, log: Logger): ArrivalOptions {
  const { domain } = config;
  const { hosts, originOf } = state;
  const platform = openPlatform(config, state, log);
  return { tenantSlug: (host) => tenantSlug(host, domain), hosts, originOf, domain, platform };
}

/** Loads what owners use before one of them waits for it. */
async function loadOwners({ prepareAll }: ReturnType<typeof createPipeline>, log: Logger) {
  await prepareAll().catch((error) => {
    log.warn({ err: error }, 'could not load what owners use; their next request will try again');
  });
}

/** Begins to answer requests. */
function openPort(
  config: ProcessConfig,
  pipeline: ReturnType<typeof createPipeline>,
  others: Pick<ServerOptions, 'onRefused' | 'drain'>,
  constants: Constants,
) {
  return startServer({
    ...config,
    ...pipeline,
    ...others,
    constants,
    neededHeaders,
    maxBodyBytes,
  });
}

/**
 * Starts a gateway: it answers HTTP on `config.port` when this resolves.
 *
 * @param beforeReady done before it answers the first request
 */
export async function startGateway(
  config: ProcessConfig,
  log: Logger,
  constants: Constants,
  beforeReady = async (): Promise<void> => undefined,
): Promise<RunningProcess> {
  const { databaseSessionUrl: databaseUrl, opsPort } = config;
  const state = await openState(config, log, constants);
  const { db, reportDb, boss, mail, store, storeBytes, answers, mediaOrigin, bundles } = state;
  const { limitPublic, limitAdmin, limitAnalytics, eventsPerDay } = config;
  const limits = { public: limitPublic, admin: limitAdmin, analytics: limitAnalytics };
  const now = () => performance.now();
  const counted = await createCountedLimits({ databaseUrl, limits, now, log, constants });
  const authenticator = createAuthenticator(db, log, constants);
  // Streams name the timeline of the database from their first event on.
  await store.confirm();
  const maxStreams = config.streamsMax ?? defaultMaxStreams();
  const liveMenus = createLiveMenus({ db, store, maxStreams, now, log, constants });
  const writes = createWrites({ db, boss, store, mediaOrigin, log, constants });
  const events = createIntake({ boss, db, eventsPerDay, now: Date.now, constants });

  let unready: string | null = 'not yet listening for changes';
  const onListening = () => {
    // A gateway never becomes ready again after it began to stop.
    if (unready !== 'stopping') unready = null;
  };
  const screens = createScreens(db, log, Date.now, constants);
  const listener = listen({
    ...{ databaseUrl, log, constants, ...state, liveMenus, writes, screens, onListening },
  });
  const traffic = createTraffic(now);
  const pipeline = createPipeline({
    ...arrivalsOf(config, state, log),
    ...createRoutes(config, state, { liveMenus, screens, writes, log, constants }),
    services: {
      ...{ db, reportDb, answers, liveMenus, writes, events, mail, mediaOrigin, now: Date.now },
      ...{ originOf: state.originOf, readTexts: state.readTexts, domain: config.domain, bundles },
    },
    rateLimitHeaders: createRateLimitHeaders(limits, Date.now, config.publicCacheSeconds > 0),
    ...{ store, limits: counted, authenticator, traffic, now, log, constants },
  });
  const onRefused: ServerOptions['onRefused'] = (reply, method) => {
    traffic.note(reply, method, now());
  };
  await beforeReady();
  const server = await openPort(config, pipeline, { onRefused, drain: liveMenus.drain }, constants);
  const watched = config.tls && { files: config.tls, ...server, log };
  const certificate = watched && (await watchCertificate(watched));
  const sources = {
    ...{ traffic, store, storeBytes, answers, limits: counted, liveMenus, maxStreams },
    ...{ events: events.stats, certificate },
    isListening: listener.isOpen,
  };
  const metrics = async () => (await import('./metrics.ts')).createGatewayMetrics(sources);
  const ops = await startOpsServer({ port: opsPort, metrics, unready: () => unready });
  const loadSoon = setTimeout(() => void loadOwners(pipeline, log), constants.ownersLoadedAfter);

  const retire = async () => {
    const isFirst = unready !== 'stopping';
    unready = 'stopping';
    // A load balancer sends new connections until it has seen that this gateway is unready.
    if (isFirst && config.drainSeconds > 0) {
      log.info(`unready; takes connections for ${config.drainSeconds} s more`);
      await sleep(config.drainSeconds * 1_000);
    }
    server.retire();
  };
  const running = stopOnce(async () => {
    clearTimeout(loadSoon);
    await retire();
    await certificate?.stop();
    await server.stop();
    await liveMenus.stop();
    await counted.stop();
    await listener.stop();
    await Promise.all([store, writes, events, screens, authenticator].map((part) => part.stop()));
    await closeState(state, constants);
    await ops.stop();
  });
  return { ...running, retire, ...(certificate && { reload: certificate.look }) };
}

import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/connection.ts';
import { isOutage } from '../../db/postgres/outage.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { findHistory } from '../../db/sql/snapshots/find-history.ts';
import { findVersions } from '../../db/sql/snapshots/find-versions.ts';
import { createBatcher } from '../batcher.ts';
import type { SnapshotCache } from './cache.ts';
import { highestVersion, servedVersion, type Tenant } from './loaded-snapshot.ts';

/** Which history of versions the database has: after a failover or a restore it has another one. */
export interface History {
  /**
   * Asks the database. Those who ask at the same time are answered together.
   *
   * @throws Error when Postgres does not answer
   */
  check(): Promise<void>;
  /** The history as it was last read; null when it never was, or when the service hides it. */
  known(): string | null;
}

/** @param onNew called when the history is another one than before, before `check` resolves */
function createHistory(
  db: Db,
  log: Logger,
  onNew: () => void,
  constants: Pick<Constants, 'maxResultsPerLookUp' | 'readTimeout'>,
): History {
  let last: string | null = null;
  const limits = { maxItems: constants.maxResultsPerLookUp, timeout: constants.readTimeout };
  const ask = createBatcher<null, void>(limits, async (asked) => {
    const history = await findHistory(db).catch((error) => {
      if (isOutage(error)) throw error;
      // Some services forbid the question and do not tell of failovers.
      log.warn({ err: error }, 'could not tell whether the database has failed over');
      return null;
    });
    const isNew = history !== null && last !== null && history !== last;
    last = history ?? last;
    if (isNew) {
      log.warn('Postgres has started anew, failed over or was restored; all menus are read again');
      onNew();
    }
    return asked.map(() => undefined);
  });
  return { check: () => ask(null), known: () => last };
}

/** Compares what is in memory with the database. */
export interface Comparison {
  /** Compares everything, in one statement; during a comparison it asks for another one. */
  begin(): void;
  /** Whether something is still to be compared: what is in memory may be of another history. */
  isOpen(): boolean;
  history: History;
  stop(): void;
}

export interface ComparisonOptions {
  cache: SnapshotCache;
  /** The primary. */
  db: Db;
  log: Logger;
  constants: Constants;
}

/** What comes of comparing. */
export interface Findings {
  /** The database has a newer version of the tenant. */
  onNewer(tenant: Tenant, version: number): void;
  /** The database has another history: it may have lost what was read until now. */
  onNewHistory(): void;
  /** There is nothing left to compare. */
  onEnd(): void;
}

/**
 * Tenants in memory that have a newer version in the database. It forgets tenants that are gone, and
 * versions that are newer than the database.
 */
async function findNewer(cache: SnapshotCache, db: Db): Promise<Map<Tenant, number>> {
  const before = new Map(Array.from(cache.tenants(), (each) => [each, highestVersion(each)]));
  const ids = Array.from(before.keys(), ({ id }) => id);
  const versions = await findVersions(db, ids);
  const newer = new Map<Tenant, number>();
  for (const [tenant, highest] of before) {
    const present = versions.get(tenant.id);
    if (present?.slug !== tenant.slug) {
      cache.forgetTenant(tenant);
      continue;
    }
    if (highest > present.version) cache.forgetVersions([tenant]);
    if (servedVersion(tenant) < present.version) newer.set(tenant, present.version);
  }
  return newer;
}

/** Without a pause: an address may lead to one database now, and to another one a moment later. */
const MOST_ROUNDS = 5;

export function createComparison(
  { cache, db, log, constants }: ComparisonOptions,
  { onNewer, onNewHistory, onEnd }: Findings,
): Comparison {
  let isDue = false;
  let isRunning = false;
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;

  const startOver = () => {
    cache.forgetVersions();
    onNewHistory();
    begin();
  };
  const history = createHistory(db, log, startOver, constants);
  const compare = async () => {
    isDue = false;
    const found = await findNewer(cache, db);
    await history.check();
    // What was found belongs to the former history when the history is a new one.
    if (isDue) return;
    for (const [tenant, version] of found) onNewer(tenant, version);
  };
  const run = async () => {
    isRunning = true;
    try {
      for (let round = 0; isDue && !stopped && round < MOST_ROUNDS; round += 1) await compare();
    } catch (error) {
      isDue = true;
      log.warn({ err: error }, 'could not compare the versions of the menus; will retry');
    }
    isRunning = false;
    if (!isDue) onEnd();
    else if (!stopped) retry = setTimeout(runAgain, constants.retryDelay);
  };
  const runAgain = () => {
    retry = undefined;
    void run();
  };
  const begin = () => {
    isDue = true;
    if (!isRunning && !retry && !stopped) void run();
  };

  // Another database may take the place of this one without ending our connections.
  const watch = setInterval(() => {
    history.check().catch((error) => log.debug({ err: error }, 'could not read the history'));
  }, constants.historyInterval).unref();

  return {
    begin,
    isOpen: () => isDue || isRunning,
    history,
    stop: () => {
      stopped = true;
      clearTimeout(retry);
      clearInterval(watch);
    },
  };
}

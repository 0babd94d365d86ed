import type { SnapshotCache } from './cache.ts';
import {
  type Comparison,
  type ComparisonOptions,
  createComparison,
  type History,
} from './comparison.ts';
import { createFreshness, type Outcome } from './freshness.ts';
import { servedVersion, type Tenant } from './loaded-snapshot.ts';
import type { SnapshotSource } from './source.ts';

/** Replaces snapshots in memory by newer ones while the old ones go on serving. */
export interface Refresher {
  /** A version of the tenant exists; what is in memory may be older. */
  expect(tenant: Tenant, version: number): void;
  /**
   * Resolves when nothing in memory of the tenant is older than the version, or when that cannot be
   * read here.
   */
  whenFresh(tenant: Tenant, version: number): Promise<void>;
  /** Compares everything in memory with the database, in one statement. */
  reconcile: Comparison['begin'];
  history: History;
  stop(): void;
}

export interface RefresherOptions extends ComparisonOptions {
  /** Where snapshots are read. */
  source: SnapshotSource;
  /** The database has another history: it may have lost what was read until now. */
  onNewHistory: () => void;
}

/** Somebody who waits until a version of a tenant is served here. */
interface Waiter {
  tenant: Tenant;
  version: number;
  resolve(): void;
}

/**
 * Reads what has changed in the menu of a tenant, and forgets what has left the database. It is
 * unreadable when it has another format, as during an upgrade.
 */
async function refresh(
  cache: SnapshotCache,
  source: SnapshotSource,
  tenant: Tenant,
  version: number,
): Promise<Outcome> {
  const before = [...tenant.snapshots.values()];
  const since = servedVersion(tenant);
  const change = await source.findChange(tenant.id, since, version);
  if (change && !change.head) return 'unreadable';
  if (change) await cache.renew(change, since);
  const present = new Set(change?.head?.locales);
  for (const snapshot of before) if (!present.has(snapshot.locale)) cache.forget(snapshot);
  return 'read';
}

export function createRefresher(options: RefresherOptions): Refresher {
  const { cache, source, log, constants } = options;
  const freshness = createFreshness();
  const waiters = new Set<Waiter>();
  let running = 0;
  let retry: NodeJS.Timeout | undefined;
  let stopped = false;

  const release = (isOver: (waiter: Waiter) => boolean) => {
    for (const waiter of waiters) {
      if (!isOver(waiter)) continue;
      waiters.delete(waiter);
      waiter.resolve();
    }
  };

  const restThenRetry = () => {
    if (stopped) return;
    retry ??= setTimeout(() => {
      retry = undefined;
      freshness.endRests();
      pump();
    }, constants.retryDelay);
  };

  const read = async (tenant: Tenant, version: number) => {
    running += 1;
    const outcome = await refresh(cache, source, tenant, version).catch((error): Outcome => {
      log.warn({ err: error, tenant: tenant.slug }, 'could not refresh a menu; will retry');
      return 'failed';
    });
    running -= 1;
    // A rebuild in our format is a version that will be announced. The writes are done all the same.
    if (outcome === 'unreadable') {
      release((waiter) => waiter.tenant === tenant && waiter.version <= version);
    }
    if (freshness.finish(tenant, outcome) === 'resting') restThenRetry();
    pump();
  };

  /** Begins to read what is stale; first what a writer waits for, for after a failover all is stale. */
  const pump = () => {
    // Until the comparison is over, a version may be of a history that the database has lost.
    if (!comparison.isOpen()) {
      release(({ tenant, version }) => servedVersion(tenant) >= version);
    }
    const awaited = Array.from(waiters, ({ tenant }) => tenant);
    for (const tenants of [awaited, freshness.tenants()]) {
      for (const tenant of tenants) {
        if (running >= constants.maxRefreshes || stopped) return;
        const version = freshness.start(tenant);
        if (version !== null) void read(tenant, version);
      }
    }
  };

  const expect = (tenant: Tenant, version: number) => {
    freshness.announce(tenant, version);
    pump();
  };

  const comparison = createComparison(options, {
    onNewer: freshness.announce,
    onNewHistory: () => {
      freshness.forgetAnnounced();
      options.onNewHistory();
    },
    onEnd: pump,
  });

  return {
    expect,
    whenFresh: (tenant, version) =>
      new Promise((resolve) => {
        waiters.add({ tenant, version, resolve });
        expect(tenant, version);
      }),
    reconcile: comparison.begin,
    history: comparison.history,
    stop: () => {
      stopped = true;
      clearTimeout(retry);
      comparison.stop();
    },
  };
}

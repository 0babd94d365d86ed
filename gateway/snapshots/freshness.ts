import assert from 'node:assert/strict';
import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/sql.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { createRepeated } from '../../db/runtime/repeated.ts';
import { stopOnce } from '../../db/runtime/running.ts';
import { findVersions } from '../../db/sql/versions.ts';
import type { SnapshotCache } from './cache.ts';
import { highestVersion, servedVersion, type Tenant, UNKNOWN_VERSION } from './loaded-snapshot.ts';
import { createTimeline, type SnapshotSource } from './source.ts';

/**
 * The state of a menu in memory, which serves on in every state:
 *
 * - `current`: no newer version is known.
 * - `stale`: a newer version is known and not yet being read.
 * - `refreshing`: it is being read.
 * - `pausing`: it could not be read; after a pause the menu is stale again.
 */
type State = 'current' | 'stale' | 'refreshing' | 'pausing';

/** The events that change the state. */
type Event =
  /** A newer version is announced. */
  | 'announced'
  /** Reading begins. */
  | 'started'
  /** The expected version is in memory, or the tenant no longer is. */
  | 'reached'
  /** The version that was read for is in memory, and a newer one was announced meanwhile. */
  | 'overtaken'
  /** Postgres did not answer, or a replica has not come so far. */
  | 'missed'
  /** The version is stored in another format: there is nothing to read. */
  | 'unreadable'
  /** The pause is over. */
  | 'paused'
  /** The database has another timeline: it may never have the expected version. */
  | 'lost';

/** Where each event leads; anything else is a fault of ours. */
const TRANSITIONS: Record<State, Partial<Record<Event, State>>> = {
  current: { announced: 'stale' },
  stale: { announced: 'stale', started: 'refreshing', reached: 'current', lost: 'current' },
  refreshing: {
    ...{ announced: 'refreshing', lost: 'refreshing' },
    ...{ reached: 'current', overtaken: 'stale', missed: 'pausing', unreadable: 'current' },
  },
  pausing: { announced: 'pausing', paused: 'stale', lost: 'current' },
};

interface Entry {
  state: State;
  /** The newest version that is known. */
  expected: number;
  /** The version that the reading under way is for. */
  sought: number;
}

/** How the reading of a tenant's menu ended. */
type Outcome = 'read' | 'failed' | 'unreadable';

type Freshness = ReturnType<typeof createFreshness>;

export function createFreshness() {
  /** A tenant without an entry is current. */
  const entries = new Map<Tenant, Entry>();

  const move = (tenant: Tenant, entry: Entry, event: Event): State => {
    const next = TRANSITIONS[entry.state][event];
    assert.ok(next, `a ${entry.state} menu cannot be ${event}`);
    entry.state = next;
    if (next === 'current') entries.delete(tenant);
    else entries.set(tenant, entry);
    return next;
  };

  return {
    state: (tenant: Tenant): State => entries.get(tenant)?.state ?? 'current',
    /** Tenants that are not current. */
    tenants: () => entries.keys(),
    announce: (tenant: Tenant, version: number) => {
      const entry = entries.get(tenant) ?? { state: 'current', expected: version, sought: 0 };
      if (entry.state === 'current' && servedVersion(tenant) >= version) return;
      entry.expected = Math.max(entry.expected, version);
      move(tenant, entry, 'announced');
    },
    /** The version to read for; null when the tenant is not stale. */
    start: (tenant: Tenant) => {
      const entry = entries.get(tenant);
      if (entry?.state !== 'stale') return null;
      if (servedVersion(tenant) >= entry.expected) {
        move(tenant, entry, 'reached');
        return null;
      }
      entry.sought = entry.expected;
      move(tenant, entry, 'started');
      return entry.sought;
    },
    finish: (tenant: Tenant, outcome: Outcome) => {
      const entry = entries.get(tenant);
      assert.ok(entry, 'a menu that is refreshing has an entry');
      const served = servedVersion(tenant);
      if (served >= entry.expected) return move(tenant, entry, 'reached');
      const isOvertaken = entry.expected > entry.sought;
      if (outcome === 'unreadable') {
        return move(tenant, entry, isOvertaken ? 'overtaken' : 'unreadable');
      }
      return move(tenant, entry, isOvertaken && served >= entry.sought ? 'overtaken' : 'missed');
    },
    /** All that pause are stale again. */
    endPauses: () => {
      for (const [tenant, entry] of entries) {
        if (entry.state === 'pausing') move(tenant, entry, 'paused');
      }
    },
    /** No version that was announced is expected any longer. */
    forgetAnnounced: () => {
      for (const [tenant, entry] of entries) {
        entry.expected = UNKNOWN_VERSION;
        entry.sought = UNKNOWN_VERSION;
        move(tenant, entry, 'lost');
      }
    },
  };
}

export type Refresher = ReturnType<typeof createRefresher>;

interface RefresherOptions {
  cache: SnapshotCache;
  /** The primary. */
  db: Db;
  /** Where snapshots are read. */
  source: SnapshotSource;
  log: Logger;
  constants: Constants;
  /** The database has another timeline: it may have lost what was read until now. */
  onNewTimeline: () => void;
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

/**
 * Compares what is in memory with the database, and announces what is newer there.
 *
 * @param onEnd called when nothing is left to compare
 */
function createComparison(options: RefresherOptions, freshness: Freshness, onEnd: () => void) {
  const { cache, db, log, constants } = options;
  const startOver = () => {
    cache.forgetVersions();
    freshness.forgetAnnounced();
    options.onNewTimeline();
    comparison.ask();
  };
  const timeline = createTimeline(db, log, startOver, constants);
  const comparison = createRepeated({
    work: async () => {
      const found = await findNewer(cache, db);
      await timeline.check();
      // A version that was read belongs to the former timeline when the timeline is a new one.
      if (comparison.isDue()) return;
      for (const [tenant, version] of found) freshness.announce(tenant, version);
    },
    onFailure: (error) =>
      log.warn({ err: error }, 'could not compare the versions of the menus; will retry'),
    onEnd,
    pause: constants.retryDelay,
  });

  // Another database may take the place of this one without ending our connections.
  const watch = setInterval(() => {
    timeline
      .check()
      .catch((error) =>
        log.debug({ err: error }, 'could not tell which timeline the database has'),
      );
  }, constants.timelineInterval).unref();

  return {
    timeline,
    begin: comparison.ask,
    /** Whether what is in memory may still be of another timeline. */
    isOpen: comparison.isOpen,
    ...stopOnce(() => {
      clearInterval(watch);
      return comparison.stop();
    }),
  };
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

/** Replaces snapshots in memory by newer ones while the old ones go on serving. */
export function createRefresher(options: RefresherOptions) {
  const { cache, source, log, constants } = options;
  const freshness = createFreshness();
  const waiters = new Set<Waiter>();
  const running = new Set<Promise<void>>();
  let retry: NodeJS.Timeout | undefined;
  let stopped = false;

  const release = (isOver: (waiter: Waiter) => boolean) => {
    for (const waiter of waiters) {
      if (!isOver(waiter)) continue;
      waiters.delete(waiter);
      waiter.resolve();
    }
  };

  const pauseThenRetry = () => {
    if (stopped) return;
    retry ??= setTimeout(() => {
      retry = undefined;
      freshness.endPauses();
      pump();
    }, constants.retryDelay);
  };

  const read = async (tenant: Tenant, version: number) => {
    const outcome = await refresh(cache, source, tenant, version).catch((error): Outcome => {
      log.warn({ err: error, tenant: tenant.slug }, 'could not refresh a menu; will retry');
      return 'failed';
    });
    // A rebuild in our format is a version that will be announced. The writes are done all the same.
    if (outcome === 'unreadable') {
      release((waiter) => waiter.tenant === tenant && waiter.version <= version);
    }
    if (freshness.finish(tenant, outcome) === 'pausing') pauseThenRetry();
  };
  const start = (tenant: Tenant, version: number) => {
    const reading = read(tenant, version).then(() => {
      running.delete(reading);
      pump();
    });
    running.add(reading);
  };

  /** Begins to read what is stale; first what a writer waits for, for after a failover all is stale. */
  const pump = () => {
    // Until the comparison is over, a version may be of a timeline that the database has lost.
    if (!comparison.isOpen()) {
      release(({ tenant, version }) => servedVersion(tenant) >= version);
    }
    const awaited = Array.from(waiters, ({ tenant }) => tenant);
    for (const tenants of [awaited, freshness.tenants()]) {
      for (const tenant of tenants) {
        if (running.size >= constants.maxRefreshes || stopped) return;
        const version = freshness.start(tenant);
        if (version !== null) start(tenant, version);
      }
    }
  };

  /** A version of the tenant exists; what is in memory may be older. */
  const expect = (tenant: Tenant, version: number) => {
    freshness.announce(tenant, version);
    pump();
  };

  const comparison = createComparison(options, freshness, pump);

  return {
    expect,
    /**
     * Resolves when nothing in memory of the tenant is older than the version, or when that cannot be
     * read here.
     */
    whenFresh: (tenant: Tenant, version: number) =>
      new Promise<void>((resolve) => {
        waiters.add({ tenant, version, resolve });
        expect(tenant, version);
      }),
    /** Compares everything in memory with the database, in one statement. */
    reconcile: comparison.begin,
    timeline: comparison.timeline,
    ...stopOnce(async () => {
      stopped = true;
      clearTimeout(retry);
      await comparison.stop();
      await Promise.all(running);
    }),
  };
}

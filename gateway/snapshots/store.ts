import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/connection.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import type { Locale } from '../../db/schema/locale.ts';
import type { VersionNotice } from '../../db/schema/notices.ts';
import { type CacheStats, createSnapshotCache } from './cache.ts';
import type { LoadedSnapshot } from './loaded-snapshot.ts';
import { createLoader, type Found } from './loader.ts';
import { createRefresher } from './refresh.ts';
import { createPrimarySource, type SnapshotSource } from './source.ts';

/** The snapshots in memory: bounded in bytes, loaded on demand, kept fresh by notices. */
export interface SnapshotStore {
  /**
   * The snapshot that answers for `slug` in the requested locale (null: the restaurant's default),
   * at once when it is in memory; null when there is no such tenant. However many ask for one that
   * is missing, it is loaded once.
   *
   * @throws UnavailableError when it must be loaded and Postgres does not answer
   */
  find(slug: string, requested: Locale | null): Found | Promise<Found>;
  /** What `find` would return at once; it reads nothing. */
  held(slug: string, requested: Locale | null): LoadedSnapshot | undefined;
  /** A tenant has a new version. */
  onVersion(notice: VersionNotice): void;
  /** Resolves when no request is answered from a version before `version` any more. */
  whenServed(slug: string, version: number): Promise<void>;
  /** Notices may have been missed: compares what is held with the database. */
  reconcile(): void;
  /**
   * Resolves when a version that was just read in the database can be compared with what is held: a
   * failover may have lost one, and given its number again.
   *
   * @throws Error when Postgres does not answer
   */
  confirm(): Promise<void>;
  /** What is held now, and how many requests found what they needed in memory or did not. */
  stats(): CacheStats & { hits: number; misses: number };
  /** When the oldest snapshot in memory was built, in ms since 1970; not a number without one. */
  oldest(): number;
  stop(): void;
}

export interface SnapshotStoreOptions {
  /** The primary. */
  db: Db;
  /** Where snapshots are read; the primary by default. */
  source?: SnapshotSource;
  log: Logger;
  /** Bound of the memory that snapshots take, in bytes. */
  maxBytes: number;
  constants: Constants;
}

export function createSnapshotStore(options: SnapshotStoreOptions): SnapshotStore {
  const cache = createSnapshotCache(options.maxBytes);
  const { db, log, constants } = options;
  const { source = createPrimarySource(db, constants) } = options;
  const onNewHistory = () => {
    source.forgetAnnounced();
    loader.startOver();
  };
  const refresher = createRefresher({ cache, db, source, log, constants, onNewHistory });
  const loader = createLoader(cache, source, refresher, constants);
  let [hits, misses] = [0, 0];

  const findHeld = (slug: string, requested: Locale | null): LoadedSnapshot | undefined => {
    const snapshot = cache.find(slug, requested);
    if (snapshot) hits += 1;
    return snapshot;
  };

  return {
    held: findHeld,
    find: (slug, requested) => {
      const snapshot = findHeld(slug, requested);
      if (snapshot) return snapshot;
      if (!cache.tenant(slug) && loader.isUnknown(slug)) return null;
      misses += 1;
      return loader.load(slug, requested);
    },
    onVersion: ({ slug, version }) => {
      source.announce(slug, version);
      void loader.announce(slug, version);
      const tenant = cache.tenant(slug);
      if (tenant) refresher.expect(tenant, version);
    },
    whenServed: async (slug, version) => {
      await loader.announce(slug, version);
      const tenant = cache.tenant(slug);
      if (tenant) await refresher.whenFresh(tenant, version);
    },
    confirm: refresher.history.check,
    reconcile: () => {
      loader.onMissed();
      refresher.reconcile();
    },
    stats: () => ({ ...cache.stats(), hits, misses }),
    oldest: cache.oldest,
    stop: refresher.stop,
  };
}

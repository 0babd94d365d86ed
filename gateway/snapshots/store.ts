import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { bounds } from '../../db/bounds.ts';
import type { VersionNotice } from '../../db/notices.ts';
import type { Db } from '../../db/postgres/connection.ts';
import type { Locale } from '../../db/records/locale.ts';
import { unavailable } from '../errors.ts';
import { createHeldSnapshots, type HeldStats } from './held-snapshots.ts';
import type { LoadedSnapshot } from './loaded-snapshot.ts';
import { createRefresher } from './refresher.ts';
import { createPrimarySource, type SnapshotSource } from './source.ts';
import { stageOf } from './stage.ts';

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
  /** What `find` would return at once, without a look any further. */
  held(slug: string, requested: Locale | null): LoadedSnapshot | undefined;
  /** A tenant has a new version. */
  onVersion(notice: VersionNotice): void;
  /** Resolves when no request is answered from a version before `version` any more. */
  whenServed(slug: string, version: number): Promise<void>;
  /** Notices may have been missed: compares what is held with the database. */
  reconcile(): void;
  /** What is held now, and how many requests found what they needed in memory or did not. */
  stats(): HeldStats & { hits: number; misses: number };
  /** When the oldest snapshot in memory was built, in ms since 1970; not a number without one. */
  oldest(): number;
  stop(): void;
}

type Found = LoadedSnapshot | null;

export interface SnapshotStoreOptions {
  /** The primary. */
  db: Db;
  /** Where snapshots are read; the primary by default. */
  source?: SnapshotSource;
  log: Logger;
  /** Bound of the memory that snapshots take, in bytes. */
  maxBytes: number;
}

/** A snapshot on its way from the database. */
interface Load {
  slug: string;
  found: Promise<Found>;
  /** Highest stage announced meanwhile: what is being read may be older than that. */
  announced: number;
  /** Whether notices may have been missed meanwhile. */
  missed: boolean;
}

/** Hosts of which Postgres has said that they are no tenant. */
function createUnknownHosts() {
  return new LRUCache<string, true>({ max: bounds.maxUnknownHosts, ttl: bounds.unknownHostTtl });
}

export function createSnapshotStore(options: SnapshotStoreOptions): SnapshotStore {
  const held = createHeldSnapshots(options.maxBytes);
  const { db, log, source = createPrimarySource(db) } = options;
  const refresher = createRefresher({ held, db, source, log });
  const loads = new Map<string, Load>();
  let [hits, misses] = [0, 0];
  const unknown = createUnknownHosts();

  const fetch = async (slug: string, requested: Locale | null, load: Load): Promise<Found> => {
    const { stored, isSure } = await source
      .find(slug, requested)
      .catch(unavailable(`could not load the menu of ${slug}`));
    if (!stored) {
      // A tenant that was created since then has been announced, or may have been.
      if (load.announced === 0 && !load.missed) unknown.set(slug, true);
      return null;
    }
    const snapshot = held.keep(stored);
    if (load.announced > stageOf(snapshot)) refresher.expect(snapshot.tenant, load.announced);
    if (load.missed || !isSure) refresher.reconcile();
    return snapshot;
  };

  const startLoad = (slug: string, requested: Locale | null): Promise<Found> => {
    const key = `${slug}/${requested ?? ''}`;
    const running = loads.get(key);
    if (running) return running.found;
    const load: Load = { slug, found: Promise.resolve(null), announced: 0, missed: false };
    load.found = fetch(slug, requested, load).finally(() => loads.delete(key));
    loads.set(key, load);
    return load.found;
  };

  const announce = (slug: string, stage: number): Load[] => {
    const running = [...loads.values()].filter((load) => load.slug === slug);
    for (const load of running) load.announced = Math.max(load.announced, stage);
    return running;
  };

  const findHeld = (slug: string, requested: Locale | null): LoadedSnapshot | undefined => {
    const snapshot = held.find(slug, requested);
    if (snapshot) hits += 1;
    return snapshot;
  };

  return {
    held: findHeld,
    find: (slug, requested) => {
      const snapshot = findHeld(slug, requested);
      if (snapshot) return snapshot;
      if (!held.tenant(slug) && unknown.has(slug)) return null;
      misses += 1;
      return startLoad(slug, requested);
    },
    onVersion: ({ slug, version, encoded }) => {
      unknown.delete(slug);
      const stage = stageOf({ version, encoded });
      source.announce(slug, stage);
      announce(slug, stage);
      const tenant = held.tenant(slug);
      if (tenant) refresher.expect(tenant, stage);
    },
    whenServed: async (slug, version) => {
      const stage = stageOf({ version, encoded: false });
      await Promise.allSettled(announce(slug, stage).map((load) => load.found));
      const tenant = held.tenant(slug);
      if (tenant) await refresher.whenFresh(tenant, stage);
    },
    reconcile: () => {
      unknown.clear();
      for (const load of loads.values()) load.missed = true;
      refresher.reconcile();
    },
    stats: () => ({ ...held.stats(), hits, misses }),
    ...{ oldest: held.oldest, stop: refresher.stop },
  };
}

import { LRUCache } from 'lru-cache';
import type { Constants } from '../../db/runtime/constants.ts';
import type { Locale } from '../../db/schema/locale.ts';
import { unavailable } from '../pipeline/errors.ts';
import type { SnapshotCache } from './cache.ts';
import type { LoadedSnapshot } from './loaded-snapshot.ts';
import type { Refresher } from './refresh.ts';
import type { SnapshotSource } from './source.ts';

/** Null when there is no such tenant. */
export type Found = LoadedSnapshot | null;

/** Reads snapshots that are not in memory. */
export interface Loader {
  /** Whether Postgres has said of late that there is no such tenant. */
  isUnknown(slug: string): boolean;
  /**
   * However many ask for a snapshot, it is read once.
   *
   * @throws UnavailableError when Postgres does not answer
   */
  load(slug: string, requested: Locale | null): Promise<Found>;
  /** A version of the tenant exists; resolves when what is being read now has come. */
  announce(slug: string, version: number): Promise<unknown>;
  /** Announcements may have been missed. */
  onMissed(): void;
  /** The database has another history: what is being read is read again. */
  startOver(): void;
}

/** A snapshot on its way from the database. */
interface Load {
  slug: string;
  found: Promise<Found>;
  /** The newest version announced meanwhile: what is being read may be older. */
  announced: number;
  /** Whether announcements may have been missed meanwhile. */
  missed: boolean;
}

export function createLoader(
  cache: SnapshotCache,
  source: SnapshotSource,
  refresher: Pick<Refresher, 'expect' | 'reconcile'>,
  constants: Pick<Constants, 'maxUnknownHosts' | 'unknownHostTtl'>,
): Loader {
  const loads = new Map<string, Load>();
  const unknown = new LRUCache<string, true>({
    max: constants.maxUnknownHosts,
    ttl: constants.unknownHostTtl,
  });

  const read = async (key: string, requested: Locale | null, load: Load): Promise<Found> => {
    const { slug } = load;
    const first = await source
      .find(slug, requested)
      .catch(unavailable(`could not load the menu of ${slug}`));
    const version = first.stored?.head?.version ?? 0;
    const isOld = load.announced > version;
    // A client that asked meanwhile may have seen the announced version in another language. Read
    // again once: a notice can run ahead, and an older menu is better than none.
    const { stored, isSure } = isOld
      ? await source.find(slug, requested).catch(() => first)
      : first;
    if (loads.get(key) !== load) return loader.load(slug, requested);
    if (!stored) {
      // A tenant that was created since then has been announced, or may have been.
      if (load.announced === 0 && !load.missed) unknown.set(slug, true);
      return null;
    }
    const snapshot = cache.keep(stored);
    if (load.announced > snapshot.version) refresher.expect(snapshot.tenant, load.announced);
    if (load.missed || !isSure) refresher.reconcile();
    return snapshot;
  };

  const loader: Loader = {
    isUnknown: (slug) => unknown.has(slug),
    load: (slug, requested) => {
      const key = `${slug}/${requested ?? ''}`;
      const running = loads.get(key);
      if (running) return running.found;
      const load: Load = { slug, found: Promise.resolve(null), announced: 0, missed: false };
      loads.set(key, load);
      load.found = read(key, requested, load).finally(() => {
        if (loads.get(key) === load) loads.delete(key);
      });
      return load.found;
    },
    announce: (slug, version) => {
      unknown.delete(slug);
      const running = [...loads.values()].filter((load) => load.slug === slug);
      for (const load of running) load.announced = Math.max(load.announced, version);
      return Promise.allSettled(running.map(({ found }) => found));
    },
    onMissed: () => {
      unknown.clear();
      for (const load of loads.values()) load.missed = true;
    },
    startOver: () => loads.clear(),
  };
  return loader;
}

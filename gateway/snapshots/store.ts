import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/sql.ts';
import { type Constants, constants as defaults } from '../../db/runtime/constants.ts';
import { createEntryCache } from '../../db/runtime/memoize.ts';
import type { VersionNotice } from '../../db/schema/notices.ts';
import type { RequestedLocale } from '../../db/schema/values/locale.ts';
import type { CdnCaching } from '../http/cdn-caching.ts';
import { unavailable } from '../http/errors.ts';
import type { Encoding } from '../http/negotiation.ts';
import { addressed, type MediaOrigin } from './addressed.ts';
import { createSnapshotCache, type SnapshotCache } from './cache.ts';
import { createRefresher, type Refresher } from './freshness.ts';
import type { LoadedSnapshot, Tenant } from './loaded-snapshot.ts';
import { createRestaurants } from './restaurants.ts';
import { createPrimarySource, type SnapshotSource } from './source.ts';

/** Unknown hosts in memory, in entries. */
const MAX_UNKNOWN_HOSTS = 10_000;

/** Is told what happens to the snapshots in memory. */
interface StoreListener {
  /** Newer snapshots of a tenant have taken the place of older ones, or of none. */
  onServed(tenant: Tenant): void;
  /** The database has another timeline: the versions of the former one mean nothing any longer. */
  onNewTimeline(): void;
}

/** The snapshots in memory: bounded in bytes, loaded on demand, kept fresh by notices. */
export type SnapshotStore = ReturnType<typeof createSnapshotStore>;

interface SnapshotStoreOptions {
  db: Db;
  /** Where snapshots are read; the primary by default. */
  source?: SnapshotSource;
  log: Logger;
  /** Bound of the memory that snapshots take, in bytes. */
  maxBytes: number;
  /** The origin of the addresses of a restaurant's photos. */
  mediaOrigin: MediaOrigin;
  /** How caches before the gateway may keep answers of a tenant; by default not. */
  cachingOf?: (tenantId: number) => CdnCaching;
  constants: Constants;
}

/** Null when there is no such tenant. */
type Found = LoadedSnapshot | null;

/** A snapshot on its way from the database. */
interface Load {
  slug: string;
  found: Promise<Found>;
  /** The newest version announced meanwhile: what is being read may be older. */
  announced: number;
  /** Whether announcements may have been missed meanwhile. */
  missed: boolean;
}

/** Reads snapshots that are not in memory, each once, however many ask for it. */
export function createLoader(
  cache: SnapshotCache,
  source: SnapshotSource,
  refresher: Pick<Refresher, 'expect' | 'reconcile'>,
) {
  const loads = new Map<string, Load>();
  const ttl = defaults.unknownHostTtl;
  const unknown = createEntryCache<string, true>(MAX_UNKNOWN_HOSTS, { ttl });

  const read = async (key: string, requested: RequestedLocale | null, started: Load) => {
    const { slug } = started;
    const first = await source
      .find(slug, requested)
      .catch(unavailable(`could not load the menu of ${slug}`));
    const version = first.stored?.head?.version ?? 0;
    const isOld = started.announced > version;
    // A client that asked meanwhile may have seen the announced version in another language. Read
    // again once: a notice can run ahead, and an older menu is better than none.
    const { stored, isSure } = isOld
      ? await source.find(slug, requested).catch(() => first)
      : first;
    if (loads.get(key) !== started) return load(slug, requested);
    if (!stored) {
      // A tenant that was created since then has been announced, or may have been.
      if (started.announced === 0 && !started.missed) unknown.set(slug, true);
      return null;
    }
    const snapshot = cache.keep(stored);
    if (started.announced > snapshot.version) refresher.expect(snapshot.tenant, started.announced);
    if (started.missed || !isSure) refresher.reconcile();
    return snapshot;
  };

  /** @throws UnavailableError when Postgres does not answer */
  const load = (slug: string, requested: RequestedLocale | null): Promise<Found> => {
    const key = `${slug}/${requested ?? ''}`;
    const running = loads.get(key);
    if (running) return running.found;
    const started: Load = { slug, found: Promise.resolve(null), announced: 0, missed: false };
    loads.set(key, started);
    started.found = read(key, requested, started).finally(() => {
      if (loads.get(key) === started) loads.delete(key);
    });
    return started.found;
  };

  return {
    load,
    /** Whether Postgres has said of late that there is no such tenant. */
    isUnknown: (slug: string) => unknown.has(slug),
    /** A version of the tenant exists; resolves when what is being read now has come. */
    announce: (slug: string, version: number): Promise<unknown> => {
      unknown.delete(slug);
      const running = [...loads.values()].filter((one) => one.slug === slug);
      for (const one of running) one.announced = Math.max(one.announced, version);
      return Promise.allSettled(running.map(({ found }) => found));
    },
    /** Announcements may have been missed. */
    onMissed: () => {
      unknown.clear();
      for (const one of loads.values()) one.missed = true;
    },
    /** Loads of the tenant that are under way are read again. */
    forget: (slug: string) => {
      for (const [key, one] of loads) if (one.slug === slug) loads.delete(key);
    },
    /** The database has another timeline: what is being read is read again. */
    startOver: () => loads.clear(),
  };
}

/** A source whose snapshots have the origin of photos in their addresses. */
function withAddresses(read: SnapshotSource, mediaOrigin: MediaOrigin): SnapshotSource {
  return {
    ...read,
    find: async (slug, requested) => {
      const reading = await read.find(slug, requested);
      return { ...reading, stored: addressed(reading.stored, mediaOrigin) };
    },
    findChange: async (...asked) => addressed(await read.findChange(...asked), mediaOrigin),
  };
}

export function createSnapshotStore(options: SnapshotStoreOptions) {
  const listeners: StoreListener[] = [];
  const cache = createSnapshotCache(
    options.maxBytes,
    (tenant) => {
      for (const { onServed } of listeners) onServed(tenant);
    },
    options.cachingOf,
  );
  const { db, log, mediaOrigin, constants } = options;
  const source = withAddresses(options.source ?? createPrimarySource(db, constants), mediaOrigin);
  const onNewTimeline = () => {
    source.forgetAnnounced();
    loader.startOver();
    restaurants.forgetIds();
    for (const listener of listeners) listener.onNewTimeline();
  };
  const refresher = createRefresher({ cache, db, source, log, constants, onNewTimeline });
  const loader = createLoader(cache, source, refresher);
  const { isUnknown } = loader;
  const restaurants = createRestaurants({ db, cache, isUnknown, mediaOrigin, constants });
  let [hits, misses] = [0, 0];

  const counted = <T>(found: T | undefined) => {
    if (found) hits += 1;
    return found;
  };

  return {
    /** The snapshot that `find` would return at once; it reads nothing. */
    held: cache.find,
    /** As `held`, of a tenant that may have left the memory: undefined then. */
    answering: (tenant: Tenant, requested: RequestedLocale | null) =>
      counted(cache.answering(tenant, requested)),
    keepHot: cache.keepHot,
    hotAnswer: (tenant: Tenant, path: string, encoding: Encoding) =>
      counted(cache.hotAnswer(tenant, path, encoding)),
    /**
     * The snapshot that answers for `slug` in the requested locale (null: the restaurant's default),
     * at once when it is in memory; null when there is no such tenant. However many ask for one that
     * is missing, it is loaded once.
     *
     * @throws UnavailableError when it must be loaded and Postgres does not answer
     */
    find: (slug: string, requested: RequestedLocale | null): Found | Promise<Found> => {
      const snapshot = counted(cache.find(slug, requested));
      if (snapshot) return snapshot;
      if (!cache.tenant(slug) && isUnknown(slug)) return null;
      misses += 1;
      return loader.load(slug, requested);
    },
    /** As `find` of `Restaurants`. */
    findRestaurant: restaurants.find,
    ...{ findSuspended: restaurants.findSuspended, findId: restaurants.findId },
    onVersion: ({ slug, version }: Omit<VersionNotice, 'generated_at'>) => {
      source.announce(slug, version);
      void loader.announce(slug, version);
      const tenant = cache.tenant(slug);
      if (tenant) refresher.expect(tenant, version);
    },
    /** Reads everything of a tenant anew when it is asked for: more than its menu has changed. */
    forget: (slug: string) => {
      loader.forget(slug);
      const tenant = cache.tenant(slug);
      if (tenant) cache.forgetTenant(tenant);
    },
    /** Resolves when no request is answered from a version before `version` any more. */
    whenServed: async (slug: string, version: number) => {
      await loader.announce(slug, version);
      const tenant = cache.tenant(slug);
      if (tenant) await refresher.whenFresh(tenant, version);
    },
    /**
     * Resolves when a version that was just read in the database can be compared with what is held: a
     * failover may have lost one, and given its number again.
     *
     * @throws Error when Postgres does not answer
     */
    confirm: refresher.timeline.check,
    /** Which timeline of versions the database has, as it was last read; null when it hides it. */
    timeline: refresher.timeline.known,
    /** Adds a listener to what happens here. */
    subscribe: (listener: StoreListener) => void listeners.push(listener),
    /** Notices may have been missed: compares what is held with the database. */
    reconcile: () => {
      loader.onMissed();
      restaurants.forgetIds();
      refresher.reconcile();
    },
    /** The present contents, and how many requests found a snapshot in memory or did not. */
    stats: () => ({ ...cache.stats(), hits, misses }),
    /** When the oldest snapshot in memory was built, in ms since 1970; not a number without one. */
    oldest: cache.oldest,
    stop: refresher.stop,
  };
}

import { LRUCache } from 'lru-cache';
import type { StoredSnapshot } from '../../db/queries/find-snapshots.ts';
import { FALLBACK_LOCALE, type Locale } from '../../db/records/locale.ts';
import { UnavailableError } from '../errors.ts';
import { type LoadedSnapshot, loadSnapshot, type Tenant } from './loaded-snapshot.ts';

/** The snapshots in memory, by tenant, the least recently used giving way beyond the bound. */
export interface HeldSnapshots {
  tenant(slug: string): Tenant | undefined;
  tenants(): Iterable<Tenant>;
  /** The snapshot that answers in the requested locale (null: the default), which uses it. */
  find(slug: string, requested: Locale | null): LoadedSnapshot | undefined;
  /** Opens a stored snapshot and holds it, unless what is held is newer already. */
  keep(stored: StoredSnapshot): LoadedSnapshot;
  /**
   * Brings a held snapshot to what is stored of it by now. Nothing happens when it has been given
   * up meanwhile.
   *
   * @param stored with the parts that have changed since `since`
   */
  renew(stored: StoredSnapshot, since: number): void;
  forget(snapshot: LoadedSnapshot): void;
  stats(): HeldStats;
  /** When the oldest of them was built, in ms since 1970; not a number when none is held. */
  oldest(): number;
}

export interface HeldStats {
  bytes: number;
  snapshots: number;
  /** Snapshots that have given way to others at the bound. */
  evicted: number;
}

function newTenant(stored: StoredSnapshot): Tenant {
  return {
    id: stored.tenant_id,
    slug: stored.slug,
    defaultLocale: stored.default_locale,
    supportedLocales: stored.supported_locales,
    timezone: stored.timezone,
    snapshots: new Map(),
  };
}

function servedLocale(tenant: Tenant, requested: Locale | null): Locale {
  if (requested === null) return tenant.defaultLocale;
  return tenant.supportedLocales.includes(requested) ? requested : FALLBACK_LOCALE;
}

/** @param maxBytes bound of the memory that the snapshots take together */
export function createHeldSnapshots(maxBytes: number): HeldSnapshots {
  const tenants = new Map<string, Tenant>();
  let evicted = 0;

  const detach = (snapshot: LoadedSnapshot) => {
    const { tenant } = snapshot;
    if (tenant.snapshots.get(snapshot.locale) !== snapshot) return;
    tenant.snapshots.delete(snapshot.locale);
    if (tenant.snapshots.size === 0) tenants.delete(tenant.slug);
  };
  const cache = new LRUCache<string, LoadedSnapshot>({
    maxSize: maxBytes,
    sizeCalculation: (snapshot) => snapshot.bytes,
    dispose: (snapshot, _key, reason) => {
      if (reason === 'evict') evicted += 1;
      detach(snapshot);
    },
  });

  const hold = (
    tenant: Tenant,
    stored: StoredSnapshot,
    base: LoadedSnapshot | undefined,
  ): LoadedSnapshot => {
    if (!stored.head) throw new UnavailableError('the snapshot is being rebuilt');
    const held = tenant.snapshots.get(stored.locale);
    if (held && held.version > stored.head.version) return held;
    const snapshot = loadSnapshot(tenant, stored, stored.head, base);
    tenant.defaultLocale = stored.default_locale;
    tenant.supportedLocales = stored.supported_locales;
    tenant.timezone = stored.timezone;
    tenant.snapshots.set(snapshot.locale, snapshot);
    tenants.set(tenant.slug, tenant);
    cache.set(snapshot.key, snapshot);
    // One that is larger than the whole bound answers this request and is not held.
    if (!cache.has(snapshot.key)) detach(snapshot);
    return snapshot;
  };

  const keep = (stored: StoredSnapshot): LoadedSnapshot => {
    const tenant = tenants.get(stored.slug) ?? newTenant(stored);
    return hold(tenant, stored, undefined);
  };

  const renew = (stored: StoredSnapshot, since: number) => {
    const tenant = tenants.get(stored.slug);
    const held = tenant?.snapshots.get(stored.locale);
    if (tenant && held && held.version >= since) hold(tenant, stored, held);
  };

  return {
    tenant: (slug) => tenants.get(slug),
    tenants: () => tenants.values(),
    find: (slug, requested) => {
      const tenant = tenants.get(slug);
      const snapshot = tenant?.snapshots.get(servedLocale(tenant, requested));
      if (snapshot) cache.get(snapshot.key);
      return snapshot;
    },
    keep,
    renew,
    forget: (snapshot) => {
      cache.delete(snapshot.key);
    },
    stats: () => ({ bytes: cache.calculatedSize, snapshots: cache.size, evicted }),
    oldest: () => {
      let oldest = Number.POSITIVE_INFINITY;
      for (const { generatedAt } of cache.values()) {
        oldest = Math.min(oldest, Date.parse(generatedAt));
      }
      return cache.size === 0 ? Number.NaN : oldest;
    },
  };
}

import { LRUCache } from 'lru-cache';
import { FALLBACK_LOCALE, type Locale } from '../../db/schema/locale.ts';
import { headIn, type MenuHead } from '../../db/snapshot/parts.ts';
import { decodeTemplates } from '../../db/snapshot/template.ts';
import type { ChangedSnapshot, StoredSnapshot } from '../../db/sql/snapshots/find-snapshots.ts';
import { UnavailableError } from '../pipeline/errors.ts';
import {
  type LoadedSnapshot,
  loadSnapshot,
  renewSnapshot,
  type Tenant,
} from './loaded-snapshot.ts';
import type { Change } from './source.ts';

/** The snapshots in memory, by tenant, the least recently used giving way beyond the bound. */
export interface HeldSnapshots {
  tenant(slug: string): Tenant | undefined;
  tenants(): Iterable<Tenant>;
  /** The snapshot that answers in the requested locale (null: the default), which uses it. */
  find(slug: string, requested: Locale | null): LoadedSnapshot | undefined;
  /** Opens a stored snapshot and holds it, unless what is held is newer already. */
  keep(stored: StoredSnapshot): LoadedSnapshot;
  /**
   * Brings what is held of a tenant to what is stored by now. What has been given up meanwhile stays
   * so.
   *
   * @param change with what has changed since `since`
   */
  renew(change: Change, since: number): void;
  forget(snapshot: LoadedSnapshot): void;
  /** All of its snapshots. */
  forgetTenant(tenant: Tenant): void;
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

/** Before every version that there is. */
const UNKNOWN_VERSION = -1;

function newTenant(stored: StoredSnapshot): Tenant {
  return {
    id: stored.tenant_id,
    slug: stored.slug,
    version: 0,
    defaultLocale: stored.default_locale,
    supportedLocales: stored.supported_locales,
    timezone: stored.timezone,
    snapshots: new Map(),
  };
}

/** Unless they are of an older version: its snapshot may have been read before and come later. */
function adoptSettings(tenant: Tenant, stored: ChangedSnapshot, version: number): void {
  if (version < tenant.version) return;
  tenant.version = version;
  tenant.defaultLocale = stored.default_locale;
  tenant.supportedLocales = stored.supported_locales;
  tenant.timezone = stored.timezone;
}

/** From now on what is held of them counts as older than whatever is stored, and serves on. */
export function markStale(tenants: Iterable<Tenant>): void {
  for (const tenant of tenants) {
    tenant.version = UNKNOWN_VERSION;
    for (const snapshot of tenant.snapshots.values()) {
      snapshot.version = UNKNOWN_VERSION;
      snapshot.encoded = false;
    }
  }
}

function servedLocale(tenant: Tenant, requested: Locale | null): Locale {
  if (requested === null) return tenant.defaultLocale;
  return tenant.supportedLocales.includes(requested) ? requested : FALLBACK_LOCALE;
}

/** Whether what has changed since `since` leads from a snapshot to the version of `head`. */
function isCovered({ locale, version }: LoadedSnapshot, head: MenuHead, since: number): boolean {
  return version >= since && version <= head.version && head.locales.includes(locale);
}

function oldestOf(snapshots: Iterable<LoadedSnapshot>): number {
  let oldest = Number.NaN;
  for (const { generatedAt } of snapshots) {
    const built = Date.parse(generatedAt);
    if (!(oldest <= built)) oldest = built;
  }
  return oldest;
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

  const forgetTenant = (tenant: Tenant) => {
    for (const { key } of tenant.snapshots.values()) cache.delete(key);
  };

  const hold = (tenant: Tenant, stored: ChangedSnapshot, next: LoadedSnapshot): void => {
    adoptSettings(tenant, stored, next.version);
    tenant.snapshots.set(next.locale, next);
    tenants.set(tenant.slug, tenant);
    cache.set(next.key, next);
    // One that is larger than the whole bound answers this request and is not held.
    if (!cache.has(next.key)) detach(next);
  };

  const keep = (stored: StoredSnapshot): LoadedSnapshot => {
    const { head, locale, encodings } = stored;
    if (!head) throw new UnavailableError('the snapshot is being rebuilt');
    const known = tenants.get(stored.slug);
    // In a database that was made anew the slug may be another tenant's.
    if (known && known.id !== stored.tenant_id) forgetTenant(known);
    const tenant = tenants.get(stored.slug) ?? newTenant(stored);
    const held = tenant.snapshots.get(locale);
    if (held && held.version > head.version) return held;
    const sections = decodeTemplates(stored.templates ?? '');
    const snapshot = loadSnapshot(tenant, headIn(head, locale), sections, encodings);
    hold(tenant, stored, snapshot);
    return snapshot;
  };

  const renew = (change: Change, since: number) => {
    const { head, encodings } = change;
    const tenant = tenants.get(change.slug);
    if (tenant?.id !== change.tenant_id || !head) return;
    const templates = decodeTemplates(change.templates ?? '');
    for (const held of [...tenant.snapshots.values()]) {
      const { locale } = held;
      // The one before it may have taken its place in memory.
      const isHeld = tenant.snapshots.get(locale) === held;
      if (!isHeld || !isCovered(held, head, since)) continue;
      const own = encodings.get(locale) ?? null;
      hold(tenant, change, renewSnapshot(held, headIn(head, locale), templates, own));
    }
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
    forget: ({ key }) => void cache.delete(key),
    forgetTenant,
    stats: () => ({ bytes: cache.calculatedSize, snapshots: cache.size, evicted }),
    oldest: () => oldestOf(cache.values()),
  };
}

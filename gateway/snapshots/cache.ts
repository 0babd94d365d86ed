import { LRUCache } from 'lru-cache';
import { inSlices } from '../../db/runtime/in-slices.ts';
import type { Locale, RequestedLocale } from '../../db/schema/values/locale.ts';
import { headIn } from '../../db/snapshot/parts.ts';
import { decodeInSteps, decodeTemplates } from '../../db/snapshot/template.ts';
import type { ChangedSnapshot, MenuHead, StoredSnapshot } from '../../db/sql/snapshots.ts';
import { type CdnCaching, NOT_CACHED } from '../http/cdn-caching.ts';
import { UnavailableError } from '../http/errors.ts';
import type { Encoding } from '../http/negotiation.ts';
import type { Variant } from '../http/representations.ts';
import {
  type LoadedSnapshot,
  loadSnapshot,
  type Tenant,
  UNKNOWN_VERSION,
} from './loaded-snapshot.ts';

/** The snapshots in memory, by tenant. Beyond the bound the least recently used are evicted. */
export type SnapshotCache = ReturnType<typeof createSnapshotCache>;

function newTenant(stored: StoredSnapshot, cdn: CdnCaching): Tenant {
  return {
    hot: undefined,
    hotPath: '',
    hotEncoding: 'identity',
    hotRound: 0,
    id: stored.tenant_id,
    slug: stored.slug,
    host: stored.host,
    version: 0,
    defaultLocale: stored.default_locale,
    supportedLocales: stored.supported_locales,
    fallbackLocale: stored.fallback_locale,
    currency: stored.currency,
    timezone: stored.timezone,
    embedOrigins: stored.embed_origins,
    snapshots: new Map(),
    cdn,
  };
}

/** Unless they are of an older version: its snapshot may have been read before and come later. */
function adoptSettings(tenant: Tenant, stored: ChangedSnapshot, version: number): void {
  if (version < tenant.version) return;
  tenant.version = version;
  tenant.hot = undefined;
  tenant.defaultLocale = stored.default_locale;
  tenant.supportedLocales = stored.supported_locales;
  tenant.fallbackLocale = stored.fallback_locale;
  tenant.currency = stored.currency;
  tenant.timezone = stored.timezone;
  tenant.embedOrigins = stored.embed_origins;
}

function forgetVersions(tenants: Iterable<Tenant>): void {
  for (const tenant of tenants) {
    tenant.version = UNKNOWN_VERSION;
    for (const snapshot of tenant.snapshots.values()) snapshot.version = UNKNOWN_VERSION;
  }
}

function servedLocale(tenant: Tenant, requested: RequestedLocale | null): Locale {
  if (requested === null) return tenant.defaultLocale;
  return tenant.supportedLocales.find((locale) => locale === requested) ?? tenant.fallbackLocale;
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

/** Holds snapshots, and their tenants for as long as one of them is held. */
function createShelf(maxBytes: number) {
  const tenants = new Map<string, Tenant>();
  let evicted = 0;
  /** Rises whenever something is held: only then the order of use can matter. */
  let round = 0;

  const isHeld = (snapshot: LoadedSnapshot) =>
    snapshot.tenant.snapshots.get(snapshot.locale) === snapshot;
  const detach = (snapshot: LoadedSnapshot) => {
    if (!isHeld(snapshot)) return;
    const { tenant } = snapshot;
    tenant.snapshots.delete(snapshot.locale);
    tenant.hot = undefined;
    if (tenant.snapshots.size === 0) tenants.delete(tenant.slug);
  };
  const snapshots = new LRUCache<string, LoadedSnapshot>({
    maxSize: maxBytes,
    sizeCalculation: (snapshot) => snapshot.bytes,
    dispose: (snapshot, _key, reason) => {
      if (reason === 'evict') evicted += 1;
      detach(snapshot);
    },
  });
  const hold = (next: LoadedSnapshot): void => {
    const { tenant } = next;
    round += 1;
    next.usedIn = round;
    tenant.snapshots.set(next.locale, next);
    tenant.hot = undefined;
    tenants.set(tenant.slug, tenant);
    snapshots.set(next.key, next);
    // One that is larger than the whole bound answers this request and is not held.
    if (!snapshots.has(next.key)) detach(next);
  };

  return {
    ...{ tenants, snapshots, isHeld, hold },
    /** Keeps an answer of what `answering` found as the tenant's `hot` one. */
    keepHot: (tenant: Tenant, path: string, encoding: Encoding, answer: Variant): void => {
      tenant.hot = answer;
      tenant.hotPath = path;
      tenant.hotEncoding = encoding;
      tenant.hotRound = round;
    },
    /** The `hot` answer, if it is of this kind and its use need not be noted. */
    hotAnswer: (tenant: Tenant, path: string, encoding: Encoding): Variant | undefined => {
      if (tenant.hotRound !== round || tenant.hotPath !== path) return undefined;
      return tenant.hotEncoding === encoding ? tenant.hot : undefined;
    },
    /**
     * Notes a use, once between two changes of what is held: with many menus in memory, the look at the
     * order of use was a quarter of the memory that a hot read touches.
     */
    use: (snapshot: LoadedSnapshot): void => {
      if (snapshot.usedIn === round) return;
      snapshot.usedIn = round;
      snapshots.get(snapshot.key);
    },
    /** Counts what it holds now; only a new entry is measured. */
    measureAgain: (snapshot: LoadedSnapshot): void => {
      if (!isHeld(snapshot)) return;
      snapshots.delete(snapshot.key);
      hold(snapshot);
    },
    stats: () => ({ bytes: snapshots.calculatedSize, snapshots: snapshots.size, evicted }),
  };
}

/**
 * @param maxBytes bound of the memory that the snapshots take together
 * @param onServed called when snapshots of a tenant have taken the place of older ones, or of none
 * @param cachingOf how caches before the gateway may keep a tenant's answers
 */
export function createSnapshotCache(
  maxBytes: number,
  onServed: (tenant: Tenant) => void = () => undefined,
  cachingOf: (tenantId: number) => CdnCaching = () => NOT_CACHED,
) {
  const shelf = createShelf(maxBytes);
  const { tenants, snapshots, isHeld, hold, use, measureAgain, stats } = shelf;

  /** Forgets all of its snapshots. */
  const forgetTenant = (tenant: Tenant) => {
    for (const { key } of tenant.snapshots.values()) snapshots.delete(key);
  };

  /** Opens a stored snapshot and holds it, unless what is held is newer already. */
  const keep = (stored: StoredSnapshot): LoadedSnapshot => {
    const { head, locale } = stored;
    if (!head) throw new UnavailableError('the snapshot is being rebuilt');
    const known = tenants.get(stored.slug);
    // In a database that was made anew the slug may be another tenant's.
    if (known && known.id !== stored.tenant_id) forgetTenant(known);
    const tenant = tenants.get(stored.slug) ?? newTenant(stored, cachingOf(stored.tenant_id));
    const held = tenant.snapshots.get(locale);
    if (held && held.version > head.version) return held;
    const content = stored.cold ?? decodeTemplates(stored.templates);
    const snapshot = loadSnapshot(tenant, headIn(head, locale), content, measureAgain);
    adoptSettings(tenant, stored, snapshot.version);
    hold(snapshot);
    onServed(tenant);
    return snapshot;
  };

  /**
   * Brings the snapshots of a tenant that are in memory to what is stored by now. Those that are served
   * go on serving meanwhile. Each one that was read is put together in slices, between which others
   * are answered, and compressed off the event loop: no reader waits for that.
   *
   * @param change with what has changed since the version `since`
   */
  const renew = async (change: ChangedSnapshot, since: number) => {
    const { head } = change;
    const tenant = tenants.get(change.slug);
    if (tenant?.id !== change.tenant_id || !head) return;
    const templates = await inSlices(decodeInSteps(change.templates));
    const open = (held: LoadedSnapshot) => {
      const sections = new Map([...held.sections(), ...templates]);
      return loadSnapshot(tenant, headIn(head, held.locale), sections, measureAgain);
    };
    const ready = new Map<LoadedSnapshot, LoadedSnapshot>();
    for (const held of [...tenant.snapshots.values()]) {
      // In a row of writes few versions are read, and those that are not need not be put together.
      if (!held.wasServed() || held.version === head.version) continue;
      if (!isCovered(held, head, since)) continue;
      const next = open(held);
      ready.set(held, next);
      await next.getReady(held);
    }
    // All at once, with those that were read meanwhile.
    for (const held of [...tenant.snapshots.values()]) {
      // The renewal of another locale may have evicted it.
      if (!isHeld(held) || !isCovered(held, head, since)) continue;
      adoptSettings(tenant, change, head.version);
      if (held.version !== head.version) hold(ready.get(held) ?? open(held));
    }
    onServed(tenant);
  };

  /** As `find`, of a tenant that may not be held any more. */
  const answering = (tenant: Tenant, requested: RequestedLocale | null) => {
    const snapshot = tenant.snapshots.get(servedLocale(tenant, requested));
    if (snapshot) use(snapshot);
    return snapshot;
  };

  return {
    ...{ answering, keep, renew, forgetTenant, stats },
    ...{ keepHot: shelf.keepHot, hotAnswer: shelf.hotAnswer },
    tenant: (slug: string) => tenants.get(slug),
    tenants: () => tenants.values(),
    /** The snapshot that answers in the requested locale (null: the default), which uses it. */
    find: (slug: string, requested: RequestedLocale | null) => {
      const tenant = tenants.get(slug);
      return tenant && answering(tenant, requested);
    },
    forget: ({ key }: LoadedSnapshot) => void snapshots.delete(key),
    /**
     * Held menus of these tenants serve on, and count as older than any stored one: the database
     * may have lost its versions.
     */
    forgetVersions: (some: Iterable<Tenant> = tenants.values()) => forgetVersions(some),
    /** When the oldest of them was built, in ms since 1970; not a number when none is held. */
    oldest: () => oldestOf(snapshots.values()),
  };
}

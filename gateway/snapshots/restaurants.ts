import type { Db } from '../../db/postgres/sql.ts';
import type { Constants } from '../../db/runtime/constants.ts';
import { createEntryCache } from '../../db/runtime/memoize.ts';
import { headIn } from '../../db/snapshot/parts.ts';
import { findHeads, type StoredHead } from '../../db/sql/snapshots.ts';
import { UnavailableError, unavailable } from '../http/errors.ts';
import { createBatcher } from '../runtime/batcher.ts';
import { addressedHead, type MediaOrigin } from './addressed.ts';
import type { SnapshotCache } from './cache.ts';
import type { Restaurant } from './loaded-snapshot.ts';

/** Tenants whose ids a gateway knows without their menus, for photos. */
const MAX_KNOWN_IDS = 20_000;

type RestaurantConstants = Pick<Constants, 'maxSlugsPerLookUp' | 'readTimeout'>;

interface RestaurantsOptions {
  db: Db;
  cache: Pick<SnapshotCache, 'tenant'>;
  /** Whether Postgres has said of late that there is no such tenant. */
  isUnknown: (slug: string) => boolean;
  mediaOrigin: MediaOrigin;
  constants: RestaurantConstants;
}

/** Tenants without their menus. */
export type Restaurants = ReturnType<typeof createRestaurants>;

/** Reads restaurants; those who ask together are answered together. */
function createRestaurantReader(
  db: Db,
  mediaOrigin: MediaOrigin,
  { maxSlugsPerLookUp, readTimeout }: RestaurantConstants,
  suspended = false,
): (slug: string) => Promise<Restaurant | null> {
  const limits = { maxItems: maxSlugsPerLookUp, timeout: readTimeout };
  const read = createBatcher<string, StoredHead | null>(limits, async (slugs) => {
    const stored = await findHeads(db, slugs, suspended);
    return slugs.map((slug) => stored.get(slug) ?? null);
  });
  return async (slug) => {
    const stored = await read(slug).catch(unavailable(`could not read the restaurant ${slug}`));
    if (!stored) return null;
    const { tenant_id: id, default_locale: defaultLocale, host, head } = stored;
    const { fallback_locale: fallbackLocale, currency } = stored;
    if (!head) throw new UnavailableError('the snapshot is being rebuilt');
    return {
      tenant: { id, slug, host, defaultLocale, fallbackLocale, currency },
      head: headIn(addressedHead(head, mediaOrigin(slug)), defaultLocale),
      ...(stored.suspended && { suspension: { reason: stored.suspension_reason } }),
    };
  };
}

export function createRestaurants(options: RestaurantsOptions) {
  const { db, cache, isUnknown, mediaOrigin, constants } = options;
  const read = createRestaurantReader(db, mediaOrigin, constants);
  const findSuspended = createRestaurantReader(db, mediaOrigin, constants, true);
  const ids = createEntryCache<string, number>(MAX_KNOWN_IDS);
  /** Rises when ids are forgotten: those that were read before it may be old. */
  let round = 0;
  return {
    /** As `find`, of a tenant that is suspended: its panel can be read. */
    findSuspended,
    /**
     * The tenant's data for pages without a menu: from memory, or read without the menu. Null when
     * there is no such tenant.
     *
     * @throws UnavailableError when it must be read and Postgres does not answer
     */
    find: async (slug: string): Promise<Restaurant | null> => {
      const [held] = cache.tenant(slug)?.snapshots.values() ?? [];
      if (held) return held;
      return isUnknown(slug) ? null : read(slug);
    },
    /** As `find`, the tenant's id alone, which stays in memory: photos need nothing else. */
    findId: async (slug: string) => {
      const held = cache.tenant(slug)?.id ?? ids.get(slug);
      if (held !== undefined) return held;
      if (isUnknown(slug)) return null;
      const before = round;
      const restaurant = await read(slug);
      if (!restaurant) return null;
      if (before === round) ids.set(slug, restaurant.tenant.id);
      return restaurant.tenant.id;
    },
    /** A slug may be another tenant's now. */
    forgetIds: () => {
      round += 1;
      ids.clear();
    },
  };
}

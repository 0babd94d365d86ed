import { Resolver } from 'node:dns/promises';
import type { ReadTexts } from '../../db/actions/hosts.ts';
import type { Db } from '../../db/postgres/sql.ts';
import { type Constants, constants } from '../../db/runtime/constants.ts';
import { createEntryCache } from '../../db/runtime/memoize.ts';
import { isHostName } from '../../db/schema/host.ts';
import type { HostNotice } from '../../db/schema/notices.ts';
import { findHostPlaces, type HostPlace } from '../../db/sql/hosts.ts';
import { createAnswer } from '../http/answer.ts';
import { unavailable } from '../http/errors.ts';
import type { Reply, Request } from '../http/exchange.ts';
import { tenantSlug } from '../http/request-origin.ts';
import { createBatcher } from '../runtime/batcher.ts';
import type { SnapshotStore } from '../snapshots/store.ts';

/** How long clients may keep a redirect from a former slug, in s. */
const FORMER_SLUG_AGE = 3_600;

/** The restaurants at hosts that are no present slug: own names, former slugs, and suspended ones. */
export type Hosts = ReturnType<typeof createHosts>;

/** Hosts that a gateway has in memory. */
const MAX_KNOWN_HOSTS = 20_000;

/** Reads hosts when they are asked for, and has them in memory until something changes. */
export function createHosts(db: Db, { readTimeout }: Pick<Constants, 'readTimeout'>) {
  const known = createEntryCache<string, { place: HostPlace | null }>(MAX_KNOWN_HOSTS);
  /** Rises with each change: what was read before it may be old. */
  let changes = 0;
  const listeners: (() => void)[] = [];
  const changed = () => {
    changes += 1;
    for (const onChange of listeners) onChange();
  };
  const limits = { maxItems: constants.maxSlugsPerLookUp, timeout: readTimeout };
  const read = createBatcher<string, HostPlace | null>(limits, async (names) => {
    const places = await findHostPlaces(db, names);
    return names.map((name) => places.get(name) ?? null);
  });

  const load = async (name: string): Promise<HostPlace | null> => {
    const before = changes;
    const place = await read(name).catch(unavailable(`could not look for the host ${name}`));
    // A former slug expires without a notice, so that it is asked for again, like an unknown name.
    // A suspended restaurant is, too: its reason may change.
    const isLasting = place !== null && !place.is_former && !place.is_suspended;
    if (before === changes)
      known.set(name, { place }, isLasting ? {} : { ttl: constants.unknownHostTtl });
    return place;
  };

  return {
    /**
     * The restaurant at a host name, or of a former slug; at once when it is in memory. Null for none.
     *
     * @throws UnavailableError when it must be read and Postgres does not answer
     */
    find: (name: string) => {
      const held = known.get(name);
      return held ? held.place : load(name);
    },
    /** The slug of the restaurant at a host name of its own, where that is in memory. */
    heldSlug: (name: string) =>
      // A name without a dot is a former slug.
      isHostName(name) ? known.get(name)?.place?.slug : undefined,
    /** Adds a listener to changes: any host may be another restaurant's now. */
    subscribe: (onChange: () => void) => void listeners.push(onChange),
    /** A host may be another restaurant's now. */
    onHost: ({ name, slug }: HostNotice) => {
      known.delete(name);
      // Which of its hosts is the main one may have changed for all of them.
      for (const [other, { place }] of known.entries()) {
        if (place?.slug === slug) known.delete(other);
      }
      changed();
    },
    /** Notices may have been missed. */
    reconcile: () => {
      known.clear();
      changed();
    },
  };
}

/** The way from a restaurant's former slug to the same page of it, for reads. */
export function movedReply(
  origin: string,
  { path, query }: Pick<Request, 'path' | 'query'>,
): Reply {
  const address = `${origin}${path}${query === '' ? '' : `?${query}`}`;
  const headers = { Location: address, 'Access-Control-Allow-Origin': '*' };
  const age = `public, max-age=${FORMER_SLUG_AGE}`;
  const answer = createAnswer('308 Permanent Redirect', age, headers, Buffer.alloc(0));
  return { answer, route: 'former host', limitHead: null };
}

/** Whether something is served at a host: a proxy asks before it gets a certificate. */
export type HostCheck = (name: string) => Promise<boolean>;

/** @param domain of the restaurants; the operator's own pages are there */
export function createHostCheck({
  hosts,
  store,
  domain,
}: {
  hosts: Pick<Hosts, 'find'>;
  store: Pick<SnapshotStore, 'findRestaurant'>;
  domain: string;
}): HostCheck {
  return async (name) => {
    if (name === domain) return true;
    const slug = tenantSlug(name, domain);
    if (slug === null) return name.includes('.') && (await hosts.find(name)) !== null;
    return (await store.findRestaurant(slug)) !== null || (await hosts.find(slug)) !== null;
  };
}

/**
 * Makes the reader of TXT records. A name server that is away, or that knows no such name, has none.
 *
 * @param servers addresses with or without ports; none: those of the system
 */
export function createTextReader(servers: readonly string[]): ReadTexts {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers.length > 0) resolver.setServers([...servers]);
  return async (name) => {
    // Each failure has a code of its own, and the owner can only look and try again.
    const records = await resolver.resolveTxt(name).catch(() => []);
    return records.map((parts) => parts.join(''));
  };
}

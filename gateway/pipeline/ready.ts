import { constants } from '../../db/runtime/constants.ts';
import type { BodyName } from '../../db/snapshot/parts.ts';
import type { Hosts } from '../hosts/hosts.ts';
import type { Answer } from '../http/answer.ts';
import type { PageRequest, Poll, Reply } from '../http/exchange.ts';
import { type Encoding, preferredEncoding } from '../http/negotiation.ts';
import {
  answerIn,
  type Representations,
  readyVariant,
  simpleAnswer,
} from '../http/representations.ts';
import { createReadyId } from '../http/request-headers.ts';
import { hostName } from '../http/request-origin.ts';
import type { HotPage, HotRead } from '../http/server.ts';
import type { Counted } from '../limits/client-window.ts';
import type { Limits } from '../limits/counted-limits.ts';
import type { RateLimitHeaders } from '../limits/rate-limit-headers.ts';
import type { LoadedSnapshot, Tenant } from '../snapshots/loaded-snapshot.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import { isLater } from './later.ts';
import type { FinishedRoute, HotRoute } from './route.ts';
import type { Target } from './targets.ts';
import type { Traffic } from './traffic.ts';

export interface ReadyOptions {
  tenantSlug: (host: string) => string | null;
  hosts: Hosts;
  store: Pick<SnapshotStore, 'held' | 'answering' | 'keepHot' | 'hotAnswer'>;
  limits: Pick<Limits, 'pass'>;
  rateLimitHeaders: Pick<RateLimitHeaders, 'withId'>;
  traffic: Pick<Traffic, 'at'>;
  /** The clock of traffic and limits, in ms. */
  now: () => number;
}

/** An answer of the snapshot that somebody has asked for before. */
export function readyIn(snapshot: LoadedSnapshot, body: BodyName): Representations | undefined {
  if (body === 'menu') return snapshot.menu;
  return snapshot.wasServed() ? snapshot.served().resource(body) : undefined;
}

/** The restaurant of a host. */
interface HostTenant extends Counted {
  tenant: Tenant;
}

/**
 * Remembers which restaurant the Host header of a hot read names: to parse it costs more than all
 * other look-ups. A restaurant that leaves the memory has no snapshots, and is looked for anew. When
 * any restaurant's own host changes, all are.
 */
function createHostTenants({ tenantSlug, hosts, store }: ReadyOptions) {
  const places = new Map<string, HostTenant>();
  hosts.subscribe(() => places.clear());
  return {
    find: (host: string): HostTenant | undefined => {
      const known = places.get(host);
      if (known) return known;
      const slug = tenantSlug(host) ?? hosts.heldSlug(hostName(host));
      const held = slug === undefined ? undefined : store.held(slug, null);
      if (!held) return undefined;
      if (places.size >= constants.maxRememberedEntries) places.clear();
      const { tenant } = held;
      const place = { id: tenant.id, window: undefined, tenant };
      places.set(host, place);
      return place;
    },
    forget: (host: string) => void places.delete(host),
  };
}

type HostTenants = ReturnType<typeof createHostTenants>;

/** Of the reads that displays poll. */
function createReadyReads<S>(options: ReadyOptions, places: HostTenants) {
  const { store, limits, rateLimitHeaders, traffic, now } = options;

  return (path: string, { pattern, limiter, locale, route }: Target<S>): HotRead['ready'] => {
    if (route?.kind !== 'finished' || limiter === null)
      throw new Error(`${pattern} is no hot read`);
    const { body }: FinishedRoute = route;
    const limitHead = rateLimitHeaders.withId(limiter);
    const note = traffic.at(pattern);

    const find = (place: HostTenant, poll: Poll, encoding: Encoding): Answer | null => {
      const snapshot = store.answering(place.tenant, locale);
      if (!snapshot) {
        places.forget(poll.host);
        return null;
      }
      const resource = readyIn(snapshot, body);
      const variant = resource && readyVariant(resource, encoding);
      if (!variant) return null;
      store.keepHot(place.tenant, path, encoding, variant);
      return answerIn(resource, variant, poll.ifNoneMatch);
    };

    return (poll: Poll): Reply | null => {
      const startedAt = now();
      const place = places.find(poll.host);
      if (!place) return null;
      const encoding = preferredEncoding(poll.acceptEncoding);
      const hot = store.hotAnswer(place.tenant, path, encoding);
      const simple = hot ? simpleAnswer(hot, poll.ifNoneMatch) : null;
      const answer = simple ?? find(place, poll, encoding);
      if (!answer) return null;
      const remaining = limits.pass(limiter, place, poll.client, startedAt);
      if (remaining < 0) return null;
      note(answer, 'get', startedAt);
      return { answer, route: pattern, limitHead: limitHead(remaining) };
    };
  };
}

/** The answer that a route has at once; null where it must wait, or has an error to tell. */
function callNow(route: HotRoute, request: PageRequest, param: string, snapshot: LoadedSnapshot) {
  try {
    const answer =
      route.kind === 'page'
        ? route.call(request, param, snapshot)
        : route.call(request, param, snapshot.tenant.id);
    if (!isLater(answer)) return answer;
    // The pipeline asks for the same now, and waits for it.
    answer.catch(() => undefined);
  } catch {
    // The pipeline tells it.
  }
  return null;
}

/** Of pages for guests, their files and photos, which no limit counts. */
function createReadyPages({ store, traffic, now }: ReadyOptions, places: HostTenants) {
  return (route: HotRoute): HotPage['ready'] => {
    const { path } = route;
    const note = traffic.at(path);
    const id = createReadyId();
    const idBytes = Buffer.from(id.text);

    return (request, param) => {
      const startedAt = now();
      const place = places.find(request.host);
      // Other ways to write an address are left to the pipeline.
      if (!place || param.includes('%')) return null;
      const snapshot = store.answering(place.tenant, null);
      if (!snapshot) places.forget(request.host);
      const answer = snapshot ? callNow(route, request, param, snapshot) : null;
      if (!answer) return null;
      note(answer, 'get', startedAt);
      id.renew(idBytes);
      return { answer, route: path, limitHead: idBytes };
    };
  };
}

/**
 * Answers what displays and guests ask for most where all that it needs is in memory, by the fewest
 * steps. Whatever is missing or refused is left to the pipeline, which answers as if this had not been
 * tried.
 */
export function createReady<S>(options: ReadyOptions) {
  const places = createHostTenants(options);
  return { read: createReadyReads<S>(options, places), page: createReadyPages(options, places) };
}

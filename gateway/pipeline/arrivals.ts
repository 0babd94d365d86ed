import type { OriginOf } from '../../db/runtime/restaurant-origin.ts';
import { isHostName } from '../../db/schema/host.ts';
import type { HostPlace } from '../../db/sql/hosts.ts';
import { type Hosts, movedReply } from '../hosts/hosts.ts';
import { movedForm, UNKNOWN_HOST, unknownHost } from '../hosts/missing-page.ts';
import type { Handler, Reply, Request } from '../http/exchange.ts';
import { isOfPanel, PLATFORM_PREFIX } from '../http/path.ts';
import { hostName } from '../http/request-origin.ts';
import { isLater } from './later.ts';

export interface ArrivalOptions {
  tenantSlug: (host: string) => string | null;
  hosts: Hosts;
  originOf: OriginOf;
  /** DOMAIN. */
  domain: string;
  /** Answers the operator, at hosts that are no restaurant's. */
  platform: Handler;
}

type Answered = Reply | Promise<Reply>;
/** Answers as the restaurant of a slug. */
type Enter<T> = (slug: string, request: Request, target: T, startedAt: number) => Answered;
/** Answers as a restaurant that is suspended. */
type EnterSuspended<T> = (place: HostPlace, request: Request, target: T) => Answered;

/** Answers a request as the restaurant of its host. */
type Arrive<T> = (request: Request, target: T, startedAt: number) => Answered;

/**
 * Finds the restaurant of a request's host: by its slug below the domain, or by a host name of its own.
 * Reads of a former slug are sent to the present host. Forms get a page with the way there. Whatever
 * `enter` needs is handed on, since a function for each request would cost every hot read.
 */
export function createArrivals<T>(
  options: ArrivalOptions,
  enter: Enter<T>,
  enterSuspended: EnterSuspended<T>,
): Arrive<T> {
  const { tenantSlug, hosts, originOf, domain, platform } = options;

  const atNoTenant = (request: Request): Answered =>
    request.path.startsWith(PLATFORM_PREFIX) ? platform(request) : unknownHost(request);

  const withPlace = (name: string, arrive: (place: HostPlace | null) => Answered): Answered => {
    const found = hosts.find(name);
    return isLater(found) ? found.then(arrive) : arrive(found);
  };

  const atOtherHost: Arrive<T> = (request, target, startedAt) => {
    const name = hostName(request.host);
    // A name without a dot is no restaurant's own, nor is an address.
    if (name === domain || !isHostName(name)) return atNoTenant(request);
    return withPlace(name, (place) => {
      if (!place) return atNoTenant(request);
      if (place.is_suspended) return enterSuspended(place, request, target);
      return enter(place.slug, request, target, startedAt);
    });
  };

  const orFormer = (reply: Reply, slug: string, request: Request, target: T): Answered => {
    if (reply.route !== UNKNOWN_HOST) return reply;
    return withPlace(slug, (place) => {
      if (!place) return reply;
      if (!place.is_former) return enterSuspended(place, request, target);
      const origin = originOf(place, request);
      const isRead = request.method === 'get' || request.method === 'head';
      if (isRead) return movedReply(origin, request);
      return isOfPanel(request.path) ? movedForm(request, origin) : reply;
    });
  };

  return (request, target, startedAt) => {
    const slug = tenantSlug(request.host);
    if (slug === null) return atOtherHost(request, target, startedAt);
    const reply = enter(slug, request, target, startedAt);
    if (!isLater(reply)) return orFormer(reply, slug, request, target);
    return reply.then((late) => orFormer(late, slug, request, target));
  };
}

import type { OriginOf } from '../../db/runtime/restaurant-origin.ts';
import { isHostName } from '../../db/schema/host.ts';
import type { HostPlace } from '../../db/sql/hosts.ts';
import { type Hosts, movedReply } from '../hosts/hosts.ts';
import { UNKNOWN_HOST, unknownHost } from '../hosts/missing-page.ts';
import type { Handler, Reply, Request } from '../http/exchange.ts';
import { PLATFORM_PREFIX } from '../http/path.ts';
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

/** Answers a request as the restaurant of its host. */
type Arrive<T> = (request: Request, target: T, startedAt: number) => Answered;

/**
 * Finds the restaurant of a request's host: by its slug below the domain, or by a host name of its own.
 * Reads of a former slug are sent to the present host. Whatever `enter` needs is handed on, since a
 * function for each request would cost every hot read.
 */
export function createArrivals<T>(options: ArrivalOptions, enter: Enter<T>): Arrive<T> {
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
    return withPlace(name, (place) =>
      place ? enter(place.slug, request, target, startedAt) : atNoTenant(request),
    );
  };

  const orFormer = (reply: Reply, slug: string, request: Request): Answered => {
    if (reply.route !== UNKNOWN_HOST) return reply;
    if (request.method !== 'get' && request.method !== 'head') return reply;
    return withPlace(slug, (place) =>
      place ? movedReply(originOf(place, request), request) : reply,
    );
  };

  return (request, target, startedAt) => {
    const slug = tenantSlug(request.host);
    if (slug === null) return atOtherHost(request, target, startedAt);
    const reply = enter(slug, request, target, startedAt);
    if (!isLater(reply)) return orFormer(reply, slug, request);
    return reply.then((late) => orFormer(late, slug, request));
  };
}

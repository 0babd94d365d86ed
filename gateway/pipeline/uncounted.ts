import type { Constants } from '../../db/runtime/constants.ts';
import type { Answer } from '../http/answer.ts';
import { type ClientNetwork, clientSite } from '../http/client-address.ts';
import { tooManyAttempts } from '../http/errors.ts';
import type { Request } from '../http/exchange.ts';
import { hostName } from '../http/request-origin.ts';
import { createMinuteBound } from '../limits/minute-bound.ts';
import type { ReadyOptions } from './ready.ts';
import type { Target } from './targets.ts';

/** Clients whose uncounted requests a gateway counts. */
const MAX_UNCOUNTED_CLIENTS = 10_000;

export interface UncountedOptions extends Pick<ReadyOptions, 'tenantSlug' | 'hosts' | 'now'> {
  store: Pick<ReadyOptions['store'], 'held'>;
  constants: Pick<Constants, 'maxUncountedRequests' | 'uncountedRequestsWindow'>;
}

/**
 * Bounds the requests of an address that no limit of the API counts: for pages and files that do not
 * lie ready, and for hosts that Postgres must be asked about. An answer that lies ready costs no more
 * than a hot read, and is sent before this counts it. Returns the refusal, or null.
 */
export function createUncountedBound(options: UncountedOptions) {
  const { tenantSlug, hosts, store, now, constants } = options;
  const bound = createMinuteBound<ClientNetwork>(
    constants.maxUncountedRequests,
    MAX_UNCOUNTED_CLIENTS,
    now,
    constants.uncountedRequestsWindow,
  );
  /** Whether the restaurant is in memory, so that its own limits count the request. */
  const isKnown = (host: string) => {
    const slug = tenantSlug(host) ?? hosts.heldSlug(hostName(host));
    return slug !== undefined && store.held(slug, null) !== undefined;
  };
  return <S>(request: Request, { limiter, route }: Target<S>): Answer | null => {
    // The menu's page and its files are made once for all.
    const isBounded = limiter !== null || (route?.kind === 'page' && 'isHot' in route);
    if (isBounded && isKnown(request.host)) return null;
    const wait = bound.take(clientSite(request.client));
    return wait > 0 ? tooManyAttempts(wait) : null;
  };
}

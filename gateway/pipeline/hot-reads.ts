import { LOCALES } from '../../db/schema/locale.ts';
import type { TenantSlugs } from '../http/host.ts';
import { selectReady } from '../http/representations.ts';
import type { HotRead, Reply } from '../http/server.ts';
import type { Limits } from '../limits/limits.ts';
import type { RateLimitHeaders } from '../limits/rate-limit-headers.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import { API_PREFIX, type FinishedRoute, type Route } from './route.ts';
import type { Traffic } from './traffic.ts';

export interface HotReadOptions {
  tenantSlug: TenantSlugs;
  routes: readonly Route[];
  store: SnapshotStore;
  limits: Limits;
  rateLimitHeaders: RateLimitHeaders;
  traffic: Traffic;
  /** The clock of traffic and limits, in ms. */
  now: () => number;
}

/** What a route's parameter can hold in advance: no value, or one of the locales. */
function paramsOf(route: FinishedRoute): readonly string[] {
  return route.path.endsWith('?') ? ['', ...LOCALES] : [''];
}

function pathOf(pattern: string, param: string): string {
  return pattern.replace(/\/:\w+\?$/, param === '' ? '' : `/${param}`);
}

/**
 * The reads for which this service exists: a display that has connected polls a menu that lies
 * finished in memory. Each path is known to the HTTP library, so nothing is looked up by it; what
 * is left to find is the tenant, its snapshot and the client's window.
 */
export function createHotReads(options: HotReadOptions): HotRead[] {
  const { tenantSlug, store, limits, rateLimitHeaders, traffic, now } = options;
  const finished = options.routes.filter((route): route is FinishedRoute => 'body' in route);

  const create = (route: FinishedRoute, param: string): HotRead => {
    const { body } = route;
    const pattern = API_PREFIX + route.path;
    const locale = route.locale(param, '');
    return {
      path: pathOf(pattern, param),
      answer: (client, host, conditions) => {
        const startedAt = now();
        const slug = tenantSlug(host);
        const snapshot = slug === null ? undefined : store.held(slug, locale);
        const resource = snapshot?.served().resources[body];
        const answer = resource && selectReady(resource, conditions);
        if (!snapshot || !answer) return null;
        const remaining = limits.pass('public', snapshot.tenant.id, client, startedAt);
        if (remaining < 0) return null;
        const limitHead = rateLimitHeaders.passing('public', remaining);
        const reply: Reply = { answer, route: pattern, limitHead };
        traffic.note(reply, 'get', startedAt);
        return reply;
      },
    };
  };
  return finished.flatMap((route) => paramsOf(route).map((param) => create(route, param)));
}

import type { Logger } from 'pino';
import { constants } from '../../db/runtime/constants.ts';
import { type Answer, createAnswer, errorAnswer } from '../http/answer.ts';
import { failureAnswer, isFault, NOT_FOUND, TOO_MANY_ATTEMPTS } from '../http/failures.ts';
import type { TenantSlugs } from '../http/host.ts';
import { selectAnswer } from '../http/representations.ts';
import type { Handler, Reply, Request } from '../http/server.ts';
import type { Limiter, Limits, Verdict } from '../limits/limits.ts';
import type { RateLimitHeaders } from '../limits/rate-limit-headers.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import { unknownHostAnswer } from '../unknown-host/page.ts';
import { ADMIN_PREFIX, API_PREFIX, type PageRoute, type Route } from './route.ts';
import { answeredMethods, createRouter, type Match, routedMethod } from './router.ts';

export interface DispatchOptions {
  tenantSlug: TenantSlugs;
  routes: readonly Route[];
  pages: readonly PageRoute[];
  store: SnapshotStore;
  limits: Limits;
  rateLimitHeaders: RateLimitHeaders;
  /** Called for each request that a limiter refuses. */
  onRefusal: (limiter: Limiter) => void;
  log: Logger;
}

/** A route with the whole pattern of its path. */
type Named<R> = R & { pattern: string };

/** A request on its way, with what its address leads to. */
interface RoutedRequest {
  request: Request;
  limiter: Limiter;
  match: Match<Named<Route>> | undefined;
  route: Named<Route> | undefined;
}

const ANALYTICS_PREFIX = `${API_PREFIX}/analytics`;
/** How long a browser may remember that it may ask, in seconds. */
const PREFLIGHT_AGE = 86_400;
const UNKNOWN_HOST: Reply = { answer: unknownHostAnswer, route: 'unknown host', limitHead: null };
const UNKNOWN_PATH = 'unknown path';
/** Below it there is no page, only the API. */
const NO_PAGES = '/api/';

function limiterOf(path: string): Limiter {
  if (path.startsWith(ADMIN_PREFIX)) return 'admin';
  return path.startsWith(ANALYTICS_PREFIX) ? 'analytics' : 'public';
}

/** What the request's path is counted as: one of few, whatever clients ask for. */
function patternOf({ match, route }: RoutedRequest): string {
  if (route) return route.pattern;
  const [other] = match?.routes.values() ?? [];
  return other?.pattern ?? UNKNOWN_PATH;
}

function nameRoutes<R extends { path: string }>(prefix: string, routes: readonly R[]): Named<R>[] {
  return routes.map((route) => ({ ...route, pattern: prefix + route.path }));
}

function methodNotAllowed(allow: string): Answer {
  return errorAnswer('405 Method Not Allowed', 'Method Not Allowed', { Allow: allow });
}

/** For a method that no route has: what is allowed, and to browsers on which terms. */
function answerOtherMethod(
  { request, limiter }: RoutedRequest,
  match: Match<Named<Route>>,
): Answer {
  const allow = [...answeredMethods(match.routes), 'OPTIONS'].join(', ');
  if (request.method !== 'options') return methodNotAllowed(allow);
  const preflight = {
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': 'Content-Type, If-None-Match',
    'Access-Control-Max-Age': String(PREFLIGHT_AGE),
  };
  const headers = { Allow: allow, ...(limiter !== 'admin' && preflight) };
  return createAnswer('204 No Content', 'no-store', headers, null);
}

/** Answers a request that was admitted. */
function perform(
  routed: RoutedRequest,
  snapshot: LoadedSnapshot,
  fail: (error: unknown, request: Request) => Answer,
): Answer | Promise<Answer> {
  const { request, match, route } = routed;
  if (!match) return NOT_FOUND;
  if (!route) return answerOtherMethod(routed, match);
  const { param } = match;
  if (route.kind === 'read') {
    try {
      const answer = selectAnswer(route.read({ snapshot, param, query: request.query }), request);
      return answer instanceof Promise ? answer.catch((error) => fail(error, request)) : answer;
    } catch (error) {
      return fail(error, request);
    }
  }
  return route
    .call({ ...request, tenant: snapshot.tenant, param })
    .catch((error) => fail(error, request));
}

function openPage(
  { routes, param }: Match<PageRoute>,
  request: Request,
  snapshot: LoadedSnapshot,
): Answer | Promise<Answer> {
  const route = routes.get(routedMethod(request.method));
  if (!route) return methodNotAllowed(answeredMethods(routes).join(', '));
  // No limit guards pages, and none of ours asks for so much.
  const query = request.query.length > constants.maxQueryLength ? '' : request.query;
  return route.call({ ...request, query, param, snapshot });
}

/**
 * Answers requests in the order of refusals that DESIGN fixes: unknown tenant, limit, unknown path
 * or method, then what the route itself refuses. Whatever is in memory is answered at once, without
 * a promise.
 */
export function createDispatch(options: DispatchOptions): Handler {
  const { tenantSlug, store, limits, rateLimitHeaders, onRefusal, log } = options;
  const router = createRouter(API_PREFIX, nameRoutes(API_PREFIX, options.routes));
  const pages = createRouter('', options.pages);

  const fail = (error: unknown, request: Request): Answer => {
    if (isFault(error)) log.error({ err: error, path: request.path }, 'a request failed');
    return failureAnswer(error);
  };

  const judge = (
    routed: RoutedRequest,
    snapshot: LoadedSnapshot,
    verdict: Verdict,
  ): Reply | Promise<Reply> => {
    const limitHead = rateLimitHeaders.of(routed.limiter, verdict);
    const route = patternOf(routed);
    if (!verdict.admitted) {
      onRefusal(routed.limiter);
      return { answer: TOO_MANY_ATTEMPTS, route, limitHead };
    }
    const answer = perform(routed, snapshot, fail);
    return answer instanceof Promise
      ? answer.then((done) => ({ answer: done, route, limitHead }))
      : { answer, route, limitHead };
  };

  const admit = (
    routed: RoutedRequest,
    snapshot: LoadedSnapshot | null,
  ): Reply | Promise<Reply> => {
    if (!snapshot) return UNKNOWN_HOST;
    const verdict = limits.take(routed.limiter, snapshot.tenant.id, routed.request.client);
    return verdict instanceof Promise
      ? verdict.then((decided) => judge(routed, snapshot, decided))
      : judge(routed, snapshot, verdict);
  };

  const open = async (slug: string, request: Request, page: Match<PageRoute>): Promise<Reply> => {
    const [first] = page.routes.values();
    const route = first?.path ?? UNKNOWN_PATH;
    try {
      const snapshot = await store.find(slug, null);
      if (!snapshot) return UNKNOWN_HOST;
      return { answer: await openPage(page, request, snapshot), route, limitHead: null };
    } catch (error) {
      return { answer: fail(error, request), route, limitHead: null };
    }
  };

  return (request) => {
    const slug = tenantSlug(request.host);
    if (slug === null) return UNKNOWN_HOST;
    const page = request.path.startsWith(NO_PAGES) ? undefined : pages.match(request.path);
    if (page) return open(slug, request, page);
    const match = router.match(request.path);
    const route = match?.routes.get(routedMethod(request.method));
    const limiter = limiterOf(request.path);
    const routed: RoutedRequest = { request, limiter, match, route };
    const locale =
      match && route?.kind === 'read' ? route.locale(match.param, request.query) : null;
    const found = store.find(slug, locale);
    if (!(found instanceof Promise)) return admit(routed, found);
    return found.then(
      (snapshot) => admit(routed, snapshot),
      (error) => ({
        answer: fail(error, request),
        route: patternOf(routed),
        limitHead: rateLimitHeaders.uncounted(limiter),
      }),
    );
  };
}

import type { Logger } from 'pino';
import type { Constants } from '../../db/runtime/constants.ts';
import { missingPage } from '../hosts/missing-page.ts';
import { type Answer, createAnswer, errorAnswer } from '../http/answer.ts';
import { compressed } from '../http/compress-answer.ts';
import {
  failureAnswer,
  isFault,
  NOT_FOUND,
  NotFoundError,
  UnavailableError,
} from '../http/errors.ts';
import type { Request } from '../http/exchange.ts';
import { isOfPanel } from '../http/path.ts';
import { pageQuery } from '../http/query.ts';
import { selectAnswer } from '../http/representations.ts';
import type { LoadedSnapshot, Restaurant } from '../snapshots/loaded-snapshot.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import { type Authenticator, guard } from './authenticate.ts';
import { readyIn } from './ready.ts';
import type {
  CallRoute,
  FinishedRoute,
  GuardedRoute,
  HotPageRoute,
  HotRestaurantRoute,
  PageRoute,
  ReadRoute,
  RestaurantRoute,
  TokenRoute,
} from './route.ts';
import { answeredMethods } from './router.ts';
import type { Target } from './targets.ts';

export interface PerformOptions<S> {
  /** The services that handlers may use. */
  services: S;
  authenticator: Authenticator;
  constants: Pick<Constants, 'tokenFreshness'>;
  log: Logger;
}

/** How long a browser may remember that it may ask, in seconds. */
const PREFLIGHT_AGE = 86_400;

function methodNotAllowed(methods: readonly string[]): Answer {
  const headers = { Allow: methods.join(', ') };
  return errorAnswer('405 Method Not Allowed', 'Method Not Allowed', headers);
}

/** For a method that no route has: what is allowed, and to browsers on which terms. */
function answerOtherMethod<S>({ methods, limiter }: Target<S>, method: string): Answer {
  if (methods.size === 0) return NOT_FOUND;
  const answered = answeredMethods(methods);
  if (limiter === null) return methodNotAllowed(answered);
  const all = [...answered, 'OPTIONS'];
  if (method !== 'options') return methodNotAllowed(all);
  const allow = all.join(', ');
  const preflight = {
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': 'Content-Type, If-None-Match, Last-Event-ID, X-Request-Id',
    'Access-Control-Max-Age': String(PREFLIGHT_AGE),
  };
  const headers = { Allow: allow, ...(limiter !== 'admin' && preflight) };
  return createAnswer('204 No Content', 'no-store', headers, null);
}

/**
 * A copy of a request that is given further fields. It is written out: in an object that begins with
 * three dots each further field takes 1 µs in Node 20, which made a page 1.6 times as dear.
 */
function copyOf(request: Request, query: string): Request {
  const { id, client, secure, method, host, path } = request;
  const { ifNoneMatch, acceptEncoding, cookie, acceptLanguage } = request;
  const { headers, body, claim, free } = request;
  return {
    id,
    client,
    secure,
    method,
    host,
    path,
    query,
    ifNoneMatch,
    acceptEncoding,
    cookie,
    acceptLanguage,
    headers,
    body,
    claim,
    free,
  };
}

/** Answers a page that shows no menu; null where there is no such tenant. */
export async function openRestaurant(
  store: Pick<SnapshotStore, 'findRestaurant' | 'findId'>,
  route: RestaurantRoute | HotRestaurantRoute,
  slug: string,
  request: Request,
  param: string,
): Promise<Answer | null> {
  if ('isHot' in route) {
    const id = await store.findId(slug);
    return id === null ? null : route.call(request, param, id);
  }
  const restaurant = await store.findRestaurant(slug);
  return restaurant && callRoute(route, request, param, restaurant);
}

/** Answers a page of the panel of a suspended restaurant; null for all else of it. */
export async function openSuspended(
  store: Pick<SnapshotStore, 'findSuspended'>,
  route: Target<unknown>['route'],
  slug: string,
  request: Request,
  param: string,
): Promise<Answer | null> {
  if (route?.kind !== 'restaurant' || 'isHot' in route || !isOfPanel(route.path)) return null;
  const restaurant = await store.findSuspended(slug);
  return restaurant && callRoute(route, request, param, restaurant);
}

function callRoute(
  route: RestaurantRoute,
  request: Request,
  param: string,
  restaurant: Restaurant,
) {
  return route.call(Object.assign(copyOf(request, pageQuery(request)), { param, restaurant }));
}

/**
 * Answers with an error, and logs it when it is a fault of ours: under the pattern of its route,
 * because a path may hold a secret.
 */
export function createFail(log: Logger) {
  return (error: unknown, { id }: Pick<Request, 'id'>, route: string): Answer => {
    // The log itself knows an outage from a crowd.
    const level = error instanceof UnavailableError ? 'warn' : 'error';
    if (isFault(error)) log[level]({ err: error, route, error_id: id }, 'a request failed');
    return failureAnswer(error, id);
  };
}

/** The last steps of an admitted request: its route, its token, its handler. */
export function createPerform<S>(options: PerformOptions<S>) {
  const { services, authenticator, constants, log } = options;
  const fail = createFail(log);

  const call = async (
    route: CallRoute<S> | GuardedRoute<S> | TokenRoute<S>,
    request: Request,
    snapshot: LoadedSnapshot,
    { param, pattern }: Pick<Target<S>, 'param' | 'pattern'>,
  ): Promise<Answer> => {
    const own = copyOf(request, request.query);
    const context = Object.assign(own, { tenant: snapshot.tenant, param });
    try {
      if (route.kind === 'call')
        return await compressed(await route.call(context, services), request);
      const scope = route.kind === 'guarded' ? [route.scope, route.orScope ?? route.scope] : null;
      const token = await guard(context, scope, authenticator, constants);
      return await compressed(
        await route.call(Object.assign(context, { token }), services),
        request,
      );
    } catch (error) {
      return fail(error, request, pattern);
    }
  };

  const read = (
    route: FinishedRoute | ReadRoute<S> | PageRoute | HotPageRoute,
    request: Request,
    snapshot: LoadedSnapshot,
    param: string,
  ): Answer | Promise<Answer> => {
    if ('isHot' in route) return route.call(request, param, snapshot);
    if (route.kind === 'page') {
      const own = copyOf(request, pageQuery(request));
      return route.call(Object.assign(own, { snapshot, param }));
    }
    const resource =
      route.kind === 'finished'
        ? (readyIn(snapshot, route.body) ?? snapshot.served().resource(route.body))
        : route.read({ snapshot, param, query: request.query }, services);
    return selectAnswer(resource, request);
  };

  return (target: Target<S>, request: Request, snapshot: LoadedSnapshot) => {
    const { route, param, pattern } = target;
    // Pages without a menu are opened before one is looked for.
    if (!route || route.kind === 'restaurant') {
      // To reload the page that answered a form asks for its path.
      const isUnknown = target.methods.size === 0 || isOfPanel(request.path);
      const isMissing = isUnknown && request.method === 'get';
      const page = isMissing && missingPage(request, snapshot.tenant.defaultLocale);
      return page || answerOtherMethod(target, request.method);
    }
    if (route.kind === 'call' || route.kind === 'guarded' || route.kind === 'token') {
      return call(route, request, snapshot, target);
    }
    const failed = (error: unknown): Answer => {
      const isMissing = error instanceof NotFoundError && request.method === 'get';
      const page = isMissing && missingPage(request, snapshot.tenant.defaultLocale);
      return page || fail(error, request, pattern);
    };
    try {
      const answer = read(route, request, snapshot, param);
      return 'then' in answer ? answer.catch(failed) : answer;
    } catch (error) {
      return failed(error);
    }
  };
}

import type { HostPlace } from '../../db/sql/hosts.ts';
import { suspendedHost, unknownHost } from '../hosts/missing-page.ts';
import type { Answer } from '../http/answer.ts';
import { hasCdnHeader } from '../http/cdn-caching.ts';
import { TOO_MANY_ATTEMPTS } from '../http/errors.ts';
import type { Handler, Reply, Request } from '../http/exchange.ts';
import type { Limits } from '../limits/counted-limits.ts';
import type { Limiter, Verdict } from '../limits/limits.ts';
import type { RateLimitHeaders } from '../limits/rate-limit-headers.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import { type ArrivalOptions, createArrivals } from './arrivals.ts';
import { createDeferredTargets, type DeferredRoutes } from './deferred.ts';
import { isLater } from './later.ts';
import {
  createFail,
  createPerform,
  openRestaurant,
  openSuspended,
  type PerformOptions,
} from './perform.ts';
import { createReady, type ReadyOptions } from './ready.ts';
import type { HotRestaurantRoute, RestaurantRoute, Route } from './route.ts';
import { finishedTargets, type Target } from './targets.ts';
import type { Traffic } from './traffic.ts';
import { createUncountedBound, type UncountedOptions } from './uncounted.ts';

interface PipelineOptions<S>
  extends Omit<PerformOptions<S>, 'constants'>,
    ArrivalOptions,
    ReadyOptions {
  routes: readonly Route<S>[];
  deferred: DeferredRoutes<S>;
  store: SnapshotStore;
  limits: Limits;
  rateLimitHeaders: RateLimitHeaders;
  traffic: Traffic;
  constants: PerformOptions<S>['constants'] & UncountedOptions['constants'];
}

/** Decides about a request and performs it, when its tenant is known. */
function createAdmit<S>(options: PipelineOptions<S>) {
  const { limits, rateLimitHeaders, traffic } = options;
  const { isShared } = rateLimitHeaders;
  const perform = createPerform(options);

  const answer = (
    target: Target<S>,
    request: Request,
    snapshot: LoadedSnapshot,
    limitHead: Buffer | null,
  ): Reply | Promise<Reply> => {
    const route = target.pattern;
    // An answer that caches keep has nothing of a client's limit.
    const reply = (done: Answer, head: Buffer | null): Reply => ({
      ...{ answer: done, route, limitHead: isShared && hasCdnHeader(done) ? null : head },
    });
    const done = perform(target, request, snapshot);
    if (!isLater(done)) return reply(done, limitHead);
    // Those bytes are good for this moment only.
    const kept = limitHead && Buffer.from(limitHead);
    return done.then((late) => reply(late, kept));
  };

  const judge = (
    target: Target<S>,
    request: Request,
    snapshot: LoadedSnapshot,
    limiter: Limiter,
    verdict: Verdict,
  ): Reply | Promise<Reply> => {
    const limitHead = rateLimitHeaders.of(limiter, verdict);
    if (verdict.admitted) return answer(target, request, snapshot, limitHead);
    traffic.refuse(limiter);
    return { answer: TOO_MANY_ATTEMPTS, route: target.pattern, limitHead };
  };

  return (
    target: Target<S>,
    request: Request,
    snapshot: LoadedSnapshot | null,
    startedAt: number,
  ): Reply | Promise<Reply> => {
    if (!snapshot) return unknownHost(request);
    const { limiter } = target;
    if (limiter === null) return answer(target, request, snapshot, null);
    const { tenant } = snapshot;
    // A preflight belongs to the request that follows, and is not counted.
    if (request.method === 'options') {
      const remaining = limits.left(limiter, tenant.id, request.client);
      const left = rateLimitHeaders.of(limiter, { admitted: true, remaining, resetIn: 0 });
      return answer(target, request, snapshot, left);
    }
    const counted = { id: tenant.id, window: undefined };
    const remaining = limits.pass(limiter, counted, request.client, startedAt);
    if (remaining >= 0) {
      return answer(target, request, snapshot, rateLimitHeaders.passing(limiter, remaining));
    }
    const verdict = limits.take(limiter, tenant.id, request.client);
    return isLater(verdict)
      ? verdict.then((decided) => judge(target, request, snapshot, limiter, decided))
      : judge(target, request, snapshot, limiter, verdict);
  };
}

/** Makes the answers of suspended restaurants. */
function createEnterSuspended<S>(store: Pick<SnapshotStore, 'findSuspended'>) {
  return async (
    { slug, suspension_reason: reason }: HostPlace,
    request: Request,
    { route, param, pattern }: Target<S>,
  ): Promise<Reply> => {
    const answer = await openSuspended(store, route, slug, request, param);
    return answer ? { answer, route: pattern, limitHead: null } : suspendedHost(request, reason);
  };
}

/** The reads and pages whose targets are found in advance. */
function createHot<S>(options: PipelineOptions<S>) {
  const { routes } = options;
  const ready = createReady<S>(options);
  const hotReads = [...finishedTargets(routes)].map(([path, target]) => ({
    path,
    hasQuery: target.route?.kind === 'finished' && 'query' in target.route.description,
    ready: ready.read(path, target),
  }));
  const hotPages = routes.flatMap((route) =>
    'isHot' in route ? [{ path: route.path, ready: ready.page(route) }] : [],
  );
  return { hotReads, hotPages };
}

/**
 * Answers requests in the order of refusals that DESIGN fixes: unknown tenant, limit, unknown path or
 * method, token, then what the route itself refuses. Whatever is in memory is answered at once,
 * without a promise.
 */
export function createPipeline<S>(options: PipelineOptions<S>) {
  const { routes, deferred, store, rateLimitHeaders, traffic, now, log } = options;
  const admit = createAdmit(options);
  const fail = createFail(log);
  const targets = createDeferredTargets(routes, deferred);
  const refuseUncounted = createUncountedBound(options);

  /** @param startedAt on the clock of the limits; a promise may come to it later */
  const enter = (
    slug: string,
    request: Request,
    target: Target<S>,
    startedAt: number,
  ): Reply | Promise<Reply> => {
    const { route } = target;
    if (route?.kind === 'restaurant') return enterRestaurant(route, target, slug, request);
    const found = store.find(slug, target.locale);
    if (!isLater(found)) return admit(target, request, found, startedAt);
    return found.then((snapshot) => admit(target, request, snapshot, now()));
  };

  const enterRestaurant = async (
    route: RestaurantRoute | HotRestaurantRoute,
    { param, pattern }: Target<S>,
    slug: string,
    request: Request,
  ): Promise<Reply> => {
    const answer = await openRestaurant(store, route, slug, request, param);
    return answer ? { answer, route: pattern, limitHead: null } : unknownHost(request);
  };

  const arrive = createArrivals(options, enter, createEnterSuspended<S>(store));

  const counted = (reply: Reply | Promise<Reply>, { method }: Request, startedAt: number) => {
    if (!isLater(reply)) {
      traffic.note(reply, method, startedAt);
      return reply;
    }
    return reply.then((late) => {
      traffic.note(late, method, startedAt);
      return late;
    });
  };

  const failed = ({ pattern, limiter }: Target<S>, request: Request, error: unknown): Reply => ({
    answer: fail(error, request, pattern),
    route: pattern,
    limitHead: limiter && rateLimitHeaders.uncounted(limiter),
  });

  /** Whatever throws is answered, also what throws while it makes the answer to an error. */
  const answerAnyhow = (target: Target<S>, request: Request, startedAt: number) => {
    try {
      const refusal = refuseUncounted(request, target);
      if (refusal) return { answer: refusal, route: target.pattern, limitHead: null };
      const reply = arrive(request, target, startedAt);
      return isLater(reply) ? reply.catch((error) => failed(target, request, error)) : reply;
    } catch (error) {
      return failed(target, request, error);
    }
  };

  const targetOf = ({ method, path, query }: Request) => targets.find(method, path, query);
  const answer = (request: Request) => {
    const startedAt = now();
    return counted(answerAnyhow(targetOf(request), request, startedAt), request, startedAt);
  };
  /** Answers every request. */
  const handle: Handler = (request) => {
    const prepared = targets.prepare(request.path);
    if (prepared === undefined) return answer(request);
    const unprepared = (error: unknown) => {
      return counted(failed(targetOf(request), request, error), request, now());
    };
    return prepared.then(() => answer(request), unprepared);
  };
  return { handle, prepareAll: targets.prepareAll, ...createHot(options) };
}

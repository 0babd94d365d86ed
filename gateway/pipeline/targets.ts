import { ALL_LOCALES, type RequestedLocale } from '../../db/schema/values/locale.ts';
import { API_PREFIX } from '../http/path.ts';
import type { Limiter } from '../limits/limits.ts';
import type { FinishedRoute, HotRoute, PageRoute, RestaurantRoute, Route } from './route.ts';
import { createRouter, routedMethod } from './router.ts';

/** Where a request leads. */
export interface Target<S> {
  /** The pattern under which the request is counted: one of few, whatever clients ask for. */
  pattern: string;
  /** Null for pages, which have none. */
  limiter: Limiter | null;
  /** The locale whose snapshot the answer needs; null is the restaurant's default. */
  locale: RequestedLocale | null;
  /** Undefined when the path does not exist, or lacks the method. */
  route: Route<S> | undefined;
  /** The value of the path's parameter, else the empty string. */
  param: string;
  /** The routes of the path by method; empty when it does not exist. */
  methods: ReadonlyMap<string, unknown>;
}

const UNKNOWN_PATH = 'unknown path';
const NONE: ReadonlyMap<string, unknown> = new Map();

function isPage<S>(route: Route<S>): route is PageRoute | RestaurantRoute | HotRoute {
  return route.kind === 'page' || route.kind === 'restaurant';
}

/** The path of a route as requests have it, with the names of its parameters. */
export function patternOf<S>(route: Route<S>): string {
  return isPage(route) || route.kind === 'token' ? route.path : API_PREFIX + route.path;
}

/** The part of a path by which limiters are told apart: the prefix and the segment behind it. */
function areaOf(path: string): string {
  const end = path.indexOf('/', API_PREFIX.length + 1);
  return end === -1 ? path : path.slice(0, end);
}

function localeOf<S>(route: Route<S> | undefined, param: string, query: string) {
  const isLocalised = route?.kind === 'finished' || route?.kind === 'read';
  return (isLocalised && route.locale?.(param, query)) || null;
}

/** Finds the target of a request. An unknown path counts like those that begin as it does. */
export function createTargets<S>(routes: readonly Route<S>[]) {
  const entries = routes.map((route) => ({
    method: route.method,
    path: patternOf(route),
    limiter: isPage(route) ? null : route.limiter,
    route,
  }));
  const router = createRouter(entries);
  const limiters = new Map(entries.map(({ path, limiter }) => [areaOf(path), limiter]));
  return (method: string, path: string, query: string): Target<S> => {
    const match = router.match(path);
    if (!match) {
      const limiter = limiters.get(areaOf(path)) ?? 'public';
      const nowhere = { route: undefined, locale: null, param: '', methods: NONE };
      return { pattern: UNKNOWN_PATH, limiter, ...nowhere };
    }
    const { param, routes: methods } = match;
    const route = methods.get(routedMethod(method))?.route;
    // All methods of a path have these in common.
    const [some] = methods.values();
    return {
      pattern: some?.path ?? UNKNOWN_PATH,
      limiter: some?.limiter ?? null,
      locale: localeOf(route, param, query),
      ...{ route, param, methods },
    };
  };
}

/** The parameters of a route that can be listed: none, or each locale. */
function paramsOf(route: FinishedRoute): readonly string[] {
  return route.path.endsWith('?') ? ['', ...ALL_LOCALES] : [''];
}

/** The targets of finished reads by their paths, found in advance. */
export function finishedTargets<S>(routes: readonly Route<S>[]): Map<string, Target<S>> {
  const find = createTargets(routes);
  const finished = routes.filter((route) => route.kind === 'finished');
  const paths = finished.flatMap((route) =>
    paramsOf(route).map((param) =>
      patternOf(route).replace(/\/:\w+\?$/, param === '' ? '' : `/${param}`),
    ),
  );
  return new Map(paths.map((path) => [path, find('get', path, '')]));
}

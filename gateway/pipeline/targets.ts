import { LOCALES, type Locale } from '../../db/schema/locale.ts';
import type { Limiter } from '../limits/limits.ts';
import { API_PREFIX, type FinishedRoute, type Route } from './route.ts';
import { createRouter, routedMethod } from './router.ts';

/** Where a request of the API leads. */
export interface Target<S> {
  /** What the request is counted as: one of few patterns, whatever clients ask for. */
  pattern: string;
  limiter: Limiter;
  /** The locale whose snapshot the answer needs; null is the restaurant's default. */
  locale: Locale | null;
  /** Undefined when the path does not exist, or lacks the method. */
  route: Route<S> | undefined;
  /** The value of the path's parameter, else the empty string. */
  param: string;
  /** Every route of the path by method; empty when it does not exist. */
  routes: ReadonlyMap<string, Route<S>>;
}

const UNKNOWN_PATH = 'unknown path';

/** The part of a path by which limiters are told apart: the segment behind the prefix. */
function areaOf(path: string): string {
  const end = path.indexOf('/', 1);
  return end === -1 ? path : path.slice(0, end);
}

function localeOf<S>(route: Route<S> | undefined, param: string, query: string): Locale | null {
  if (route?.kind === 'finished') return route.locale(param);
  return route?.kind === 'read' ? route.locale(query) : null;
}

/** Finds the target of a request. An unknown path counts like those that begin as it does. */
export function createTargets<S>(routes: readonly Route<S>[]) {
  const router = createRouter(API_PREFIX, routes);
  const limiters = new Map(routes.map(({ path, limiter }) => [areaOf(path), limiter]));
  const limiterOfUnknown = (path: string): Limiter => {
    const area = path.startsWith(API_PREFIX) ? areaOf(path.slice(API_PREFIX.length)) : '';
    return limiters.get(area) ?? 'public';
  };
  return (method: string, path: string, query: string): Target<S> => {
    const match = router.match(path);
    if (!match) {
      const limiter = limiterOfUnknown(path);
      return {
        ...{ pattern: UNKNOWN_PATH, limiter, locale: null },
        ...{ route: undefined, param: '', routes: new Map() },
      };
    }
    const { param } = match;
    const route = match.routes.get(routedMethod(method));
    const [some = route] = match.routes.values();
    return {
      pattern: API_PREFIX + some?.path,
      limiter: some?.limiter ?? 'public',
      locale: localeOf(route, param, query),
      ...{ route, param, routes: match.routes },
    };
  };
}

/** What a route's parameter can hold in advance: no value, or one of the locales. */
function paramsOf(route: FinishedRoute): readonly string[] {
  return route.path.endsWith('?') ? ['', ...LOCALES] : [''];
}

/** The targets of finished reads by their paths, found in advance. */
export function finishedTargets<S>(routes: readonly Route<S>[]): Map<string, Target<S>> {
  const find = createTargets(routes);
  const finished = routes.filter((route) => route.kind === 'finished');
  const paths = finished.flatMap((route) =>
    paramsOf(route).map((param) =>
      (API_PREFIX + route.path).replace(/\/:\w+\?$/, param === '' ? '' : `/${param}`),
    ),
  );
  return new Map(paths.map((path) => [path, find('get', path, '')]));
}

import { memoizeAsync } from '../../db/runtime/memoize.ts';
import type { Route } from './route.ts';
import { createTargets, patternOf } from './targets.ts';

/** Routes that a gateway loads when it is ready, or with the first request for them. */
export interface DeferredRoutes<S> {
  /** Paths: each of the routes is at one of them or below it, and no other route is. */
  areas: readonly string[];
  load(): Promise<readonly Route<S>[]>;
}

/** Finds targets among the routes, and among the deferred ones as soon as they are loaded. */
export function createDeferredTargets<S>(
  routes: readonly Route<S>[],
  { areas, load }: DeferredRoutes<S>,
) {
  const isDeferred = (path: string) =>
    areas.some((area) => path === area || path.startsWith(`${area}/`));
  let find = createTargets(routes);
  let isWhole = false;
  const loadOnce = memoizeAsync(async () => {
    const deferred = await load();
    const stray = deferred.find((route) => !isDeferred(patternOf(route)));
    if (stray) throw new Error(`${patternOf(stray)} is in no area of deferred routes`);
    find = createTargets([...routes, ...deferred]);
    isWhole = true;
  });
  return {
    find: (...request: Parameters<typeof find>) => find(...request),
    /** Loads the deferred routes when a path needs them and they are not there; else undefined. */
    prepare: (path: string) => (isWhole || !isDeferred(path) ? undefined : loadOnce()),
    /** Loads the deferred routes, once. */
    prepareAll: loadOnce,
  };
}

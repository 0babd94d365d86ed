import { type Answer, errorAnswer } from '../http/answer.ts';
import type { Request } from '../http/server.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import type { PageRoute } from './route.ts';
import { answeredMethods, createRouter, type Match, routedMethod } from './router.ts';

export interface Pages {
  /** Finds a page by its path; costs the API next to nothing. */
  match(path: string): Match<PageRoute> | undefined;
  open(
    page: Match<PageRoute>,
    request: Request,
    snapshot: LoadedSnapshot,
  ): Answer | Promise<Answer>;
}

/** Below it there is no page, only the API. */
const API = '/api/';

export function createPages(routes: readonly PageRoute[]): Pages {
  const router = createRouter('', routes);
  return {
    match: (path) => (path.startsWith(API) ? undefined : router.match(path)),
    open: ({ routes: byMethod, param }, request, snapshot) => {
      const route = byMethod.get(routedMethod(request.method));
      if (route) return route.call({ ...request, param, snapshot });
      const allow = answeredMethods(byMethod).join(', ');
      return errorAnswer('405 Method Not Allowed', 'Method Not Allowed', { Allow: allow });
    },
  };
}

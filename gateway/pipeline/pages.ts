import type { Logger } from 'pino';
import { constants } from '../../db/runtime/constants.ts';
import type { Answer } from '../http/answer.ts';
import type { Reply, Request } from '../http/server.ts';
import type { LoadedSnapshot } from '../snapshots/loaded-snapshot.ts';
import type { SnapshotStore } from '../snapshots/store.ts';
import { createFail, methodNotAllowed } from './perform.ts';
import type { PageRoute } from './route.ts';
import { answeredMethods, createRouter, type Match, routedMethod } from './router.ts';

/** Below it there is no page, only the API. */
const NO_PAGES = '/api/';

export interface PagesOptions {
  pages: readonly PageRoute[];
  store: Pick<SnapshotStore, 'find'>;
  /** For a host that is no restaurant. */
  unknownHost: Reply;
  log: Logger;
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

/** Answers requests for pages; null for a path that is none. */
export function createPages({ pages, store, unknownHost, log }: PagesOptions) {
  const router = createRouter('', pages);
  const fail = createFail(log);

  const open = async (slug: string, request: Request, page: Match<PageRoute>): Promise<Reply> => {
    const [first] = page.routes.values();
    const route = first?.path ?? '';
    try {
      const snapshot = await store.find(slug, null);
      if (!snapshot) return unknownHost;
      return { answer: await openPage(page, request, snapshot), route, limitHead: null };
    } catch (error) {
      return { answer: fail(error, request), route, limitHead: null };
    }
  };

  return (slug: string, request: Request): Promise<Reply> | null => {
    const page = request.path.startsWith(NO_PAGES) ? undefined : router.match(request.path);
    return page ? open(slug, request, page) : null;
  };
}

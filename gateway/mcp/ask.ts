import { grants } from '../../db/schema/token.ts';
import { ForbiddenError } from '../http/errors.ts';
import { JSON_MEDIA_TYPE } from '../openapi/parts.ts';
import type { GuardedContext } from '../pipeline/route.ts';
import type { ApiRoute, Services } from '../routes/frame/services.ts';

/** A request to an endpoint of the API. */
export interface Question {
  /** The value of the path's parameter. */
  param?: string | number;
  query?: Record<string, string | number | undefined>;
  /** JSON, or a table as text. */
  body?: object | string;
  /** The entity tag that the menu must have. */
  tag?: string | undefined;
  /** Of a text. */
  type?: string;
  /** The person who has checked the allergens that it changes. */
  confirmedBy?: string | undefined;
}

export interface ApiAnswer {
  /** HTTP's. */
  status: number;
  json: { data?: unknown; meta?: Record<string, unknown>; [name: string]: unknown };
  /** The entity tag, without quotes; null where it has none. */
  tag: string | null;
}

/** Calls an endpoint by its operation id, with the token of the caller. */
export type AskApi = (id: string, question?: Question) => Promise<ApiAnswer>;

function guardedRoutes(routes: readonly ApiRoute[]) {
  return new Map(
    routes.flatMap((route) =>
      route.kind === 'guarded' ? [[route.description.id, route] as const] : [],
    ),
  );
}

function queryOf(query: Question['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}

/**
 * Lets tools use the endpoints of the API as a client does: the same checks, the same queue, the same
 * scopes.
 *
 * @throws ForbiddenError when the token lacks the scope of the endpoint; and its own errors
 */
export function createApiCaller(
  routes: readonly ApiRoute[],
  services: Services,
): (context: GuardedContext) => AskApi {
  const byId = guardedRoutes(routes);
  return (context) =>
    async (id, { param = '', query, body, tag, type = JSON_MEDIA_TYPE, confirmedBy } = {}) => {
      const route = byId.get(id);
      if (!route) throw new Error(`there is no endpoint ${id}`);
      if (!grants(context.token.scopes, route.scope)) throw new ForbiddenError();
      const headers = new Map([['content-type', type]]);
      if (tag !== undefined) headers.set('if-match', `"${tag}"`);
      const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? '');
      const answer = await route.call(
        {
          ...context,
          ...{ method: route.method.toLowerCase(), path: route.path, ifNoneMatch: '' },
          ...{ param: String(param), query: queryOf(query), headers },
          assisted: { confirmedBy: confirmedBy ?? null },
          body: Promise.resolve(Buffer.from(text)),
        },
        services,
      );
      const bytes = ArrayBuffer.isView(answer.body) ? answer.body : answer.body?.join();
      const [, found] = /\r\nETag: "([^"]*)"/.exec(answer.head.toString('latin1')) ?? [];
      return {
        status: Number.parseInt(answer.status, 10),
        json: bytes ? JSON.parse(Buffer.from(bytes).toString()) : {},
        tag: found ?? null,
      };
    };
}

import type { Logger } from 'pino';
import { memoizeAsync } from '../../db/runtime/memoize.ts';
import { type Answer, createAnswer, errorAnswer } from '../http/answer.ts';
import type { GuardedContext, TokenRoute } from '../pipeline/route.ts';
import type { ApiRoute, Services } from '../routes/frame/services.ts';
import { createApiCaller } from './ask.ts';
import { createMcpServer } from './server.ts';

/** It takes 40 ms and some memory, and few gateways are asked. */
const loadSdk = memoizeAsync(() => import('@modelcontextprotocol/server'));

const FORBIDDEN_ORIGIN = errorAnswer('403 Forbidden', 'Origin not allowed');

/** Whether a browser's page of another site sends this: pages of other sites have no business here. */
function isForeign({ headers, host, secure }: GuardedContext): boolean {
  const origin = headers.get('origin');
  return origin !== undefined && origin !== `${secure ? 'https' : 'http'}://${host}`;
}

/** The request as the web's standard writes it. */
async function requestOf({ host, secure, headers, body }: GuardedContext): Promise<Request> {
  const own = new Headers();
  for (const [name, value] of headers) if (name !== 'authorization') own.set(name, value);
  const url = `${secure ? 'https' : 'http'}://${host}/mcp`;
  return new Request(url, { method: 'POST', headers: own, body: new Uint8Array(await body) });
}

async function answerOf(response: Response): Promise<Answer> {
  const body = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get('content-type');
  const status = `${response.status} ${response.statusText || 'OK'}`;
  const headers = type === null ? {} : { 'Content-Type': type };
  return createAnswer(status, 'no-store', headers, body.length > 0 ? body : null);
}

/**
 * `POST /mcp`: the Model Context Protocol, revisions 2026-07-28 and 2025-11-25, for assistants with a
 * token of the restaurant. Each request stands alone: nothing is kept between two of them.
 *
 * @param routes the endpoints that tools use
 */
export function createMcpRoute(routes: readonly ApiRoute[], log: Logger): TokenRoute<Services> {
  return {
    ...{ kind: 'token', method: 'POST', path: '/mcp', limiter: 'admin' },
    call: async (context, services) => {
      if (isForeign(context)) return FORBIDDEN_ORIGIN;
      const sdk = await loadSdk();
      const { tenant, token } = context;
      const ask = createApiCaller(routes, services)(context);
      const shop = { tenant, db: services.db, ask, scopes: token.scopes, log };
      const handler = sdk.createMcpHandler(() => createMcpServer(sdk, shop), {
        responseMode: 'json',
        maxSubscriptions: 0,
      });
      const response = await handler.fetch(await requestOf(context));
      return answerOf(response);
    },
  };
}

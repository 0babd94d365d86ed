import { performance } from 'node:perf_hooks';
import type { Scope } from '../../db/schema/scope.ts';
import type { StoredToken } from '../../db/sql/access/find-tokens.ts';
import type { Answer } from '../http/answer.ts';
import type { Authenticator } from './authenticate.ts';
import type { CallContext, CallRoute } from './route.ts';

export interface AdminRoute {
  method: CallRoute['method'];
  /** Below `/api/v1/admin`. */
  path: string;
  scope: Scope;
  /** Called when the token has been accepted. */
  call(context: CallContext, token: StoredToken): Promise<Answer>;
}

/** Puts the check of tokens before an endpoint. */
export function guardRoute(authenticator: Authenticator, route: AdminRoute): CallRoute {
  return {
    kind: 'call',
    method: route.method,
    path: `/admin${route.path}`,
    call: async (context) => {
      const { tenant, headers, body } = context;
      const authenticate = () => authenticator.authenticate(tenant, headers, route.scope);
      const token = await authenticate();
      const lookedUp = performance.now();
      await body;
      // A body may take minutes to come, and a revoked token is refused from that moment on.
      const isFresh = performance.now() - lookedUp < authenticator.freshness;
      return route.call(context, isFresh ? token : await authenticate());
    },
  };
}

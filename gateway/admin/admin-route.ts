import type { StoredToken } from '../../db/queries/find-tokens.ts';
import type { Scope } from '../../db/records/scope.ts';
import type { Answer } from '../http/answer.ts';
import type { CallContext, CallRoute } from '../routing/route.ts';
import type { Authenticator } from './authenticate.ts';

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
      const { tenant, headers } = context;
      const token = await authenticator.authenticate(tenant.id, headers, route.scope);
      return route.call(context, token);
    },
  };
}

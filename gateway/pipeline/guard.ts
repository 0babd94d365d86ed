import { performance } from 'node:perf_hooks';
import type { Constants } from '../../db/runtime/constants.ts';
import type { Scope } from '../../db/schema/scope.ts';
import type { StoredToken } from '../../db/sql/access/find-tokens.ts';
import type { Authenticator } from './authenticate.ts';
import type { CallContext } from './route.ts';

/**
 * The accepted token of a request whose body has arrived. A body may take minutes, and a revoked token
 * is refused from that moment on: then it is looked up again.
 *
 * @throws UnauthenticatedError, ForbiddenError, UnavailableError
 */
export async function guard(
  { tenant, headers, body }: CallContext,
  scope: Scope,
  authenticator: Authenticator,
  { tokenFreshness }: Pick<Constants, 'tokenFreshness'>,
): Promise<StoredToken> {
  const authenticate = () => authenticator.authenticate(tenant, headers, scope);
  const token = await authenticate();
  const lookedUp = performance.now();
  await body;
  const isFresh = performance.now() - lookedUp < tokenFreshness;
  return isFresh ? token : await authenticate();
}

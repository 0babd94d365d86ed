import { bounds } from '../../../db/bounds.ts';
import type { ListedToken } from '../../../db/queries/list-tokens.ts';

/** `due`: it works, but is so old that it should be replaced (SPEC, "Authentication", 10). */
export type TokenState = 'active' | 'due' | 'revoked';

export function tokenState(
  token: Pick<ListedToken, 'created_at' | 'revoked_at'>,
  now: Date,
): TokenState {
  if (token.revoked_at) return 'revoked';
  const age = now.getTime() - token.created_at.getTime();
  return age >= bounds.tokenRotationAge ? 'due' : 'active';
}

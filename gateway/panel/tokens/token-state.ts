import { constants } from '../../../db/runtime/constants.ts';
import type { ListedToken } from '../../../db/sql/access/list-tokens.ts';

/** `due`: it works, but is so old that it should be replaced (SPEC, "Authentication", 10). */
export type TokenState = 'active' | 'due' | 'revoked';

export function tokenState(
  token: Pick<ListedToken, 'created_at' | 'revoked_at'>,
  now: Date,
): TokenState {
  if (token.revoked_at) return 'revoked';
  const age = now.getTime() - token.created_at.getTime();
  return age >= constants.tokenRotationAge ? 'due' : 'active';
}

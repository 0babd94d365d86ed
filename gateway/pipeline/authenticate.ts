import { timingSafeEqual } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Logger } from 'pino';
import type { Db } from '../../db/postgres/sql.ts';
import { type Constants, constants as defaults } from '../../db/runtime/constants.ts';
import { grants, hashTokenPlain, type Scope } from '../../db/schema/token.ts';
import { parseRecordId } from '../../db/schema/values/record-id.ts';
import {
  type AskedToken,
  findTokens,
  recordTokenUses,
  type StoredToken,
  type TokenKey,
  type TokenUse,
} from '../../db/sql/tokens.ts';
import { ForbiddenError, UnauthenticatedError, unavailable } from '../http/errors.ts';
import { createBatcher } from '../runtime/batcher.ts';
import { createNoted } from '../runtime/noted.ts';
import type { CallContext } from './route.ts';

/** Tokens in one look-up; the others wait for the next one. */
const MAX_TOKENS_PER_LOOK_UP = 500;

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** Scheme, id and plain part; what is longer than any token of ours is not worth a look-up. */
const BEARER = /^bearer +([0-9]{1,10})\|([A-Za-z0-9]{1,128})$/i;

function readBearer(header: string): { id: number; plain: string } {
  const [, digits = '', plain] = BEARER.exec(header.trim()) ?? [];
  const id = parseRecordId(digits);
  if (id === null || plain === undefined) throw new UnauthenticatedError();
  return { id, plain };
}

type TokenConstants = Pick<Constants, 'readTimeout'>;

export function createAuthenticator(db: Db, log: Logger, constants: TokenConstants) {
  const uses = createTokenUses(db, log);
  const keyOf = (tenantId: number, id: number) => `${tenantId}/${id}`;
  const findToken = createBatcher<AskedToken, StoredToken | undefined>(
    { maxItems: MAX_TOKENS_PER_LOOK_UP, timeout: constants.readTimeout },
    async (keys) => {
      const found = await findTokens(db, keys);
      const byKey = new Map(found.map((token) => [keyOf(token.tenant_id, token.id), token]));
      return keys.map(({ tenantId, id }) => byKey.get(keyOf(tenantId, id)));
    },
  );
  return {
    /**
     * The token of a request's Authorization header (SPEC, "Authentication"), looked up in Postgres
     * every time: a revoked token is refused from that moment on.
     *
     * @param headers by lower-case name
     * @throws UnauthenticatedError when it is missing, malformed, unknown, revoked or a stranger's
     * @param scope one of them will do; null: any token will do
     * @throws ForbiddenError when it lacks `scope`
     * @throws UnavailableError when Postgres does not answer
     */
    authenticate: async (
      tenant: { id: number; slug: string },
      headers: ReadonlyMap<string, string>,
      scope: Scope | readonly Scope[] | null,
    ) => {
      const { id, plain } = readBearer(headers.get('authorization') ?? '');
      const token = await findToken({ tenantId: tenant.id, slug: tenant.slug, id }).catch(
        unavailable('could not look up tokens'),
      );
      if (!token || !timingSafeEqual(token.hash, hashTokenPlain(plain))) {
        throw new UnauthenticatedError();
      }
      uses.note({ tenantId: tenant.id, id });
      if (scope !== null && ![scope].flat().some((one) => grants(token.scopes, one)))
        throw new ForbiddenError();
      return token;
    },
    stop: uses.stop,
  };
}

/**
 * The accepted token of a request whose body has arrived. A body may take minutes, and a revoked token
 * is refused from that moment on: then it is looked up again.
 *
 * @throws UnauthenticatedError, ForbiddenError, UnavailableError
 */
export async function guard(
  { tenant, headers, body }: CallContext,
  scope: Scope | readonly Scope[] | null,
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

/** Remembers when tokens were used and writes it down now and then, not once a request. */
export function createTokenUses(db: Db, log: Logger) {
  const { note, stop } = createNoted<TokenUse>({
    write: (uses) => recordTokenUses(db, uses),
    nameOf: ({ tenantId, id }) => `${tenantId}/${id}`,
    interval: defaults.tokenUseInterval,
    maxItems: defaults.notesPerWrite,
    what: 'when tokens were last used',
    log,
  });
  return { note: ({ tenantId, id }: TokenKey) => note({ tenantId, id, usedAt: new Date() }), stop };
}

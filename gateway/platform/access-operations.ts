import { perform } from '../../db/actions/action.ts';
import { findOrigin } from '../../db/actions/hosts.ts';
import { createPlatformToken, platformTokenInput } from '../../db/actions/platform-tokens.ts';
import { requireTenant } from '../../db/actions/restaurants.ts';
import { createToken } from '../../db/actions/tokens.ts';
import { invite, linkAddress } from '../../db/actions/users.ts';
import { platformUser } from '../../db/schema/platform.ts';
import { tokenInput } from '../../db/schema/token-input.ts';
import { parseRecordId } from '../../db/schema/values/record-id.ts';
import { listPlatformTokens, revokePlatformToken } from '../../db/sql/platform-tokens.ts';
import { listTokens, revokeToken } from '../../db/sql/tokens.ts';
import { listUsers } from '../../db/sql/users.ts';
import { NotFoundError } from '../http/errors.ts';
import { contextOf, created, GONE, ok, type PlatformOperation, taking } from './operation.ts';

const scope = 'access:write';

/** The people of restaurants, and their tokens. */
const ofRestaurants: PlatformOperation[] = [
  {
    ...{ method: 'GET', path: '/restaurants/:slug/users', id: 'listRestaurantUsers', scope },
    summary: 'List the people of a restaurant’s panel',
    run: async ({ db, params: [slug = ''] }) => {
      return ok(await listUsers(db, await requireTenant(db, slug)));
    },
  },
  taking({
    ...{ method: 'POST', path: '/restaurants/:slug/users', id: 'inviteRestaurantUser', scope },
    summary: 'Make a link by which somebody joins a restaurant’s panel',
    body: platformUser,
    run: async (context) => {
      const place = await contextOf(context);
      const { db, originOf, input } = context;
      const { result } = await perform(invite, place, { ...input, name: input.name ?? '' });
      const { id, email, role, secret } = result;
      const origin = await findOrigin(db, originOf, { id: place.tenantId, slug: place.slug });
      return created({ id, email, role, link: linkAddress(origin, secret) });
    },
  }),
  {
    ...{ method: 'GET', path: '/restaurants/:slug/tokens', id: 'listRestaurantTokens', scope },
    summary: 'List a restaurant’s tokens, without their values',
    run: async ({ db, params: [slug = ''] }) => {
      const id = await requireTenant(db, slug);
      return ok(await listTokens(db, id, Number.MAX_SAFE_INTEGER));
    },
  },
  taking({
    ...{ method: 'POST', path: '/restaurants/:slug/tokens', id: 'createRestaurantToken', scope },
    summary: 'Create a token of a restaurant’s user; its value is shown this once',
    body: tokenInput,
    run: async (context) => {
      const { result } = await perform(createToken, await contextOf(context), context.input);
      return created({ ...result, ...context.input });
    },
  }),
  {
    ...{ method: 'DELETE', path: '/restaurants/:slug/tokens/:id', id: 'revokeRestaurantToken' },
    scope,
    summary: 'Revoke a token for good',
    run: async ({ db, params: [slug = '', text = ''] }) => {
      const id = parseRecordId(text);
      const tenantId = await requireTenant(db, slug);
      if (id === null || !(await revokeToken(db, tenantId, id))) throw new NotFoundError();
      return GONE;
    },
  },
];

/** The tokens of operators' programs. */
const ofPlatform: PlatformOperation[] = [
  {
    ...{ method: 'GET', path: '/tokens', id: 'listPlatformTokens', scope: 'platform:write' },
    summary: 'List the tokens of operators’ programs, without their values',
    run: async ({ db }) => ok(await listPlatformTokens(db)),
  },
  taking({
    ...{ method: 'POST', path: '/tokens', id: 'createPlatformToken', scope: 'platform:write' },
    summary: 'Create a token for a program of operators; its value is shown this once',
    body: platformTokenInput,
    run: async ({ db, input }) => created(await createPlatformToken(db, input)),
  }),
  {
    ...{ method: 'DELETE', path: '/tokens/:id', id: 'revokePlatformToken' },
    scope: 'platform:write',
    summary: 'Revoke a token of operators for good',
    run: async ({ db, params: [text = ''] }) => {
      const id = parseRecordId(text);
      if (id === null || !(await revokePlatformToken(db, id))) throw new NotFoundError();
      return GONE;
    },
  },
];

/** Who may do what. */
export const accessOperations = [...ofRestaurants, ...ofPlatform];

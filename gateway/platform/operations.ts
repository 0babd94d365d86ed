import * as v from 'valibot';
import { type ActionContext, MissingError, perform } from '../../db/actions/action.ts';
import { followMaster, leaveMaster, masterInput } from '../../db/actions/chains.ts';
import { addHost, findOrigin, showHost } from '../../db/actions/hosts.ts';
import { invite, linkAddress } from '../../db/actions/people.ts';
import {
  createRestaurant,
  deleteRestaurant,
  renameRestaurant,
  requireTenant,
} from '../../db/actions/restaurants.ts';
import { createToken } from '../../db/actions/tokens.ts';
import type { Database } from '../../db/postgres/connection.ts';
import { constants } from '../../db/runtime/constants.ts';
import type { OriginOf } from '../../db/runtime/restaurant-origin.ts';
import { hostInput, slugInput } from '../../db/schema/host.ts';
import { emailAddress, roles } from '../../db/schema/person.ts';
import { MAX_RESTAURANT_NAME } from '../../db/schema/settings.ts';
import { tokenInput } from '../../db/schema/token-input.ts';
import { checkInput, type InputSchema } from '../../db/schema/validation/check-input.ts';
import {
  flagInput,
  languageRule,
  oneOfInput,
  requiredTextInput,
} from '../../db/schema/validation/input-fields.ts';
import { broken, type FieldErrors } from '../../db/schema/validation/rule.ts';
import { ALL_LOCALES } from '../../db/schema/values/locale.ts';
import { parseRecordId } from '../../db/schema/values/record-id.ts';
import { deleteHostByName, listHosts } from '../../db/sql/hosts.ts';
import {
  countBelongings,
  findRestaurant,
  listRestaurants,
  suspendTenant,
} from '../../db/sql/tenants.ts';
import { listTokens, revokeToken } from '../../db/sql/tokens.ts';
import { listUsers } from '../../db/sql/users.ts';
import type { HostCheck } from '../hosts/hosts.ts';
import { InvalidError, NotFoundError } from '../http/errors.ts';
import { checkQuery, unknownParameters } from '../http/query.ts';
import { clampedParameter, integerParameter } from '../routes/parameters.ts';

/** The arguments of an operation of the platform. */
interface PlatformContext {
  db: Database;
  originOf: OriginOf;
  /** DOMAIN. */
  domain: string;
  isServed: HostCheck;
  /** The values of the path's parameters. */
  params: readonly string[];
  query: string;
  /** The checked body; empty where the operation has none. */
  input: Record<string, unknown>;
}

/** The result of an operation; no data is 204. */
interface PlatformOutcome {
  status: '200 OK' | '201 Created' | '204 No Content';
  data?: unknown;
}

/** The outcome of an operation, with the sent fields that have no meaning. */
type NamedOutcome = PlatformOutcome & { ignored: readonly string[] };

/** An operation of the platform's API, declared once. */
export interface PlatformOperation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/platform`; a segment `:name` is a parameter. */
  path: string;
  id: string;
  summary: string;
  body?: InputSchema;
  query?: v.GenericSchema & { entries: v.ObjectEntries };
  /** Whether it needs no token. */
  isOpen?: boolean;
  /** @throws NotFoundError, InvalidError */
  run(context: PlatformContext): Promise<PlatformOutcome>;
}

/** An operation with a body: `run` gets it in the form of its schema. */
function taking<S extends InputSchema>(
  operation: Omit<PlatformOperation, 'body' | 'run'> & {
    body: S;
    run(context: PlatformContext & { input: v.InferOutput<S> }): Promise<PlatformOutcome>;
  },
): PlatformOperation {
  return operation;
}

const askQuery = v.object({
  domain: v.optional(v.pipe(v.string(), v.description('The host name.'))),
});

async function told({ isServed }: PlatformContext, name: string): Promise<PlatformOutcome> {
  if (!(await isServed(name.toLowerCase()))) throw new NotFoundError();
  return { status: '200 OK', data: { name } };
}

/** The question of a proxy, and the hosts of restaurants. */
const hostOperations: PlatformOperation[] = [
  {
    ...{ method: 'GET', path: '/hosts', id: 'askForHost', isOpen: true },
    summary: 'Tell whether something is served at a host, as the `ask` of Caddy wants it',
    query: askQuery,
    run: (context) => told(context, checkQuery(askQuery, context.query).domain ?? ''),
  },
  {
    ...{ method: 'GET', path: '/hosts/:name', id: 'showServedHost', isOpen: true },
    summary: 'Tell whether something is served at a host',
    run: (context) => told(context, context.params[0] ?? ''),
  },
  {
    ...{ method: 'GET', path: '/restaurants/:slug/hosts', id: 'listRestaurantHosts' },
    summary: 'List the own host names of a restaurant',
    run: async ({ db, params: [slug = ''] }) => {
      const hosts = await listHosts(db, await requireTenant(db, slug));
      return { status: '200 OK', data: hosts.map(showHost) };
    },
  },
  taking({
    ...{ method: 'POST', path: '/restaurants/:slug/hosts', id: 'setRestaurantHost' },
    summary: 'Serve a restaurant at a host name, without a proof',
    body: hostInput,
    run: async (context) => {
      const { result } = await perform(addHost, await contextOf(context), context.input);
      return { status: '201 Created', data: result };
    },
  }),
  {
    ...{ method: 'DELETE', path: '/restaurants/:slug/hosts/:name', id: 'removeRestaurantHost' },
    summary: 'Serve a restaurant at a host name no more; a former slug leads to it no more',
    run: async ({ db, params: [slug = '', name = ''] }) => {
      const tenantId = await requireTenant(db, slug);
      if (!(await deleteHostByName(db, tenantId, name))) throw new NotFoundError();
      return { status: '204 No Content' };
    },
  },
];

const email = v.pipe(emailAddress, v.description('The address with which the user signs in.'));
const ok = (data: unknown): PlatformOutcome => ({ status: '200 OK', data });
const created = (data: unknown): PlatformOutcome => ({ status: '201 Created', data });
const GONE: PlatformOutcome = { status: '204 No Content' };

function refused(errors: FieldErrors): never {
  throw new InvalidError(errors);
}

/** A restaurant, user or token that is not there is 404. */
function explain(error: unknown): never {
  throw error instanceof MissingError ? new NotFoundError() : error;
}

/** The place of an action on the restaurant that the path names. @throws MissingError */
async function contextOf({
  db,
  domain,
  params: [slug = ''],
}: PlatformContext): Promise<ActionContext> {
  const actor = { kind: 'operator', name: null } as const;
  const tenantId = await requireTenant(db, slug);
  return { database: db, tenantId, slug, domain, actor, now: Date.now() };
}

async function shown(db: Database, slug: string): Promise<PlatformOutcome['data']> {
  const restaurant = await findRestaurant(db, slug);
  if (!restaurant) throw new NotFoundError();
  return restaurant;
}

const listQuery = v.object({
  after: integerParameter('Only restaurants whose id is larger; the last one of the page before.'),
  limit: clampedParameter(constants.defaultPerPage, 1, constants.maxPerPage, 'Entries of a page.'),
});
const deleteQuery = v.object({
  confirm: v.optional(v.pipe(v.string(), v.description('The slug, once more.'))),
});

const restaurantOperations: PlatformOperation[] = [
  {
    ...{ method: 'GET', path: '/restaurants', id: 'listRestaurants' },
    summary: 'List the restaurants',
    query: listQuery,
    run: async ({ db, query }) => {
      const { after = 0, limit } = checkQuery(listQuery, query);
      return ok(await listRestaurants(db, after, limit));
    },
  },
  taking({
    ...{ method: 'POST', path: '/restaurants', id: 'createRestaurant' },
    summary: 'Create a restaurant with an empty menu',
    body: v.object({
      slug: slugInput,
      name: requiredTextInput(MAX_RESTAURANT_NAME),
      locale: v.optional(oneOfInput(ALL_LOCALES, languageRule), 'it'),
    }),
    run: async ({ db, input }) => {
      const { slug, name, locale } = input;
      await createRestaurant(db, { slug, name, locale });
      return created(await shown(db, slug));
    },
  }),
  {
    ...{ method: 'GET', path: '/restaurants/:slug', id: 'showRestaurant' },
    summary: 'Show a restaurant',
    run: async ({ db, params: [slug = ''] }) => ok(await shown(db, slug)),
  },
  taking({
    ...{ method: 'PATCH', path: '/restaurants/:slug', id: 'changeRestaurant' },
    summary: 'Suspend a restaurant, serve it again, or serve it at another host',
    body: v.object({ slug: v.optional(slugInput), suspended: v.optional(flagInput()) }),
    run: async ({ db, params: [slug = ''], input }) => {
      const id = await requireTenant(db, slug);
      const { slug: next = slug, suspended } = input;
      if (next !== slug) await renameRestaurant(db, slug, next);
      if (suspended !== undefined) await suspendTenant(db, id, suspended);
      return ok(await shown(db, next));
    },
  }),
  {
    ...{ method: 'DELETE', path: '/restaurants/:slug', id: 'deleteRestaurant' },
    summary: 'Delete a restaurant with everything it has, for good',
    query: deleteQuery,
    run: async ({ db, params: [slug = ''], query }) => {
      const id = await requireTenant(db, slug);
      const { confirm } = checkQuery(deleteQuery, query);
      if (confirm !== slug) {
        refused({ confirm: [confirm === undefined ? broken('required') : broken('invalid')] });
      }
      const belongings = await countBelongings(db, id);
      await deleteRestaurant(db, id);
      return ok({ id, slug, deleted: true, ...belongings });
    },
  },
];

const peopleOperations: PlatformOperation[] = [
  {
    ...{ method: 'GET', path: '/restaurants/:slug/users', id: 'listRestaurantUsers' },
    summary: 'List the people of a restaurant’s panel',
    run: async ({ db, params: [slug = ''] }) => {
      return ok(await listUsers(db, await requireTenant(db, slug)));
    },
  },
  taking({
    ...{ method: 'POST', path: '/restaurants/:slug/users', id: 'inviteRestaurantUser' },
    summary: 'Make a link by which somebody joins a restaurant’s panel',
    body: v.object({
      email,
      name: v.optional(requiredTextInput(constants.maxPersonNameLength)),
      role: v.optional(oneOfInput(roles), 'owner'),
    }),
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
    ...{ method: 'GET', path: '/restaurants/:slug/tokens', id: 'listRestaurantTokens' },
    summary: 'List a restaurant’s tokens, without their values',
    run: async ({ db, params: [slug = ''] }) => {
      const id = await requireTenant(db, slug);
      return ok(await listTokens(db, id, Number.MAX_SAFE_INTEGER));
    },
  },
  taking({
    ...{ method: 'POST', path: '/restaurants/:slug/tokens', id: 'createRestaurantToken' },
    summary: 'Create a token of a restaurant’s user; its value is shown this once',
    body: tokenInput,
    run: async (context) => {
      const { result } = await perform(createToken, await contextOf(context), context.input);
      return created({ ...result, ...context.input });
    },
  }),
  {
    ...{ method: 'DELETE', path: '/restaurants/:slug/tokens/:id', id: 'revokeRestaurantToken' },
    summary: 'Revoke a token for good',
    run: async ({ db, params: [slug = '', text = ''] }) => {
      const id = parseRecordId(text);
      const tenantId = await requireTenant(db, slug);
      if (id === null || !(await revokeToken(db, tenantId, id))) throw new NotFoundError();
      return GONE;
    },
  },
];

const chainOperations: PlatformOperation[] = [
  taking({
    ...{ method: 'PUT', path: '/restaurants/:slug/master', id: 'followMaster' },
    summary: 'Let a restaurant follow the menu of another one, as a branch of its chain',
    body: masterInput,
    run: async ({ db, params: [slug = ''], input }) => ok(await followMaster(db, slug, input)),
  }),
  {
    ...{ method: 'DELETE', path: '/restaurants/:slug/master', id: 'leaveMaster' },
    summary: 'Let a branch follow no more; it keeps its menu',
    run: async ({ db, params: [slug = ''] }) => {
      await leaveMaster(db, slug);
      return GONE;
    },
  },
];

/** The operations of the platform's API. */
export const platformOperations = [
  ...[...restaurantOperations, ...peopleOperations, ...hostOperations, ...chainOperations],
];

/**
 * Checks the body of an operation, and does it.
 *
 * @throws NotFoundError, InvalidError
 */
export async function operate(
  operation: PlatformOperation,
  context: Omit<PlatformContext, 'input'>,
  body: unknown,
): Promise<NamedOutcome> {
  const checked = operation.body ? checkInput(operation.body, body) : { input: {}, ignored: [] };
  if ('errors' in checked) throw new InvalidError(checked.errors);
  const parameters = Object.keys(operation.query?.entries ?? {});
  const ignored = [...unknownParameters(context.query, parameters), ...checked.ignored];
  const { input } = checked;
  return { ...(await operation.run({ ...context, input }).catch(explain)), ignored };
}

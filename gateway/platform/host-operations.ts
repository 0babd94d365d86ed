import * as v from 'valibot';
import { perform } from '../../db/actions/action.ts';
import { addHost, showHost } from '../../db/actions/hosts.ts';
import { requireTenant } from '../../db/actions/restaurants.ts';
import { hostInput } from '../../db/schema/host.ts';
import { described } from '../../db/schema/validation/described-as.ts';
import { deleteHostByName, listHosts } from '../../db/sql/hosts.ts';
import { NotFoundError } from '../http/errors.ts';
import { checkQuery } from '../http/query.ts';
import {
  contextOf,
  created,
  GONE,
  ok,
  type PlatformContext,
  type PlatformOperation,
  type PlatformOutcome,
  taking,
} from './operation.ts';

const askQuery = v.object({
  domain: v.optional(described(v.string(), 'The host name.')),
});

async function told({ isServed }: PlatformContext, name: string): Promise<PlatformOutcome> {
  if (!(await isServed(name.toLowerCase()))) throw new NotFoundError();
  return ok({ name });
}

/** The question of a proxy, and the hosts of restaurants. */
export const hostOperations: PlatformOperation[] = [
  {
    ...{ method: 'GET', path: '/hosts', id: 'askForHost', scope: null },
    summary: 'Tell whether something is served at a host, as the `ask` of Caddy wants it',
    query: askQuery,
    run: (context) => told(context, checkQuery(askQuery, context.query).domain ?? ''),
  },
  {
    ...{ method: 'GET', path: '/hosts/:name', id: 'showServedHost', scope: null },
    summary: 'Tell whether something is served at a host',
    run: (context) => told(context, context.params[0] ?? ''),
  },
  {
    ...{ method: 'GET', path: '/restaurants/:slug/hosts', id: 'listRestaurantHosts' },
    scope: 'restaurants:read',
    summary: 'List the own host names of a restaurant',
    run: async ({ db, params: [slug = ''] }) => {
      const hosts = await listHosts(db, await requireTenant(db, slug));
      return ok(hosts.map(showHost));
    },
  },
  taking({
    ...{ method: 'POST', path: '/restaurants/:slug/hosts', id: 'setRestaurantHost' },
    scope: 'restaurants:write',
    summary: 'Serve a restaurant at a host name, without a proof',
    body: hostInput,
    run: async (context) => {
      const { result } = await perform(addHost, await contextOf(context), context.input);
      return created(result);
    },
  }),
  {
    ...{ method: 'DELETE', path: '/restaurants/:slug/hosts/:name', id: 'removeRestaurantHost' },
    scope: 'restaurants:write',
    summary: 'Serve a restaurant at a host name no more; a former slug leads to it no more',
    run: async ({ db, params: [slug = '', name = ''] }) => {
      const tenantId = await requireTenant(db, slug);
      if (!(await deleteHostByName(db, tenantId, name))) throw new NotFoundError();
      return GONE;
    },
  },
];

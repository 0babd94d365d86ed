import * as v from 'valibot';
import { askForHost, showHost } from '../../db/platform/hosts.ts';
import { requireTenant } from '../../db/platform/restaurants.ts';
import { hostInput } from '../../db/schema/host.ts';
import { deleteHostByName, listHosts } from '../../db/sql/hosts.ts';
import { NotFoundError } from '../http/errors.ts';
import { checkQuery } from '../http/query.ts';
import type { PlatformContext, PlatformOperation, PlatformOutcome } from './operation.ts';

const askQuery = v.object({
  domain: v.optional(v.pipe(v.string(), v.description('The host name.'))),
});

async function told({ isServed }: PlatformContext, name: string): Promise<PlatformOutcome> {
  if (!(await isServed(name.toLowerCase()))) throw new NotFoundError();
  return { status: '200 OK', data: { name } };
}

/** The question of a proxy, and the hosts of restaurants. */
export const hostOperations: PlatformOperation[] = [
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
  {
    ...{ method: 'POST', path: '/restaurants/:slug/hosts', id: 'setRestaurantHost' },
    summary: 'Serve a restaurant at a host name, without a proof',
    body: hostInput,
    run: async ({ db, domain, params: [slug = ''], input }) => {
      const tenantId = await requireTenant(db, slug);
      const { name } = input as { name: string };
      const host = await askForHost(db, { tenantId, name, isSet: true, domain });
      return { status: '201 Created', data: showHost(host) };
    },
  },
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

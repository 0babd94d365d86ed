import * as v from 'valibot';
import { askForHost, showHost } from '../../platform/hosts.ts';
import { requireTenant } from '../../platform/restaurants.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { isHostName } from '../../schema/host.ts';
import { deleteHostByName, listAllHosts } from '../../sql/hosts.ts';
import { slugArgument } from './arguments.ts';
import { defineCommand } from './command.ts';

const name = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.check(isHostName, 'must be a host name with a dot'),
  v.description('a host name such as menu.trattoria.example'),
);

const hostAdd = defineCommand({
  name: 'host add',
  usage: '<name> --tenant S',
  summary: 'serve a restaurant at a host name of its own, too',
  help: 'The name is served at once, without a proof. Links name the host that was added first.',
  positionals: ['name'],
  entries: { name, tenant: slugArgument },
  run: async (input, { database, domain }) => {
    const tenantId = await requireTenant(database, input.tenant);
    const { name } = input;
    return showHost(await askForHost(database, { tenantId, name, isSet: true, domain }));
  },
});

const hostList = defineCommand({
  name: 'host list',
  usage: '--tenant S',
  summary: 'list the own host names of a restaurant, and the slugs that still lead to it',
  entries: { tenant: slugArgument },
  run: async ({ tenant }, { database }) => {
    const hosts = await listAllHosts(database, await requireTenant(database, tenant));
    return hosts.map((host) =>
      host.expires_at
        ? { name: host.name, state: 'former', expires_at: host.expires_at }
        : showHost(host),
    );
  },
});

const hostRemove = defineCommand({
  name: 'host remove',
  usage: '<name> --tenant S',
  summary: 'serve a restaurant at a host name no more; a former slug is free again',
  positionals: ['name'],
  entries: {
    name: v.pipe(v.string(), v.toLowerCase(), v.description('a host name, or a former slug')),
    tenant: slugArgument,
  },
  run: async ({ name, tenant }, { database }) => {
    const tenantId = await requireTenant(database, tenant);
    if (!(await deleteHostByName(database, tenantId, name))) {
      throw new OperatorError(`The tenant ${tenant} has no host ${name}.`);
    }
    return { name, tenant, removed: true };
  },
});

export const hostCommands = [hostAdd, hostList, hostRemove];

import * as v from 'valibot';
import { perform } from '../../actions/action.ts';
import { addHost, showHost } from '../../actions/hosts.ts';
import {
  cloneRestaurant,
  createRestaurant,
  deleteRestaurant,
  renameRestaurant,
  requireTenant,
} from '../../actions/restaurants.ts';
import { createToken } from '../../actions/tokens.ts';
import { constants } from '../../runtime/constants.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { isHostName } from '../../schema/host.ts';
import { MAX_RESTAURANT_NAME } from '../../schema/settings.ts';
import { deleteHostByName, listAllHosts } from '../../sql/hosts.ts';
import { type Belongings, countBelongings, listTenants, suspendTenant } from '../../sql/tenants.ts';
import { listTokens, revokeToken } from '../../sql/tokens.ts';
import { email, label, locale, recordId, scopeList, slugArgument } from './arguments.ts';
import { defineCommand, operatorContext } from './command.ts';

/** The new tenant's empty menu is served at once: its snapshots come with it. */
const tenantCreate = defineCommand({
  name: 'tenant create',
  usage: '<slug> --name N [--locale it]',
  summary: 'create a restaurant with an empty menu',
  mayBegin: true,
  positionals: ['slug'],
  entries: {
    slug: slugArgument,
    name: label(MAX_RESTAURANT_NAME),
    locale: v.optional(locale, 'it'),
  },
  run: async (input, { database, originOf }) => {
    const id = await createRestaurant(database, input);
    const { slug, name, locale: default_locale } = input;
    const panel = `${originOf({ slug, host: null })}/admin`;
    return { id, slug, name, default_locale, panel };
  },
});

const tenantList = defineCommand({
  name: 'tenant list',
  usage: '',
  summary: 'list the restaurants',
  entries: {},
  run: (_input, { database }) => listTenants(database),
});

const tenantRename = defineCommand({
  name: 'tenant rename',
  usage: '<slug> <new>',
  summary: 'serve a restaurant at another host name; sign-ins on the former one end',
  positionals: ['slug', 'new'],
  entries: { slug: slugArgument, new: slugArgument },
  run: async (input, { database }) => {
    const id = await renameRestaurant(database, input.slug, input.new);
    return { id, slug: input.new, former_slug: input.slug };
  },
});

const tenantClone = defineCommand({
  name: 'tenant clone',
  usage: '<slug> --as <new>',
  summary:
    'create a restaurant with the menu, settings, theme and photos of another, to try things on',
  help: 'Users, tokens, screens, webhooks, hosts, releases, reports and history do not come along.',
  positionals: ['slug'],
  entries: { slug: slugArgument, as: slugArgument },
  run: async (input, { database }) => {
    const id = await cloneRestaurant(database, input.slug, input.as);
    return { id, slug: input.as, cloned_from: input.slug };
  },
});

function describe({ name, ...counts }: Belongings): string {
  const parts = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  return `${name}: ${parts.join(', ')}, its events and reports`;
}

const tenantDelete = defineCommand({
  name: 'tenant delete',
  usage: '<slug> [--yes <slug>]',
  summary: 'delete a restaurant with everything it has, for good',
  help: 'It says what is deleted with the restaurant, and asks for its slug unless --yes names it.',
  positionals: ['slug'],
  entries: { slug: slugArgument, yes: v.optional(slugArgument) },
  run: async (input, { database, progress, ask }) => {
    const tenantId = await requireTenant(database, input.slug);
    const belongings = await countBelongings(database, tenantId);
    progress(`This deletes ${describe(belongings)}. There is no way back but a backup.`);
    const confirmed = input.yes ?? (await ask.forLine(`Type ${input.slug} to delete it: `))?.trim();
    if (confirmed !== input.slug) {
      throw new OperatorError(`Nothing was deleted: the answer was not ${input.slug}.`);
    }
    await deleteRestaurant(database, tenantId);
    return { id: tenantId, slug: input.slug, deleted: true, ...belongings };
  },
});

/** @param isSuspended whether it is served as one that is not there */
function suspension(name: string, summary: string, isSuspended: boolean) {
  return defineCommand({
    name,
    usage: '<slug>',
    summary,
    positionals: ['slug'],
    entries: { slug: slugArgument },
    run: async (input, { database }) => {
      const id = await requireTenant(database, input.slug);
      await suspendTenant(database, id, isSuspended);
      return { id, slug: input.slug, suspended: isSuspended };
    },
  });
}

const tenantSuspend = suspension(
  'tenant suspend',
  'serve a restaurant as one that is not there; its data stay',
  true,
);
const tenantResume = suspension('tenant resume', 'serve a suspended restaurant again', false);

export const tenantCommands = [
  ...[tenantCreate, tenantList, tenantRename, tenantClone],
  ...[tenantSuspend, tenantResume, tenantDelete],
];

const tokenCreate = defineCommand({
  name: 'token create',
  usage: '--tenant S --user E --name N --scopes a,b',
  summary: 'create a token; its value is shown this once',
  entries: {
    tenant: slugArgument,
    user: email,
    name: label(constants.maxTokenNameLength),
    scopes: scopeList,
  },
  run: async ({ tenant, ...input }, context) => {
    const place = operatorContext(context, tenant, await requireTenant(context.database, tenant));
    const { result } = await perform(createToken, place, input);
    const { user, name, scopes } = input;
    return { ...result, tenant, user, name, scopes };
  },
});

const tokenList = defineCommand({
  name: 'token list',
  usage: '--tenant S',
  summary: "list a restaurant's tokens, the revoked ones last; their values are not kept",
  entries: { tenant: slugArgument },
  run: async ({ tenant }, { database }) => {
    const tenantId = await requireTenant(database, tenant);
    return listTokens(database, tenantId, Number.MAX_SAFE_INTEGER);
  },
});

const tokenRevoke = defineCommand({
  name: 'token revoke',
  usage: '--tenant S --id I',
  summary: 'revoke a token for good',
  entries: { tenant: slugArgument, id: recordId },
  run: async (input, { database }) => {
    const tenantId = await requireTenant(database, input.tenant);
    if (!(await revokeToken(database, tenantId, input.id))) {
      throw new OperatorError(`The tenant ${input.tenant} has no active token ${input.id}.`);
    }
    return { id: input.id, tenant: input.tenant, revoked: true };
  },
});

export const tokenCommands = [tokenCreate, tokenList, tokenRevoke];

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
  run: async ({ name, tenant }, context) => {
    const place = operatorContext(context, tenant, await requireTenant(context.database, tenant));
    return (await perform(addHost, place, { name })).result;
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

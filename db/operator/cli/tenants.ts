import * as v from 'valibot';
import { perform } from '../../actions/action.ts';
import { addHost, showHost } from '../../actions/hosts.ts';
import { createPlatformToken } from '../../actions/platform-tokens.ts';
import {
  cloneRestaurant,
  createRestaurant,
  deleteRestaurant,
  operatorContext,
  renameRestaurant,
  requireTenant,
} from '../../actions/restaurants.ts';
import { makeStaffedRestaurants } from '../../actions/staffed-restaurants.ts';
import { createToken } from '../../actions/tokens.ts';
import { constants } from '../../runtime/constants.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { tellErrors } from '../../schema/error-sentences.ts';
import { isHostName } from '../../schema/host.ts';
import { MAX_RESTAURANT_NAME } from '../../schema/settings.ts';
import { described } from '../../schema/validation/described-as.ts';
import { deleteHostByName, listAllHosts } from '../../sql/hosts.ts';
import { listPlatformTokens, revokePlatformToken } from '../../sql/platform-tokens.ts';
import { findRestaurant, setQuotas, suspendTenant } from '../../sql/restaurants.ts';
import { type Belongings, countBelongings, listTenants } from '../../sql/tenants.ts';
import { listTokens, revokeToken } from '../../sql/tokens.ts';
import {
  count,
  email,
  label,
  locale,
  pathArgument,
  platformScopeList,
  recordId,
  scopeList,
  slugArgument,
} from './arguments.ts';
import { type CommandReport, type Context, defineCommand, jsonReport } from './command.ts';
import { readRestaurantFile } from './restaurant-file.ts';

/** The new tenant's empty menu is served at once: its snapshots come with it. */
const tenantCreate = defineCommand({
  name: 'tenant create',
  usage: '<slug> --name N [--locale it], or --file restaurants.csv',
  summary: 'create a restaurant with an empty menu, or all of a file',
  mayBegin: true,
  reports: true,
  entries: {
    slug: v.optional(slugArgument),
    name: v.optional(label(MAX_RESTAURANT_NAME)),
    locale: v.optional(locale, 'it'),
    file: v.optional(
      pathArgument(
        'the path of a file: .csv with the columns slug, name, locale, email, person, role, token, ' +
          'scopes, max_dishes, max_photos_mb, max_users; or .jsonl, each line as an entry of ' +
          'POST /platform/bulk',
      ),
    ),
  },
  lacking: ({ slug, name, file }) => {
    if (file !== undefined) return undefined;
    return slug === undefined ? 'slug' : name === undefined ? 'name' : undefined;
  },
  help:
    'Of a file, each line is a restaurant, perhaps with its first user, who gets a link to join, and a ' +
    'token. Links and tokens are shown this once. A restaurant that is refused is in no other’s way; the ' +
    'exit code is 1 then.',
  run: async ({ slug = '', name = '', locale, file }, context) => {
    if (file !== undefined) return createOfFile(file, context);
    const id = await createRestaurant(context.database, { slug, name, locale });
    const panel = `${context.originOf({ slug, host: null })}/admin`;
    return jsonReport({ id, slug, name, default_locale: locale, panel });
  },
});

async function createOfFile(file: string, context: Context): Promise<CommandReport> {
  const restaurants = await readRestaurantFile(file);
  const onDone = (done: number) => context.progressOf('created', done, restaurants.length);
  const made = await makeStaffedRestaurants(context, restaurants, null, onDone);
  const told = made.map((one) =>
    one.outcome === 'failed' ? { ...one, errors: tellErrors('en', one.errors) } : one,
  );
  return { ...jsonReport(told), failed: made.some(({ outcome }) => outcome === 'failed') };
}

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

const tenantSuspend = defineCommand({
  name: 'tenant suspend',
  usage: '<slug> [--reason R]',
  summary: 'serve the menu of a restaurant no more; its data stay, and its owners can read them',
  entries: {
    slug: slugArgument,
    reason: v.optional(
      described(
        label(constants.maxSuspensionReasonLength),
        'one sentence that owners and guests read',
      ),
    ),
  },
  run: async ({ slug, reason = null }, { database }) => {
    const id = await requireTenant(database, slug);
    await suspendTenant(database, id, true, reason);
    return { id, slug, suspended: true, suspension_reason: reason };
  },
});

const tenantResume = defineCommand({
  name: 'tenant resume',
  usage: '<slug>',
  summary: 'serve a suspended restaurant again',
  entries: { slug: slugArgument },
  run: async ({ slug }, { database }) => {
    const id = await requireTenant(database, slug);
    await suspendTenant(database, id, false);
    return { id, slug, suspended: false };
  },
});

function quotaArgument(what: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(/^([1-9]\d{0,5}|none)$/, 'must be a whole number up to 999999, or none'),
      v.transform((text) => (text === 'none' ? null : Number(text))),
      v.description(`${what}: a whole number up to 999999, or none`),
    ),
  );
}

const tenantQuota = defineCommand({
  name: 'tenant quota',
  usage: '<slug> [--dishes N] [--photos-mb N] [--users N]',
  summary: 'set what a restaurant may have, and show it',
  entries: {
    slug: slugArgument,
    dishes: quotaArgument('dishes of its menu'),
    'photos-mb': quotaArgument('MiB of its photos'),
    users: quotaArgument('people of its panel'),
  },
  run: async ({ slug, dishes, users, 'photos-mb': photos }, { database }) => {
    const id = await requireTenant(database, slug);
    const given = { max_dishes: dishes, max_photos_mb: photos, max_users: users };
    await setQuotas(database, id, given);
    return findRestaurant(database, slug);
  },
});

export const tenantCommands = [
  ...[tenantCreate, tenantList, tenantRename, tenantClone],
  ...[tenantSuspend, tenantResume, tenantQuota, tenantDelete],
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
    const place = await operatorContext(context, tenant);
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

const platformTokenCreate = defineCommand({
  name: 'platform token create',
  usage: '--name N --scopes a,b [--days D]',
  summary: 'create a token for a program of operators; its value is shown this once',
  help: 'The platform’s API answers it where PLATFORM_TOKEN is set.',
  entries: {
    name: label(constants.maxTokenNameLength),
    scopes: platformScopeList,
    days: v.optional(count),
  },
  run: ({ name, scopes, days }, { database }) =>
    createPlatformToken(database, { name, scopes, expires_in_days: days || null }),
});

const platformTokenList = defineCommand({
  name: 'platform token list',
  usage: '',
  summary: "list the tokens of operators' programs; their values are not kept",
  entries: {},
  run: (_input, { database }) => listPlatformTokens(database),
});

const platformTokenRevoke = defineCommand({
  name: 'platform token revoke',
  usage: '--id I',
  summary: 'revoke a token of operators for good',
  entries: { id: recordId },
  run: async ({ id }, { database }) => {
    if (!(await revokePlatformToken(database, id))) {
      throw new OperatorError(`There is no active token ${id} of operators.`);
    }
    return { id, revoked: true };
  },
});

export const tokenCommands = [
  ...[tokenCreate, tokenList, tokenRevoke],
  ...[platformTokenCreate, platformTokenList, platformTokenRevoke],
];

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
  entries: { name, tenant: slugArgument },
  run: async ({ name, tenant }, context) => {
    const place = await operatorContext(context, tenant);
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

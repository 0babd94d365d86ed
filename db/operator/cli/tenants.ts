import * as v from 'valibot';
import {
  cloneRestaurant,
  createRestaurant,
  deleteRestaurant,
  renameRestaurant,
  requireTenant,
} from '../../platform/restaurants.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { MAX_RESTAURANT_NAME } from '../../schema/settings.ts';
import { type Belongings, countBelongings, listTenants, suspendTenant } from '../../sql/tenants.ts';
import { label, locale, slugArgument } from './arguments.ts';
import { defineCommand } from './command.ts';

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
  run: async (input, { database }) => {
    const id = await createRestaurant(database, input);
    return { id, slug: input.slug, name: input.name, default_locale: input.locale };
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

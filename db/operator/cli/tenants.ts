import * as v from 'valibot';
import type { Db } from '../../postgres/sql.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { MAX_RESTAURANT_NAME } from '../../schema/settings.ts';
import { rebuildSnapshots } from '../../snapshot/rebuild.ts';
import {
  type Belongings,
  countBelongings,
  createTenant,
  deleteTenant,
  findTenantId,
  listTenants,
  renameTenant,
} from '../../sql/tenants.ts';
import { label, locale, slug } from './arguments.ts';
import { defineCommand } from './command.ts';

/** The id of the tenant that a command names. */
export async function requireTenant(db: Db, slug: string): Promise<number> {
  const id = await findTenantId(db, slug);
  if (id === null) throw new OperatorError(`There is no tenant ${slug}.`);
  return id;
}

/** The new tenant's empty menu is served at once: its snapshots come with it. */
const tenantCreate = defineCommand({
  name: 'tenant create',
  usage: '<slug> --name N [--locale it]',
  summary: 'create a restaurant with an empty menu',
  mayBegin: true,
  positionals: ['slug'],
  entries: { slug, name: label(MAX_RESTAURANT_NAME), locale: v.optional(locale, 'it') },
  run: (input, { database }) =>
    database.transaction(async (db) => {
      const id = await createTenant(db, {
        slug: input.slug,
        name: input.name,
        defaultLocale: input.locale,
        supportedLocales: [input.locale],
        timezone: 'Europe/Rome',
      });
      if (id === null) throw new OperatorError(`The slug ${input.slug} is taken.`);
      await rebuildSnapshots(db, id);
      return { id, slug: input.slug, name: input.name, default_locale: input.locale };
    }),
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
  entries: { slug, new: slug },
  run: (input, { database }) =>
    database.transaction(async (db) => {
      const tenantId = await requireTenant(db, input.slug);
      if ((await renameTenant(db, input.slug, input.new)) === null) {
        throw new OperatorError(`The slug ${input.new} is taken.`);
      }
      await rebuildSnapshots(db, tenantId);
      return { id: tenantId, slug: input.new, former_slug: input.slug };
    }),
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
  entries: { slug, yes: v.optional(slug) },
  run: async (input, { database, progress, ask }) => {
    const tenantId = await requireTenant(database, input.slug);
    const belongings = await countBelongings(database, tenantId);
    progress(`This deletes ${describe(belongings)}. There is no way back but a backup.`);
    const confirmed = input.yes ?? (await ask.forLine(`Type ${input.slug} to delete it: `))?.trim();
    if (confirmed !== input.slug) {
      throw new OperatorError(`Nothing was deleted: the answer was not ${input.slug}.`);
    }
    await database.transaction((db) => deleteTenant(db, tenantId));
    return { id: tenantId, slug: input.slug, deleted: true, ...belongings };
  },
});

export const tenantCommands = [tenantCreate, tenantList, tenantRename, tenantDelete];

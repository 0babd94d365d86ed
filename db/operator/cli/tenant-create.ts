import * as v from 'valibot';
import { OperatorError } from '../../runtime/operator-error.ts';
import { MAX_RESTAURANT_NAME } from '../../schema/settings.ts';
import { rebuildSnapshots } from '../../snapshot/rebuild.ts';
import { createTenant } from '../../sql/tenants/create-tenant.ts';
import { label, locale, slug } from './arguments.ts';
import { defineCommand } from './command.ts';

/** The new tenant's empty menu is served at once: its snapshots come with it. */
export const tenantCreate = defineCommand({
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

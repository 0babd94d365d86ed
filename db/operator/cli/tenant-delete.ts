import * as v from 'valibot';
import { OperatorError } from '../../runtime/operator-error.ts';
import { type Belongings, countBelongings } from '../../sql/tenants/count-belongings.ts';
import { deleteTenant } from '../../sql/tenants/delete-tenant.ts';
import { slug } from './arguments.ts';
import { defineCommand } from './command.ts';
import { requireTenant } from './find-tenant.ts';

function describe({ name, ...counts }: Belongings): string {
  const parts = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  return `${name}: ${parts.join(', ')}, its events and reports`;
}

export const tenantDelete = defineCommand({
  name: 'tenant delete',
  usage: '<slug> [--yes <slug>]',
  summary: 'delete a restaurant with everything it has, for good',
  help: 'It says what goes with the restaurant and asks for its slug, unless --yes gives it.',
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

import { OperatorError } from '../../runtime/operator-error.ts';
import { rebuildSnapshots } from '../../snapshot/rebuild.ts';
import { renameTenant } from '../../sql/tenants/rename-tenant.ts';
import { slug } from './arguments.ts';
import { defineCommand } from './command.ts';
import { requireTenant } from './find-tenant.ts';

export const tenantRename = defineCommand({
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

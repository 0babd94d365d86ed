import { OperatorError } from '../../runtime/operator-error.ts';
import { deleteUser } from '../../sql/access/delete-user.ts';
import { email, slug } from './arguments.ts';
import { defineCommand } from './command.ts';
import { requireTenant } from './find-tenant.ts';

export const userDelete = defineCommand({
  name: 'user delete',
  usage: '--tenant S --email E',
  summary: "delete a user of a restaurant's panel, and the user's tokens",
  entries: { tenant: slug, email },
  run: async (input, { database }) => {
    const tenantId = await requireTenant(database, input.tenant);
    if (!(await deleteUser(database, tenantId, input.email))) {
      throw new OperatorError(`The tenant ${input.tenant} has no user ${input.email}.`);
    }
    return { tenant: input.tenant, email: input.email, deleted: true };
  },
});

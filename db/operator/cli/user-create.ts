import { OperatorError } from '../../runtime/operator-error.ts';
import { hashPassword } from '../../schema/password.ts';
import { createUser } from '../../sql/access/create-user.ts';
import { email, password, slug } from './arguments.ts';
import { defineCommand } from './command.ts';
import { requireTenant } from './find-tenant.ts';

export const userCreate = defineCommand({
  name: 'user create',
  usage: '--tenant S --email E --password P',
  summary: "create a user of a restaurant's panel",
  entries: { tenant: slug, email, password },
  run: async (input, { database }) => {
    const tenantId = await requireTenant(database, input.tenant);
    const passwordHash = await hashPassword(input.password);
    const id = await createUser(database, { tenantId, email: input.email, passwordHash });
    if (id === null) {
      throw new OperatorError(`The tenant ${input.tenant} has a user ${input.email} already.`);
    }
    return { id, tenant: input.tenant, email: input.email };
  },
});

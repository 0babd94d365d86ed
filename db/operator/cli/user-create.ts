import { OperatorError } from '../../runtime/operator-error.ts';
import { hashPassword } from '../../schema/password.ts';
import { createUser } from '../../sql/access/create-user.ts';
import { email, slug } from './arguments.ts';
import { defineCommand } from './command.ts';
import { requireTenant } from './find-tenant.ts';
import { passwordHelp, readPassword } from './password.ts';

export const userCreate = defineCommand({
  name: 'user create',
  usage: '--tenant S --email E',
  summary: "create a user of a restaurant's panel",
  help: passwordHelp,
  entries: { tenant: slug, email },
  run: async (input, { database, ask }) => {
    const tenantId = await requireTenant(database, input.tenant);
    const passwordHash = await hashPassword(await readPassword(ask));
    const id = await createUser(database, { tenantId, email: input.email, passwordHash });
    if (id === null) {
      throw new OperatorError(`The tenant ${input.tenant} has a user ${input.email} already.`);
    }
    return { id, tenant: input.tenant, email: input.email };
  },
});

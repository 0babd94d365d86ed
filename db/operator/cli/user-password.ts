import { OperatorError } from '../../runtime/operator-error.ts';
import { hashPassword } from '../../schema/password.ts';
import { setPassword } from '../../sql/access/set-password.ts';
import { email, password, slug } from './arguments.ts';
import { defineCommand } from './command.ts';
import { requireTenant } from './find-tenant.ts';

export const userPassword = defineCommand({
  name: 'user password',
  usage: '--tenant S --email E --password P',
  summary: "give a user of a restaurant's panel another password; the user's tokens stay",
  entries: { tenant: slug, email, password },
  run: async (input, { database }) => {
    const tenantId = await requireTenant(database, input.tenant);
    const passwordHash = await hashPassword(input.password);
    if (!(await setPassword(database, { tenantId, email: input.email, passwordHash }))) {
      throw new OperatorError(`The tenant ${input.tenant} has no user ${input.email}.`);
    }
    return { tenant: input.tenant, email: input.email, changed: true };
  },
});

import { OperatorError } from '../../runtime/operator-error.ts';
import { hashPassword } from '../../schema/password.ts';
import { setPassword } from '../../sql/access/set-password.ts';
import { email, slug } from './arguments.ts';
import { defineCommand } from './command.ts';
import { requireTenant } from './find-tenant.ts';
import { passwordHelp, readPassword } from './password.ts';

export const userPassword = defineCommand({
  name: 'user password',
  usage: '--tenant S --email E',
  summary: "give a user of a restaurant's panel another password; the user's tokens stay",
  help: passwordHelp,
  entries: { tenant: slug, email },
  run: async (input, { database, ask }) => {
    const tenantId = await requireTenant(database, input.tenant);
    const passwordHash = await hashPassword(await readPassword(ask));
    if (!(await setPassword(database, { tenantId, email: input.email, passwordHash }))) {
      throw new OperatorError(`The tenant ${input.tenant} has no user ${input.email}.`);
    }
    return { tenant: input.tenant, email: input.email, changed: true };
  },
});

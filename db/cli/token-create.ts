import { bounds } from '../bounds.ts';
import { OperatorError } from '../process/operator-error.ts';
import { createToken } from '../queries/create-token.ts';
import { findUser } from '../queries/find-user.ts';
import { email, label, scopeList, slug } from './arguments.ts';
import { defineCommand } from './command.ts';
import { requireTenant } from './find-tenant.ts';

export const tokenCreate = defineCommand({
  name: 'token create',
  usage: '--tenant S --user E --name N --scopes a,b',
  summary: 'create a token; its value is shown this once',
  entries: { tenant: slug, user: email, name: label(bounds.maxTokenNameLength), scopes: scopeList },
  run: async (input, { database }) => {
    const tenantId = await requireTenant(database, input.tenant);
    const user = await findUser(database, tenantId, input.user);
    if (user === null) {
      throw new OperatorError(`The tenant ${input.tenant} has no user ${input.user}.`);
    }
    const { name, scopes } = input;
    const created = await createToken(database, { tenantId, userId: user.id, name, scopes });
    return { ...created, tenant: input.tenant, user: user.email, name, scopes };
  },
});

import { constants } from '../../runtime/constants.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { createToken, TooManyTokensError } from '../../sql/access/create-token.ts';
import { findUser } from '../../sql/access/find-user.ts';
import { email, label, scopeList, slug } from './arguments.ts';
import { defineCommand } from './command.ts';
import { requireTenant } from './find-tenant.ts';

export const tokenCreate = defineCommand({
  name: 'token create',
  usage: '--tenant S --user E --name N --scopes a,b',
  summary: 'create a token; its value is shown this once',
  entries: {
    tenant: slug,
    user: email,
    name: label(constants.maxTokenNameLength),
    scopes: scopeList,
  },
  run: async (input, { database }) => {
    const tenantId = await requireTenant(database, input.tenant);
    const user = await findUser(database, tenantId, input.user);
    if (user === null) {
      throw new OperatorError(`The tenant ${input.tenant} has no user ${input.user}.`);
    }
    const { name, scopes } = input;
    const token = { tenantId, userId: user.id, name, scopes };
    const created = await database
      .transaction((db) => createToken(db, token))
      .catch((error) => {
        if (!(error instanceof TooManyTokensError)) throw error;
        const full = `The tenant ${input.tenant} has ${constants.maxActiveTokens} active tokens already`;
        throw new OperatorError(`${full}: revoke one that is not needed any more.`);
      });
    return { ...created, tenant: input.tenant, user: user.email, name, scopes };
  },
});

import { createRestaurantToken, requireTenant } from '../../platform/restaurants.ts';
import { constants } from '../../runtime/constants.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { listTokens, revokeToken } from '../../sql/tokens.ts';
import { email, label, recordId, scopeList, slugArgument } from './arguments.ts';
import { defineCommand } from './command.ts';

const tokenCreate = defineCommand({
  name: 'token create',
  usage: '--tenant S --user E --name N --scopes a,b',
  summary: 'create a token; its value is shown this once',
  entries: {
    tenant: slugArgument,
    user: email,
    name: label(constants.maxTokenNameLength),
    scopes: scopeList,
  },
  run: async (input, { database }) => {
    const { tenant, user, name, scopes } = input;
    const created = await createRestaurantToken(database, { tenant, user, name, scopes });
    return { ...created, tenant, user, name, scopes };
  },
});

const tokenList = defineCommand({
  name: 'token list',
  usage: '--tenant S',
  summary: "list a restaurant's tokens, the revoked ones last; their values are not kept",
  entries: { tenant: slugArgument },
  run: async ({ tenant }, { database }) => {
    const tenantId = await requireTenant(database, tenant);
    return listTokens(database, tenantId, Number.MAX_SAFE_INTEGER);
  },
});

const tokenRevoke = defineCommand({
  name: 'token revoke',
  usage: '--tenant S --id I',
  summary: 'revoke a token for good',
  entries: { tenant: slugArgument, id: recordId },
  run: async (input, { database }) => {
    const tenantId = await requireTenant(database, input.tenant);
    if (!(await revokeToken(database, tenantId, input.id))) {
      throw new OperatorError(`The tenant ${input.tenant} has no active token ${input.id}.`);
    }
    return { id: input.id, tenant: input.tenant, revoked: true };
  },
});

export const tokenCommands = [tokenCreate, tokenList, tokenRevoke];
